import type {
  AnsweredBulkEdit,
  BulkEditDataset,
  BulkEditRevision,
  BulkEditState,
} from '#shared/contract/bulk-edit-answers.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf, isNameVisible } from '#server/database/records/collection-view.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { isSameName, keywordFieldName, nameKey } from '#shared/rules/names.ts';
import { currentName, knownFields } from './planned-fields.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import type { RefusedCell, StoredRow } from './planned-rows.store.ts';

/** @param collection as visible to the user: anything about hidden fields is left out */
export function toBulkEdit(collection: Collection, bulkEdit: StoredBulkEdit): AnsweredBulkEdit {
  const { fileName, finishedAt } = bulkEdit;
  const { findings, ...counts } = bulkEdit.counts;
  return {
    bulkEditId: String(bulkEdit.id),
    kind: bulkEdit.kind,
    ...(fileName !== null && { fileName }),
    state: toState(bulkEdit.state),
    edits: bulkEdit.edits.flatMap((edit) => {
      const visible = visibleEdit(collection, bulkEdit, edit);
      return visible ? { ...visible } : [];
    }),
    counts,
    ...(findings && {
      findings: collection.checks.flatMap(({ name, label, severity }) => {
        const found = findings[name];
        return found ? [{ check: name, label, severity, ...found }] : [];
      }),
    }),
    onChanged: bulkEdit.onChanged,
    createdAt: isoTime(bulkEdit.createdAt),
    createdBy: bulkEdit.ownerName,
    finishedAt: isoTime(finishedAt),
    message: bulkEdit.message,
  };
}

function toState(state: StoredBulkEdit['state']): BulkEditState {
  if (state === 'planning' || state === 'deleted') {
    throw new Error('An invisible batch cannot be answered');
  }
  return state;
}

/**
 * An edit with the present names of fields.
 * @param collection as visible to the user
 * @returns null: one of its fields no longer exists, or is hidden
 */
export function visibleEdit(
  collection: Collection,
  planned: Planned,
  edit: BulkEdit,
): BulkEdit | null {
  const nameOf = (name: string) => {
    const present = currentName(collection, planned, name);
    return present !== null && isNameVisible(collection, present) ? present : null;
  };
  const field = nameOf(edit.field);
  if (field === null) return null;
  if (!('from' in edit) || edit.from === null) return { ...edit, field };
  const from = nameOf(edit.from);
  return from === null ? null : { ...edit, field, from };
}

type VisibleRow = Pick<StoredRow, 'changes' | 'keywordChanges' | 'refused' | 'message'>;

type Planned = Pick<StoredBulkEdit, 'fields'>;

/**
 * The row as visible to the user. A message of a row with hidden changes is hidden, because it may be about these, and so
 * is one that names a field hidden since the row was planned. Other words are those of the user.
 */
export function visibleRow(collection: Collection, planned: Planned, row: StoredRow): VisibleRow {
  if (!collection.restriction?.hidesFields) return row;
  const { changes, keywordChanges, refused, message } = row;
  const hidden = hiddenTexts(collection, planned);
  const isCellVisible = ({ header, field }: RefusedCell) =>
    field === null
      ? !hidden.some((text) => isSameName(text, header.trim()))
      : isNameVisible(collection, field);
  const isVisible = ({ name }: { readonly name: string }) => isNameVisible(collection, name);
  const visible = {
    changes: changes.filter(isVisible),
    keywordChanges: keywordChanges.filter(isVisible),
  };
  const namesHidden = (words: string) =>
    hidden.some((text) => nameKey(words).includes(nameKey(text)));
  const isMessageVisible =
    visible.changes.length === changes.length &&
    visible.keywordChanges.length === keywordChanges.length &&
    !namesHidden(message ?? '');
  const visibleCell = ({ message: problem, ...cell }: RefusedCell) =>
    isMessageVisible && !namesHidden(problem ?? '') ? { ...cell, message: problem } : cell;
  return {
    ...visible,
    refused: refused && {
      ...refused,
      cells: refused.cells.filter(isCellVisible).map(visibleCell),
    },
    message: isMessageVisible ? message : null,
  };
}

/**
 * The names and labels of fields and keyword fields that were visible when the rows were planned and are hidden now, as
 * headers of files and messages have them.
 */
function hiddenTexts(collection: Collection, planned: Planned): string[] {
  const { fields, keywordFields } = fullCollectionOf(collection);
  const wasVisible = knownFields(planned);
  return [
    ...fields.map((field) => ({ field, path: field.name })),
    ...keywordFields.map((field) => ({ field, path: keywordFieldName(field.name) })),
  ].flatMap(({ field, path }) => {
    if (!wasVisible(field) || isNameVisible(collection, path)) return [];
    return [path, field.name, field.label].filter((text) => text.trim() !== '');
  });
}

/** A row of a batch in the form of the answer. */
export function toBulkEditRow(
  collection: Collection,
  planned: Planned,
  row: StoredRow,
): BulkEditRevision | BulkEditDataset {
  const { rowId, outcome } = row;
  const { changes, keywordChanges, refused, message } = visibleRow(collection, planned, row);
  const [id, line] = rowId >= 0 ? [String(rowId), null] : [null, -rowId];
  const cells = (refused?.cells ?? []).map(({ header, text, message }) => ({
    header,
    text,
    message,
  }));
  const content = { outcome, changes: [...changes], message, ...(cells.length > 0 && { cells }) };
  if (collection.kind === 'table') return { jrid: id, line, ...content };
  const keywords = keywordChanges.map(({ name, before, after }) => ({
    name,
    before: [...before],
    after: [...after],
  }));
  return {
    revisionId: id,
    ...(line !== null && { line }),
    ...content,
    changes: [...changes, ...keywords],
  };
}
