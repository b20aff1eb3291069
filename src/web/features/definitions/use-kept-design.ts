import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { DefinitionValues } from './definition-form.ts';
import { type Design, type DesignPlace, keepDesign, readDesign } from './kept-designs.ts';

/** What was typed before; undefined while it is read. */
export function useStoredDesign(place: DesignPlace): Design | null | undefined {
  const [design, setDesign] = useState<Design | null>();
  useEffect(() => {
    let isShown = true;
    void readDesign(place).then((read) => isShown && setDesign(read));
    return () => {
      isShown = false;
    };
  }, [place]);
  return design;
}

interface Saved {
  /** null: a new archive or table */
  readonly version: number | null;
  readonly values: DefinitionValues;
}

/**
 * Keeps what the user types into the designer until it is applied: over other pages, reloads and closed tabs.
 * @param kept what was typed before
 * @returns whether the form has what was typed before, and how it is discarded
 */
export function useKeptDesign(
  form: UseFormReturn<DefinitionValues>,
  { place, saved, kept }: { place: DesignPlace; saved: Saved; kept: Design | null },
) {
  const [isRestored, setIsRestored] = useState(kept !== null);
  const { reset, subscribe, getValues } = form;
  useEffect(() => {
    if (kept) reset(kept.values, { keepDefaultValues: true });
    const unchanged = JSON.stringify(saved.values);
    return subscribe({
      formState: { values: true },
      callback: () => {
        const values = getValues();
        const isChanged = JSON.stringify(values) !== unchanged;
        keepDesign(place, isChanged ? { version: saved.version, values } : null);
      },
    });
  }, [place, saved, kept, reset, subscribe, getValues]);
  return {
    isRestored,
    discard: () => {
      reset(saved.values);
      keepDesign(place, null);
      setIsRestored(false);
    },
  };
}
