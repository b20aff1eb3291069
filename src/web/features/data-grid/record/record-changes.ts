import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import {
  type EntryChange,
  isWritable,
  recordChangeLabel,
  toStored,
} from '#web/fields/history/entry-changes.ts';
import * as historyTexts from '#messages/history.ts';
import * as texts from '#messages/records.ts';
import type { TableField } from '../columns/table-fields.ts';

/** The changes of an entry with the table's column labels; the value of a removed or read-only column cannot be restored. */
export function changesOfRecord(
  columns: readonly (Column & Pick<TableField, 'readOnly'>)[],
  entry: HistoryEntry,
): EntryChange[] {
  return entry.changes.map(({ name, before, after }) => {
    const column = columns.find((one) => one.name === name);
    return {
      path: isWritable(column) ? name : null,
      label: column?.label ?? recordChangeLabel(name),
      rules: column,
      before: toStored(before),
      after: toStored(after),
    };
  });
}

/** The call of a change, in words for users. */
export function recordCallText({ call }: Pick<HistoryEntry, 'call'>): string {
  if (/^load\b/.test(call)) return historyTexts.loaded;
  if (/\/bulkedits\/[^/]+\/undo$/.test(call)) return historyTexts.batchUndone;
  if (call.includes('/bulkedits')) return historyTexts.batch;
  if (call.endsWith('/datasets/undo')) return texts.undone;
  if (call.startsWith('DELETE ')) return texts.deleted;
  if (/^POST .*\/datasets$/.test(call)) return historyTexts.created;
  if (/^PUT .*\/datasets\/[^/]+$/.test(call)) return texts.changed;
  if (call.endsWith('/datasets')) return texts.several;
  return historyTexts.otherCall;
}
