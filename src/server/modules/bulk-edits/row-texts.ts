import * as texts from '#messages/service/bulk-edit-records.ts';
import * as rowTexts from '#messages/service/import-rows.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { problemInWords } from '#shared/rules/bulk-edits.ts';
import type { BlockedValue } from './checked-rows.ts';
import type { RowsToPlan } from './rows-to-plan.ts';

/** The messages of planned rows. */
export interface RowTexts {
  /** @param problem one or more sentences */
  readonly problem: (line: number, problem: string) => string;
  /** @param note one or more sentences */
  readonly note: (line: number, note: string) => string;
  readonly missing: (line: number, id: number) => string;
  readonly blocked: (line: number, blocked: BlockedValue, problem: string) => string;
  readonly recordTwice: (lines: { readonly first: number; readonly line: number }) => string;
  readonly takenByRow: (line: number) => string;
}

const IN_FILE: RowTexts = {
  problem: inRow,
  note: inRow,
  missing: (line, id) => inRow(line, rowTexts.noRecord(id)),
  blocked: (line, blocked, problem) =>
    inRow(line, blocked ? problemInWords(blocked.field, blocked.value, problem) : problem),
  recordTwice: rowTexts.recordTwice.file,
  takenByRow: rowTexts.takenByRow.file,
};

const IN_PASTE: RowTexts = {
  ...IN_FILE,
  recordTwice: rowTexts.recordTwice.paste,
  takenByRow: rowTexts.takenByRow.paste,
};

/** Rows that are listed by the revisions that they change: only an error of the file names the row. */
const OF_REVISIONS: RowTexts = {
  ...IN_FILE,
  note: (_, note) => note,
  missing: (_, id) => texts.noRevision(id),
  blocked: (_, blocked, problem) => problemOfField(blocked?.field.name ?? null, problem),
};

/** The rows of an earlier plan are not those of a file. */
const OF_EARLIER_PLAN: RowTexts = { ...OF_REVISIONS, problem: (_, problem) => problem };

export function rowTextsOf({ kind }: Collection, { from, key }: RowsToPlan): RowTexts {
  if (from === 'plan') return OF_EARLIER_PLAN;
  if (from === 'paste') return IN_PASTE;
  return kind === 'archive' && key === 'id' ? OF_REVISIONS : IN_FILE;
}

/** @param name of the field; null: none */
export function problemOfField(name: string | null, problem: string): string {
  return name === null ? problem : texts.fieldProblem({ name, problem });
}

function inRow(line: number, problem: string): string {
  return texts.rowProblem({ line, problem });
}
