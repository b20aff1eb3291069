/** The import of a file: what its columns hold, what they are mapped to, and what has to be asked. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const titleOfTable = 'Import a spreadsheet';
export const titleOfArchive = 'Import a corrected file';
export const chooseFile = 'Choose the file…';
export const otherFile = 'Another file…';
export const fileDescription = 'An exported XLSX or CSV after correction; or drop it here.';
export const readingFile = 'Reading the file';
export const notRead = 'The file cannot be imported';
export const notPlanned = 'The import could not be planned';
export const preview = 'Preview';
export const backToColumns = 'Back to the columns';
export const lossWarning = 'The file is not imported yet. What you chose here will be lost.';
export const answerFirst = 'Answer the questions first.';

export const rows = (count: number) =>
  plural(count, { one: '1 row.', other: `${formatCount(count)} rows.` });
export const hasVersions = 'What others have changed since the export will be seen.';
export const hasNoVersions =
  'The file has no column “Version”: what others have changed since the export cannot be seen.';
export const column = 'Column';
export const firstValues = 'First values';
export const detectedType = 'Detected type';
export const mapsTo = 'Maps to';
export const noHeader = 'no header';
export const noValues = 'empty';
export const mappingOf = (header: string) => `Mapping of ${header}`;
export const keywordFields = 'Keyword fields';
export const notImported = 'Not imported';
export const version = 'Version';

export const question = (example: string) => `How is “${example}” meant?`;
export const chooseAnswer = 'Choose';
export const usual = (label: string) => `Usual where you are: ${label}`;
export const dateOrders = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};
export const decimalMarks = { ',': 'a decimal comma', '.': 'a decimal point' };

export const mode = 'Import mode';
export const modes = {
  both: 'Create and change',
  create: 'Only create',
  change: 'Only change',
};
export const matchBy = 'Match records by';
export const recordNumber = 'the record number';

export const noKeyOfTable =
  'No column of the file tells which records are to be changed: choose one that holds their numbers or a column without duplicates, or only create.';
export const noKeyOfArchive = 'Choose the column that holds the revision ids.';
export const nothingMappedOfTable = 'No column of the file is mapped to a column of the table.';
export const nothingMappedOfArchive = 'No column is mapped to an index field.';

export const labelOfColumn = (number: number) => `Column ${number}`;
export const labelOfFile = 'The file';

/** `type` is the name of a value type. */
export const misfits = (of: { count: number; type: string; example: string }) =>
  plural(of.count, {
    one: `1 cell is no ${of.type}, such as “${of.example}”`,
    other: `${formatCount(of.count)} cells are no ${of.type}, such as “${of.example}”`,
  });
