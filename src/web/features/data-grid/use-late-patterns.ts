import { useEffect } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { usePatterns } from '#web/api/patterns.ts';
import type { EditStore } from './edit-store/edit-store.ts';

/**
 * What was typed before patterns could be matched is held to them once they can: a row that is not whole yet asks no
 * service.
 */
export function useLatePatterns(
  editStore: EditStore,
  columns: readonly Column[],
  editing: boolean,
): void {
  const here = usePatterns(columns, editing);
  useEffect(() => {
    if (here) editStore.checkPatterns(columns);
  }, [here, editStore, columns]);
}
