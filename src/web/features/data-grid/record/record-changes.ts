import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { type EntryChange, fieldValueOf } from '#web/fields/history/changes.ts';

/** The changes of an entry in the words of the table's columns; a column that is no more cannot be put back. */
export function changesOfRecord(columns: readonly Column[], entry: HistoryEntry): EntryChange[] {
  return entry.changes.map(({ name, before, after }) => {
    const column = columns.find((one) => one.name === name);
    return {
      place: column ? name : null,
      label: column?.label ?? name,
      rules: column,
      before: fieldValueOf(before),
      after: fieldValueOf(after),
    };
  });
}

/** With which call a record was changed, in a clerk's words. */
export function recordCallWords({ call }: Pick<HistoryEntry, 'call'>): string {
  if (/^load\b/.test(call)) return 'Loaded';
  if (/\/bulkedits\/[^/]+\/undo$/.test(call)) return 'Bulk edit undone';
  if (call.includes('/bulkedits')) return 'Bulk edit';
  if (call.endsWith('/datasets/undo')) return 'Undone';
  if (call.startsWith('DELETE ')) return 'Deleted';
  if (/^POST .*\/datasets$/.test(call)) return 'Created';
  if (/^PUT .*\/datasets\/[^/]+$/.test(call)) return 'Changed';
  if (call.endsWith('/datasets')) return 'Several together';
  return 'Another way';
}
