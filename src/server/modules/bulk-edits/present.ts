import type {
  AnsweredBulkEdit,
  BulkEditRevision,
  BulkEditState,
} from '#shared/bulk-edit-messages.ts';
import type { StoredBulkEdit, StoredRevision } from './bulk-edits.store.ts';

export function toBulkEdit(bulkEdit: StoredBulkEdit): AnsweredBulkEdit {
  const { finishedAt } = bulkEdit;
  return {
    bulkEditId: String(bulkEdit.id),
    kind: bulkEdit.kind,
    state: toState(bulkEdit.state),
    edits: bulkEdit.edits.map((edit) => ({ ...edit })),
    counts: bulkEdit.counts,
    onChanged: bulkEdit.onChanged,
    createdAt: new Date(bulkEdit.createdAt).toISOString(),
    createdBy: bulkEdit.ownerName,
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    message: bulkEdit.message,
  };
}

function toState(state: StoredBulkEdit['state']): BulkEditState {
  if (state === 'planning' || state === 'deleted') {
    throw new Error('A bulk edit is answered that nobody is to see');
  }
  return state;
}

export function toBulkEditRevision(revision: StoredRevision): BulkEditRevision {
  const { revisionId, outcome, changes, message } = revision;
  return { revisionId: String(revisionId), outcome, changes: [...changes], message };
}
