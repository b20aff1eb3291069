import type {
  AnsweredBulkEdit,
  BulkEditDataset,
  BulkEditRevision,
  BulkEditState,
} from '#shared/contract/bulk-edit-answers.ts';
import type { StoredBulkEdit, StoredRow } from './bulk-edits.store.ts';

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

export function toBulkEditRevision({
  rowId,
  outcome,
  changes,
  keywordChanges = [],
  message,
}: StoredRow): BulkEditRevision {
  const keywords = keywordChanges.map(({ name, before, after }) => ({
    name,
    before: [...before],
    after: [...after],
  }));
  return { revisionId: String(rowId), outcome, changes: [...changes, ...keywords], message };
}

export function toBulkEditDataset({
  rowId,
  outcome,
  changes,
  message,
}: StoredRow): BulkEditDataset {
  const known = rowId >= 0;
  return {
    jrid: known ? String(rowId) : null,
    line: known ? null : -rowId,
    outcome,
    changes: [...changes],
    message,
  };
}
