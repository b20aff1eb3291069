/** The page on which administrators load documents with their files. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const title = 'Load documents';
export const archive = 'Archive';
export const chooseArchive = 'Choose an archive';
export const chooseFiles = 'Choose files…';
export const dropHint = 'Or drop them here: each file becomes a document.';
export const filesChosen = (count: number) =>
  plural(count, { one: '1 file', other: `${formatCount(count)} files` });
export const pattern = 'Index data from the names of the files';
export const patternHint = (of: { example: string }) =>
  `Parts in braces are index fields, such as ${of.example}. If empty, type the index data after the upload.`;
export const problems = {
  adjacent: 'Put a character between two parts.',
  brace: 'A brace is not closed, or not opened.',
  none: 'The pattern has no part in braces.',
};
export const noField = (name: string) => `The archive has no index field ${name}.`;
export const notOfPattern = 'The name does not match the pattern.';
export const unclear = (of: { field: string; text: string }) =>
  `${of.field} “${of.text}” can be read in several ways.`;
export const fieldProblem = (of: { field: string; text: string; problem: string }) =>
  `${of.field} “${of.text}”: ${of.problem}`;
export const emptyFile = 'The file is empty.';
export const valueMissing = (field: string) => `${field}: a value is required.`;
export const indexFile = 'Index data from a spreadsheet';
export const chooseIndexFile = 'Choose index data…';
export const indexFileHint =
  'A CSV, TSV or XLSX file with a row for each document, a column with the file name, and columns named as the fields.';
export const indexFileRead = ({ name, rows }: { name: string; rows: number }) =>
  plural(rows, { one: `${name}: 1 row`, other: `${name}: ${formatCount(rows)} rows` });
export const readingIndexFile = 'Reading the index data';
export const indexFileNotRead = 'The spreadsheet could not be read';
export const noSheet = 'The file is a definition file. Choose a CSV, TSV or XLSX file.';
export const fileColumn = 'Column with the names of the files';
export const column = (number: number) => `Column ${formatCount(number)}`;
export const columnsIgnored = (names: string) =>
  `Columns without a field of this name, not read: ${names}`;
export const rowsRead = (count: number) => `Only the first ${formatCount(count)} rows are read.`;
export const removeIndexFile = 'Remove the spreadsheet';
export const notInIndexFile = 'The spreadsheet has no row for this file.';
export const changedMeanwhile =
  'The document is stored. Somebody else has changed it meanwhile, so the index data that was chosen since was not sent.';
export const storedWithOtherData =
  'The document was stored before, with other index data. Correct it in the archive.';
export const severalRows = 'Several rows of the spreadsheet name this file.';
export const checkSummary = ({ refused, missing }: { refused: number; missing: number }) => {
  if (refused === 0 && missing === 0) return 'All files can be stored.';
  const files = plural(refused, {
    one: '1 file cannot be stored as it is.',
    other: `${formatCount(refused)} files cannot be stored as they are.`,
  });
  if (missing === 0) return files;
  const rows = plural(missing, {
    one: '1 row of the spreadsheet names a file that is not chosen.',
    other: `${formatCount(missing)} rows of the spreadsheet name files that are not chosen.`,
  });
  return refused === 0 ? rows : `${files} ${rows}`;
};
/** @param fields their labels, joined */
export const requiredUnprovided = (fields: string) =>
  `Required, but neither in the pattern nor in a spreadsheet: ${fields}. Add them there, or make them optional.`;
export const changeFields = 'Change the fields of the archive';
export const receipt = 'Save the receipt';
export const bytes = 'Bytes';
export const revision = 'Revision';
export const message = 'Message';
export const files = 'Files';
export const file = 'File';
export const size = 'Size';
export const state = 'State';
export const states = {
  waiting: 'waiting',
  sending: 'being sent',
  done: 'stored',
  before: 'stored before',
  failed: 'failed',
};
export const start = (count: number) =>
  plural(count, { one: 'Load 1 document', other: `Load ${formatCount(count)} documents` });
export const stop = 'Pause';
export const retry = (count: number) => `Retry the ${formatCount(count)} that failed`;
export const progress = (of: { done: number; total: number; failed: number }) =>
  of.failed === 0
    ? `${formatCount(of.done)} of ${formatCount(of.total)} stored`
    : `${formatCount(of.done)} of ${formatCount(of.total)} stored, ${formatCount(of.failed)} failed`;
export const correct = 'Show the new documents, to correct them in a queue';
export const clear = 'Clear the list';
export const leaveText =
  'Not all files are stored. To continue later, choose the same files again: those that are stored are not sent again.';
export const resumable =
  'If you leave the page, choose the same files again: those that are stored are not sent again.';
export const archiveNotRead = 'The archive could not be read';
export const archivesNotRead = 'The archives could not be read';
