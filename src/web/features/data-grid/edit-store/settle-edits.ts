import { type ApiFailure, messagesAt, summary } from '#web/api/failure.ts';
import type { Column } from '#shared/rules/definitions.ts';
import type { Dataset } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { checkValue } from '#web/fields/value-checks.ts';
import type { Side } from '#web/fields/conflict-panel.tsx';
import { updateNewRows, updateRows } from './update-rows.ts';
import { type Rejection, rejectionsIn } from './rejections.ts';
import {
  type Batch,
  type CellEdit,
  cellsOf,
  type Edits,
  type NewRow,
  type RowKey,
  type ServerRecord,
  withCell,
  withNewRow,
  writeEntry,
} from './edits.ts';
import * as texts from '#messages/tables.ts';
import * as valueTexts from '#messages/values.ts';

/**
 * Checks pending values against the patterns of their columns again, after the engine was loaded.
 * @param isSending whether a value is being sent, which the server will check
 */
export function checkPatterns(
  edits: Edits,
  columns: readonly Column[],
  isSending: (key: RowKey, column: string) => boolean,
): Edits {
  const withPattern = columns.filter(({ pattern }) => pattern !== null);
  const unsentRows = edits.newRows.filter(({ stored, is }) => !stored && is !== 'sending');
  const keys = [...edits.records.keys(), ...unsentRows.map(({ key }) => key)];
  return updateRows(edits, withPattern.length > 0 ? keys : [], (rowEdits, key) => {
    let next = rowEdits;
    for (const column of withPattern) {
      const edit = cellsOf(next, key).get(column.name);
      if (edit?.status.is !== 'waiting' || isSending(key, column.name)) continue;
      const parsed = checkValue(column, edit.status.value);
      if (parsed.ok) continue;
      const status = { is: 'unread', message: parsed.message } as const;
      next = withCell(next, key, column.name, { ...edit, status });
    }
    return next;
  });
}

/** Whether unsaved text belongs to a column that a record does not have, as it was read before or after a rename. */
export function hasUnknownColumn(edits: Edits, jrid: string, server: Dataset): boolean {
  return [...cellsOf(edits, jrid)].some(
    ([name, { status }]) =>
      (status.is === 'waiting' || status.is === 'conflict') && !Object.hasOwn(server, name),
  );
}

/**
 * The edits of a record to send now. An edit whose base differs from the server's value becomes a conflict, unless the
 * server already has its value. One of a column that the table no longer has is rejected.
 */
export function nextBatch(
  edits: Edits,
  jrid: string,
  server: Dataset,
): { readonly edits: Edits; readonly batch: Batch | null } {
  const values: Record<string, Scalar> = {};
  const sent = new Map<string, CellEdit>();
  let next = edits;
  for (const [name, edit] of cellsOf(edits, jrid)) {
    if (edit.status.is !== 'waiting' && edit.status.is !== 'conflict') continue;
    const { value } = edit.status;
    const theirs = server[name] ?? null;
    if (!Object.hasOwn(server, name)) {
      next = withCell(next, jrid, name, markRejected(edit, texts.columnNotFound));
    } else if (theirs === value) next = withCell(next, jrid, name, null);
    else if (theirs === edit.base && edit.status.is === 'waiting') {
      values[name] = value;
      sent.set(name, edit);
    } else if (edit.status.is === 'waiting' || edit.status.theirs !== theirs) {
      const status = { is: 'conflict', value, theirs } as const;
      next = withCell(next, jrid, name, { ...edit, status });
    }
  }
  return { edits: next, batch: sent.size > 0 ? { values, sent } : null };
}

/**
 * After the server has accepted a batch: its edits are removed; newer edits of the same cells are based on the answer.
 */
export function settleSaved(edits: Edits, jrid: string, batch: Batch, answer: Dataset): Edits {
  let next = edits;
  for (const [name, sent] of batch.sent) {
    const edit = cellsOf(next, jrid).get(name);
    if (!edit) continue;
    const settled = edit.sequence === sent.sequence;
    const base = answer[name] ?? null;
    next = withCell(next, jrid, name, settled ? null : { ...edit, base });
  }
  return next;
}

/**
 * After the server has rejected a batch: the cells that it names keep their text, with its message; the others wait for
 * the next batch. If it names none, the message applies to all.
 */
export function settleRejected(
  edits: Edits,
  jrid: string,
  batch: Batch,
  failure: ApiFailure,
): Edits {
  const named = [...batch.sent.keys()].filter((name) => messageFor(failure, name) !== null);
  let next = edits;
  for (const [name, sent] of batch.sent) {
    if (named.length > 0 && !named.includes(name)) continue;
    const edit = cellsOf(next, jrid).get(name);
    if (edit?.sequence !== sent.sequence || edit.status.is !== 'waiting') continue;
    next = withCell(
      next,
      jrid,
      name,
      markRejected(edit, messageFor(failure, name) ?? summary(failure)),
    );
  }
  return next;
}

function messageFor(failure: ApiFailure, column: string): string | null {
  const messages = messagesAt(failure, `dataset.${column}`);
  return messages.length > 0 ? messages.join(' ') : null;
}

function markRejected(edit: CellEdit, message: string): CellEdit {
  const value = edit.status.is === 'unread' ? null : edit.status.value;
  return { ...edit, status: { is: 'refused', value, message } };
}

/** After a record was deleted, or cannot be read: its typed text stays, with the reason why it cannot be saved. */
export function settleUnreadable(
  edits: Edits,
  jrid: string,
  message: string = texts.recordNotFound,
): Edits {
  let next = edits;
  for (const [name, edit] of cellsOf(edits, jrid)) {
    next = withCell(next, jrid, name, markRejected(edit, message));
  }
  return next;
}

/** Sends a rejected cell again. */
export function retryCell(edits: Edits, key: RowKey, column: string): Edits {
  const edit = cellsOf(edits, key).get(column);
  if (edit?.status.is !== 'refused') return edits;
  const status = { is: 'waiting', value: edit.status.value } as const;
  return withCell(edits, key, column, { ...edit, status });
}

/** Resolves a conflict: theirs stays, or is replaced by mine or by the value before both. */
export function resolveConflict(edits: Edits, jrid: string, column: Column, side: Side): Edits {
  const edit = cellsOf(edits, jrid).get(column.name);
  if (edit?.status.is !== 'conflict') return edits;
  const { value, theirs } = edit.status;
  const mine: CellEdit = { ...edit, base: theirs, status: { is: 'waiting', value } };
  if (side === 'mine') return withCell(edits, jrid, column.name, mine);
  const resolved = withCell(edits, jrid, column.name, null);
  if (side === 'theirs') return resolved;
  const entry = { value: edit.base };
  return writeEntry(resolved, { key: jrid, column, entry, initialValue: theirs, stored: theirs });
}

/**
 * Checks a row before it is created: required columns without a value are marked in their cells, and text in columns
 * that the table no longer has.
 * @returns the values to send; null if a cell is invalid
 */
export function validateNewRow(
  edits: Edits,
  row: NewRow,
  columns: readonly Column[],
): { readonly edits: Edits; readonly batch: Batch | null } {
  let next = edits;
  const values: Record<string, Scalar> = {};
  for (const column of columns) {
    const edit = row.cells.get(column.name);
    if (edit && edit.status.is !== 'unread') values[column.name] = edit.status.value;
    if (edit || !column.required || column.default !== null) continue;
    const sequence = next.sequence + 1;
    const status = { is: 'unread', message: valueTexts.required.message } as const;
    const missing = { sequence, text: null, base: null, status };
    next = withCell({ ...next, sequence }, row.key, column.name, missing);
  }
  const known = new Set(columns.map(({ name }) => name));
  for (const [name, edit] of row.cells) {
    if (known.has(name) || edit.text === null) continue;
    const status = { is: 'unread', message: texts.columnNotFound } as const;
    next = withCell(next, row.key, name, { ...edit, status });
  }
  const isInvalid = hasInvalidCells({ cells: cellsOf(next, row.key) });
  return { edits: next, batch: isInvalid ? null : { values, sent: row.cells } };
}

/** Whether a row was started and has become empty; missing values may be marked. */
export function isEmptied({ cells, once, stored }: NewRow): boolean {
  return once === null && !stored && [...cells.values()].every(({ text }) => text === null);
}

export function hasInvalidCells({ cells }: Pick<NewRow, 'cells'>): boolean {
  return [...cells.values()].some(({ status }) => status.is === 'unread');
}

/** After the server has created a row: text typed meanwhile becomes edits of the record. */
export function settleCreated(
  edits: Edits,
  key: RowKey,
  batch: Batch,
  stored: ServerRecord,
): Edits {
  const row = edits.newRows.find((row) => row.key === key);
  if (!row) return edits;
  let next = withNewRow(edits, {
    ...row,
    cells: new Map(),
    is: 'typed',
    message: null,
    stored,
  });
  for (const [name, edit] of row.cells) {
    if (edit.sequence === batch.sent.get(name)?.sequence) continue;
    const base = stored.dataset[name] ?? null;
    next = withCell(next, stored.dataset.jrid, name, { ...edit, base });
  }
  return next;
}

/**
 * After the server has rejected new rows: those that it names stay as typed, with the messages in their cells; the
 * others can be sent again. If it names none, the message applies to all.
 * @param keys the rows of the call, in its order
 */
export function settleNotCreated(
  edits: Edits,
  keys: readonly RowKey[],
  failure: ApiFailure,
): Edits {
  const named = rejectionsIn(failure);
  const whole: Rejection = { cells: {}, row: summary(failure) };
  const rejections = new Map(keys.map((key, i) => [key, named.size > 0 ? named.get(i) : whole]));
  return updateNewRows(edits, keys, (rowEdits, row) => {
    const rejection = rejections.get(row.key);
    const unsent = { ...row, once: null, sent: null };
    return rejection
      ? withRejection(rowEdits, unsent, rejection)
      : withNewRow(rowEdits, { ...unsent, is: 'typed' });
  });
}

/** Marks a new row that the service did not create. The message for the row is used if no cell has one. */
function withRejection(edits: Edits, row: NewRow, rejection: Rejection): Edits {
  const cells = new Map(row.cells);
  let { sequence } = edits;
  const messages = Object.entries(rejection.cells);
  for (const [name, message] of messages) {
    const edit = cells.get(name);
    // A cell with its default has no value to send again: it must be filled in.
    const status = { is: 'unread', message } as const;
    const empty = { sequence: ++sequence, text: null, base: null, status };
    cells.set(name, edit ? markRejected(edit, message) : empty);
  }
  const message = messages.length > 0 ? null : rejection.row;
  return withNewRow({ ...edits, sequence }, { ...row, cells, is: 'refused', message });
}
