import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { DefinitionValues } from './definition-form.ts';
import { type Design, type DesignId, storeDesign } from './design-storage.ts';

interface Saved {
  /** null: a new archive or table */
  readonly version: number | null;
  readonly values: DefinitionValues;
}

/**
 * Stores what the user types into the designer until it is applied, over other pages, reloads and closed tabs.
 * @param stored the changes that were typed before
 * @returns whether the form has those changes, and a function that discards them
 */
export function useStoredDesign(
  form: UseFormReturn<DefinitionValues>,
  { designId, saved, stored }: { designId: DesignId; saved: Saved; stored: Design | null },
) {
  const [isRestored, setIsRestored] = useState(stored !== null);
  const { reset, subscribe, getValues } = form;
  useEffect(() => {
    if (stored) reset(stored.values, { keepDefaultValues: true });
  }, [stored, reset]);
  useEffect(() => {
    const unchanged = JSON.stringify(saved.values);
    return subscribe({
      formState: { values: true },
      callback: () => {
        const values = getValues();
        const isChanged = JSON.stringify(values) !== unchanged;
        storeDesign(designId, isChanged ? { version: saved.version, values, jobId: null } : null);
      },
    });
  }, [designId, saved, subscribe, getValues]);
  return {
    isRestored,
    discard: () => {
      reset(saved.values);
      storeDesign(designId, null);
      setIsRestored(false);
    },
  };
}
