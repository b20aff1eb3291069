import { useEffect } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { usePatterns } from '#web/api/patterns.ts';
import type { EditStore } from './edit-store/edit-store.ts';

/**
 * Text typed before the pattern engine was loaded is checked once it is: an incomplete row is not sent to the service.
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
