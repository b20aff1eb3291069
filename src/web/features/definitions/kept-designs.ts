import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { CollectionDefinition } from './collection-definition.ts';
import { type DefinitionValues, toValues } from './definition-form.ts';

/** Changes of definitions that are not applied, by kind, id and version, until the page is loaded again. */
const kept = new Map<string, DefinitionValues>();

/**
 * Keeps what the user has changed in a definition while other pages are open, such as the queue in which values that do
 * not fit are corrected.
 * @returns whether the form has changes from before, and how they are discarded
 */
export function useKeptDesign(
  form: UseFormReturn<DefinitionValues>,
  definition: CollectionDefinition,
) {
  const { kind, id, version } = definition;
  const key = `${kind} ${id} ${version}`;
  const [saved] = useState(() => toValues(definition));
  const [isRestored, setIsRestored] = useState(() => kept.has(key));
  const { reset, getValues } = form;
  useEffect(() => {
    const values = kept.get(key);
    if (values) reset(values);
    return () => {
      const left = getValues();
      if (JSON.stringify(left) === JSON.stringify(saved)) kept.delete(key);
      else kept.set(key, left);
    };
  }, [key, saved, reset, getValues]);
  return {
    isRestored,
    discard: () => {
      kept.delete(key);
      reset(saved);
      setIsRestored(false);
    },
  };
}
