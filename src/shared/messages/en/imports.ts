/** The import of a file: the content of its columns, their mapping, and questions about them. */
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
export const hasVersions = 'Changes by others since the export will be detected.';
export const hasNoVersions =
  'The file has no column “Version”: changes by others since the export cannot be detected.';
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

export const question = (example: string) => `What does “${example}” mean?`;
export const chooseAnswer = 'Choose';
export const usual = (label: string) => `Usual in your region: ${label}`;
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
  'No column of the file identifies the records to change. Choose a column with the record numbers or with unique values, or the import mode “Only create”.';
export const noKeyOfArchive = 'Choose the column with the revision ids.';
export const nothingMappedOfTable = 'No column of the file is mapped to a column of the table.';
export const nothingMappedOfArchive = 'No column is mapped to an index field.';

export const labelOfColumn = (number: number) => `Column ${number}`;
export const labelOfFile = 'The file';

/** `type` is the name of a value type. */
export const misfits = (of: { count: number; type: string; example: string }) =>
  plural(of.count, {
    one: `1 cell is not a valid ${of.type}: “${of.example}”`,
    other: `${formatCount(of.count)} cells are not a valid ${of.type}, such as “${of.example}”`,
  });
