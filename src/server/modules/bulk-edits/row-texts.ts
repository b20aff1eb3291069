import * as texts from '#messages/service/bulk-edit-records.ts';
import * as rowTexts from '#messages/service/import-rows.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { problemInWords } from '#shared/rules/bulk-edits.ts';
import type { FailedCheck } from './checked-rows.ts';
import type { RowsToPlan } from './rows-to-plan.ts';

/** The messages of planned rows. */
export interface RowTexts {
  /** @param problem one or more sentences */
  readonly problem: (line: number, problem: string) => string;
  /** @param note one or more sentences */
  readonly note: (line: number, note: string) => string;
  readonly missing: (line: number, id: number) => string;
  readonly blocked: (line: number, failed: readonly FailedCheck[]) => string;
  readonly recordTwice: (lines: { readonly first: number; readonly line: number }) => string;
  readonly takenByRow: (line: number) => string;
}

const IN_FILE: RowTexts = {
  problem: inRow,
  note: inRow,
  missing: (line, id) => inRow(line, rowTexts.noRecord(id)),
  blocked: (line, failed) => {
    const problems = failed.map(({ marked, problem }) =>
      marked ? problemInWords(marked.field, marked.value, problem) : problem,
    );
    return inRow(line, problems.join(' '));
  },
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
  blocked: (_, failed) => problemsOfFields(failed),
};

/** The rows of an earlier plan are not those of a file. */
const OF_EARLIER_PLAN: RowTexts = { ...OF_REVISIONS, problem: (_, problem) => problem };

export function rowTextsOf({ kind }: Collection, { from, key }: RowsToPlan): RowTexts {
  if (from === 'plan') return OF_EARLIER_PLAN;
  if (from === 'paste') return IN_PASTE;
  return kind === 'archive' && key === 'id' ? OF_REVISIONS : IN_FILE;
}

/** The failed checks of a row that has no number of its own. */
export function problemsOfFields(failed: readonly FailedCheck[]): string {
  return failed
    .map(({ marked, problem }) => problemOfField(marked?.field.name ?? null, problem))
    .join(' ');
}

/** @param name of the field; null: none */
export function problemOfField(name: string | null, problem: string): string {
  return name === null ? problem : texts.fieldProblem({ name, problem });
}

function inRow(line: number, problem: string): string {
  return texts.rowProblem({ line, problem });
}
