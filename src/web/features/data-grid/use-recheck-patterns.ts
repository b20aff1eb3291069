import { useEffect } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { usePatterns } from '#web/api/patterns.ts';
import type { EditStore } from './edit-store/edit-store.ts';

/**
 * Text typed before the pattern engine was loaded is checked once it is: an incomplete row is not sent to the service.
 */
export function useRecheckPatterns(
  editStore: EditStore,
  columns: readonly Column[],
  editing: boolean,
): void {
  const isReady = usePatterns(columns, editing);
  useEffect(() => {
    if (isReady) editStore.checkPatterns(columns);
  }, [isReady, editStore, columns]);
}
