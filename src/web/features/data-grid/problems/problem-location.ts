import type { Column } from '#shared/rules/definitions.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cellsOf, isNewRow } from '../edit-store/edits.ts';
import { recordLabel } from '../record/record-label.ts';
import type { GridProblem } from './use-problems.ts';
import * as texts from '#messages/unsaved-entries.ts';
import { truncate } from '#shared/values/truncate.ts';

/** How many characters of a value are quoted. */
const MAX_QUOTED = 60;

/** The location of a problem in words: `Record 12 (Bolt · 5), Code “A-2”`. */
export function problemLocation(
  { key, column: name, text }: GridProblem,
  columns: readonly Column[],
  editStore: Pick<EditStore, 'get' | 'newerThan'>,
): string {
  const column = columns.find((one) => one.name === name);
  const others = columns.filter((one) => one !== column);
  const words = isNewRow(key)
    ? typedRowText(key, others, editStore)
    : storedRecordText(key, others, editStore);
  const record = recordText(key, words);
  if (name === null) return record;
  const cell = { record, column: column?.label ?? name };
  return text === null || text === ''
    ? texts.cell(cell)
    : texts.cellWith({ ...cell, text: truncate(text, MAX_QUOTED) });
}

function recordText(key: string, values: string): string {
  if (isNewRow(key)) return values === '' ? texts.newRecord : texts.newRecordWith(values);
  return values === '' ? texts.record(key) : texts.recordWith({ jrid: key, values });
}

function storedRecordText(
  jrid: string,
  columns: readonly Column[],
  editStore: Pick<EditStore, 'newerThan'>,
): string {
  // The last known state, however old.
  const dataset = editStore.newerThan(jrid, -1)?.dataset;
  return dataset ? recordLabel(columns, (name) => dataset[name]) : '';
}

function typedRowText(
  key: string,
  columns: readonly Column[],
  editStore: Pick<EditStore, 'get'>,
): string {
  const cells = cellsOf(editStore.get(), key);
  const typed = columns.flatMap(({ name }) => cells.get(name)?.text || []);
  return typed.slice(0, 3).join(' · ');
}
