import * as texts from '#messages/workspaces.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useBulkStep } from '#web/features/bulk-jobs/bulk-jobs.mutations.ts';
import { editStoreOf } from '#web/features/data-grid/edit-store/edit-store-of-table.ts';

/**
 * Bulk edits of a table as undo steps of its grid.
 * @param onShow shows a bulk edit that is being reverted
 */
export function useBulkEditSteps(guid: string, onShow: (bulkEditId: string) => void) {
  const client = useQueryClient();
  const { username } = useSession();
  const { mutateAsync } = useBulkStep({ kind: 'table', id: guid });
  return {
    remember: ({ bulkEditId, kind }: AnsweredBulkEdit): void => {
      const { editStore } = editStoreOf(client, username, guid);
      editStore.rememberBulkEdit(bulkEditId, texts.undoSteps[kind]);
    },
    /** @throws {CallError} 409 if it can no longer be reverted */
    revert: async (bulkEditId: string): Promise<void> => {
      await mutateAsync({ id: bulkEditId, to: 'undo' });
      onShow(bulkEditId);
    },
  };
}
