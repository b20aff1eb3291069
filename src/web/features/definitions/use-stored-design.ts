import { useEffect, useMemo, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { DefinitionValues } from './definition-form.ts';
import { type MergedDesign, mergeDesigns } from './merge-designs.ts';
import { type Design, type DesignId, storeDesign } from './design-storage.ts';

interface Saved {
  /** null: a new archive or table */
  readonly version: number | null;
  readonly values: DefinitionValues;
}

/**
 * Stores what the user types into the designer until it is applied, over other pages, reloads and closed tabs.
 * @param stored the changes that were typed before
 * @returns the changes that the form has from before, and a function that discards them
 */
export function useStoredDesign(
  form: UseFormReturn<DefinitionValues>,
  { designId, saved, stored }: { designId: DesignId; saved: Saved; stored: Design | null },
) {
  const [isRestored, setIsRestored] = useState(stored !== null);
  const { reset, subscribe, getValues } = form;
  const restored = useMemo(() => stored && onTopOf(saved, stored), [saved, stored]);
  useEffect(() => {
    if (restored) reset(restored.values, { keepDefaultValues: true });
  }, [restored, reset]);
  useEffect(() => {
    const unchanged = JSON.stringify(saved.values);
    return subscribe({
      formState: { values: true },
      callback: () => {
        const values = getValues();
        const isChanged = JSON.stringify(values) !== unchanged;
        const { version, values: base } = saved;
        storeDesign(designId, isChanged ? { version, base, values, jobId: null } : null);
      },
    });
  }, [designId, saved, subscribe, getValues]);
  return {
    restored: isRestored ? restored : null,
    discard: () => {
      reset(saved.values);
      storeDesign(designId, null);
      setIsRestored(false);
    },
  };
}

interface RestoredDesign extends MergedDesign {
  /** whether the definition has changed since they were typed */
  readonly isOutdated: boolean;
}

/** The changes that were typed before, on top of the present definition. */
function onTopOf(saved: Saved, { version, base, values }: Design): RestoredDesign {
  const isOutdated = version !== saved.version;
  const merged =
    isOutdated && base ? mergeDesigns(base, values, saved.values) : { values, dropped: [] };
  return { ...merged, isOutdated };
}
