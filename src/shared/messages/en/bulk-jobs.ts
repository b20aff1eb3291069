/**
 * Bulk edits, imports and large pastes, from their plan to their receipt. `kind` is that of the list: an archive has
 * revisions, a table has records.
 */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

interface Counted {
  readonly kind: 'archive' | 'table';
  readonly count: number;
}

/** The same texts are used for records of a table and for revisions that an import creates. */
interface Written extends Counted {
  readonly creates: boolean;
}
const isChange = ({ kind, creates }: Written) => kind === 'archive' && !creates;

export const records = ({ kind, count }: Counted) =>
  kind === 'archive'
    ? plural(count, { one: '1 revision', other: `${formatCount(count)} revisions` })
    : plural(count, { one: '1 record', other: `${formatCount(count)} records` });

export const correctByRules = (count: number) =>
  plural(count, {
    one: 'Correct 1 revision by rules',
    other: `Correct ${formatCount(count)} revisions by rules`,
  });
export const batchHistory = 'Batch history';
export const titles = { edit: 'Bulk edit', import: 'Import', paste: 'Paste' };

export const notRead = 'The batch could not be read';
export const loading = 'Loading the batch';
export const notDone = 'This could not be done';
export const outcomesOf = {
  archive: 'Results of the revisions',
  table: 'Results of the records',
};
/** the outcomes of records, each with its count before it */
export const outcomes = {
  new: 'to create',
  changed: 'to change',
  created: 'created',
  done: 'changed',
  conflict: 'changed by others meanwhile',
  invalid: 'not possible',
  locked: 'locked by others',
  missing: 'not found',
  takenback: 'undone',
  left: 'edited since then, not undone',
  unchanged: 'unchanged',
};

interface Plan {
  readonly kind: Counted['kind'];
  readonly created: number;
  readonly changed: number;
  /** rows of the file, or revisions, that would be left out */
  readonly problems: number;
}
/** The effect of a plan. */
export const planned = (plan: Plan) =>
  plan.problems === 0
    ? `${wouldBeDone(plan)}; nothing is changed yet`
    : `${wouldBeDone(plan)}, ${problemCount(plan)}; nothing is changed yet`;
/** The text of a plan without effect. */
export const plannedNothing = (plan: Plan) =>
  plan.problems === 0 ? 'Nothing would change' : `Nothing can be changed: ${problemCount(plan)}`;
const wouldBeDone = ({ kind, created, changed }: Plan) => {
  if (created === 0) return `${records({ kind, count: changed })} would change`;
  const creates = `${records({ kind, count: created })} would be created`;
  return changed === 0 ? creates : `${creates} and ${formatCount(changed)} changed`;
};
const problemCount = ({ kind, problems, created }: Plan) =>
  kind === 'archive' && created === 0
    ? plural(problems, {
        one: '1 revision has a problem',
        other: `${formatCount(problems)} revisions have problems`,
      })
    : plural(problems, {
        one: '1 row has a problem',
        other: `${formatCount(problems)} rows have problems`,
      });

interface FindingCounts {
  readonly brings: number;
  readonly removes: number;
}
/** The number of findings of checks that a plan would add and remove. */
export const plannedFindings = ({ brings, removes }: FindingCounts) => {
  const removed = plural(removes, {
    one: '1 finding',
    other: `${formatCount(removes)} findings`,
  });
  if (brings === 0) return `Would remove ${removed}`;
  const brought = plural(brings, {
    one: 'Would add 1 new finding',
    other: `Would add ${formatCount(brings)} new findings`,
  });
  return removes === 0 ? brought : `${brought} and remove ${removed}`;
};
export const findingsByCheck = 'Findings by check';
/** the same of one check */
export const findingsOfCheck = ({ label, brings, removes }: FindingCounts & { label: string }) => {
  const parts = [
    ...(brings > 0 ? [`${formatCount(brings)} new`] : []),
    ...(removes > 0 ? [`${formatCount(removes)} removed`] : []),
  ];
  return `${label}: ${parts.join(', ')}`;
};

interface Applied extends Written {
  /** how many of `count` are changed or written */
  readonly done: number;
}
export const applying = ({ done, ...of }: Applied) =>
  isChange(of)
    ? `Changing ${records(of)}: ${formatCount(done)} done`
    : `Writing ${records(of)}: ${formatCount(done)} done`;
export const paused = ({ done, ...of }: Applied) =>
  isChange(of)
    ? `Paused: ${formatCount(done)} of ${records(of)} changed`
    : `Paused: ${formatCount(done)} of ${records(of)} written`;
export const stopped = ({ done, ...of }: Applied) =>
  isChange(of)
    ? `Stopped: ${formatCount(done)} of ${records(of)} changed`
    : `Stopped: ${formatCount(done)} of ${records(of)} written`;
export const applied = (of: Written) =>
  isChange(of) ? `${records(of)} changed` : `${records(of)} written`;
export const undoing = (done: number) => `Undoing: ${formatCount(done)} done`;
export const undone = (of: Counted) => `${records(of)} undone`;

export const refusedRows = 'Rows that do not fit';
export const refusedCount = (count: number) =>
  plural(count, {
    one: '1 row does not fit: correct it and send it again',
    other: `${formatCount(count)} rows do not fit: correct them and send them again`,
  });
export const rowsWithoutCells =
  'Rows with too many values, or with a value of more than 10,000 characters, are not listed here. Correct them in the file.';
export const rowHeading = 'Row';
export const cellOfRow = ({ column, row: title }: { column: string; row: string }) =>
  `${column}, ${title}`;
export const toWrongCell = 'Go to the first wrong value of the row';
export const moreRefused = 'Show more rows';
export const downloadRefused = 'Download refused rows with reasons (CSV)';
export const sendCorrected = (count: number) =>
  plural(count, {
    one: 'Check the row again',
    other: `Check the ${formatCount(count)} rows again`,
  });
/** The name of the file with the corrected rows of another; `stem` is its name without the extension. */
export const correctedFile = (stem: string) => `${stem} (corrected).csv`;
export const leaveText =
  'The corrected rows are not checked and written yet. Your corrections will be lost.';
export const applyFirst = 'Write the rows that fit first.';

export const closeWhileRunning = 'Close, keep running';
export const cancelIfChanged = 'Cancel all if a record changes meanwhile';
export const cancelIfChangedHint =
  'Otherwise records that change meanwhile are left out and listed.';
export const backToRules = 'Back to the rules';
export const apply = (of: Written) =>
  isChange(of) ? `Change ${records(of)}` : `Write ${records(of)}`;
export const pause = 'Pause';
export const resume = 'Resume';
export const undoAll = 'Undo all';
export const retryFailed = (count: number) => `Retry the ${formatCount(count)} that failed`;

export const states = {
  planned: 'planned, nothing changed yet',
  applying: 'running',
  paused: 'paused',
  done: 'done',
  stopped: 'stopped',
  undoing: 'being undone',
  undone: 'undone',
};
export const importedSpreadsheet = 'Import of a spreadsheet';
/** the same, of a file whose name is known */
export const importedFile = (name: string) => `Import of ${name}`;
export const pastedRows = 'Pasted rows';
export const correctedTogether = 'Corrected together';
export const loadingList = 'Loading the batches';
export const emptyList = {
  archive: 'No batches yet',
  table: 'No imports or large pastes yet',
};
export const emptyListHint = {
  archive:
    'Select revisions in the list to correct many of them by rules or together. These corrections and imports of spreadsheets are listed here, and can be undone.',
  table:
    'Imports of spreadsheets and pastes of more than 1,000 rows are listed here, and can be undone.',
};
/** `state` is one of `states`. */
export const summary = <Part>(of: { records: string; state: string; person: Part; at: string }) =>
  rich`${of.records} · ${of.state} · ${of.person}, ${of.at}`;

export const recordsNotRead = {
  archive: 'The revisions could not be read',
  table: 'The records could not be read',
};
export const loadingRecords = {
  archive: 'Loading the revisions',
  table: 'Loading the records',
};
export const recordsOfArchive = 'Revisions of the batch';
export const recordsOfTable = {
  edit: 'Records of the edit',
  import: 'Records of the import',
  paste: 'Records of the paste',
};
export const noChange = 'No change';
