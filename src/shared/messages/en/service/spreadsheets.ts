/** What is wrong with a file to import, a paste or a request for an export. */
import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';

export const notOneOf = coded(
  'spreadsheets.notOneOf',
  ({ name, values }: { name: string; values: readonly string[] }) =>
    `The ${name} must be ${values.join(' or ')}.`,
);
export const noField = coded(
  'spreadsheets.noField',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
export const noKeywordField = coded(
  'spreadsheets.noKeywordField',
  ({ name }: { name: string }) => `There is no keyword field ${name}.`,
);
export const separatorInvalid = coded(
  'spreadsheets.separatorInvalid',
  'It must be one character, such as ; or \\t.',
);
export const encodingInvalid = coded(
  'spreadsheets.encodingInvalid',
  'It must be the name of an encoding, such as utf-8 or windows-1252.',
);
export const notALine = coded(
  'spreadsheets.notALine',
  'The header must be the number of a line, or 0.',
);
export const fieldTwice = coded(
  'spreadsheets.fieldTwice',
  ({ name }: { name: string }) => `The field ${name} is named more than once.`,
);
export const tooManyToExport = coded(
  'spreadsheets.tooManyToExport',
  ({ count, max }: { count: number; max: number }) =>
    `${count} match; at most ${max} can be exported at once. Narrow the filter.`,
);

export const fileMissing = coded('spreadsheets.fileMissing', 'A file is needed.');
export const severalFiles = coded(
  'spreadsheets.severalFiles',
  'Only one file can be imported at once.',
);
export const noFormField = coded(
  'spreadsheets.noFormField',
  ({ name }: { name: string }) => `There is no form field ${name}.`,
);
export const modeUnknown = coded(
  'spreadsheets.modeUnknown',
  ({ modes }: { modes: readonly string[] }) => `The mode must be one of: ${modes.join(', ')}.`,
);
export const mappedTwice = coded(
  'spreadsheets.mappedTwice',
  'Two columns are mapped to the same field.',
);
export const columnsNotJson = coded(
  'spreadsheets.columnsNotJson',
  'The form field columns is not JSON.',
);

export const noRows = coded('spreadsheets.noRows', 'The file has no rows below its headers.');
export const tooManyRows = coded(
  'spreadsheets.tooManyRows',
  ({ max }: { max: number }) => `The file has more than ${formatCount(max)} rows. Split it.`,
);
export const fileEmpty = coded('spreadsheets.fileEmpty', 'The file is empty.');
export const readingTooSlow = coded(
  'spreadsheets.readingTooSlow',
  'It takes too long to read the file. Split it.',
);
export const fileTooLarge = coded(
  'spreadsheets.fileTooLarge',
  'The file is too large to be read. Save it as CSV, or split it.',
);
export const protectedOrOld = coded(
  'spreadsheets.protectedOrOld',
  'The file is protected by a password, or was saved by an Excel older than 2007. Save it as XLSX without a password.',
);
export const sheetEmpty = coded('spreadsheets.sheetEmpty', 'The first sheet of the file is empty.');
export const damagedOrTooLarge = coded(
  'spreadsheets.damagedOrTooLarge',
  'The file is damaged, or too large to be read.',
);
export const sheetHasTooManyRows = coded(
  'spreadsheets.sheetHasTooManyRows',
  ({ max }: { max: number }) =>
    `The first sheet of the file has more than ${formatCount(max)} rows, empty ones included. Delete the empty rows and columns, or split the file.`,
);
export const sheetHasTooManyCells = coded(
  'spreadsheets.sheetHasTooManyCells',
  ({ max }: { max: number }) =>
    `The first sheet of the file has more than ${formatCount(max)} cells, empty ones included. Delete the empty rows and columns, or split the file.`,
);
export const neitherXlsxNorCsv = coded(
  'spreadsheets.neitherXlsxNorCsv',
  'The file is neither XLSX nor CSV.',
);
export const tooManyColumns = coded(
  'spreadsheets.tooManyColumns',
  ({ line, max }: { line: number; max: number }) =>
    `Line ${line} of the file has more than ${max} columns.`,
);
export const quoteNotClosed = coded(
  'spreadsheets.quoteNotClosed',
  'A quotation mark in the file is not closed.',
);
export const quoteMisplaced = coded(
  'spreadsheets.quoteMisplaced',
  'The file is not a valid CSV file: a quotation mark is in a place where it is not allowed.',
);
export const damagedOrNoXlsx = coded(
  'spreadsheets.damagedOrNoXlsx',
  'The file is damaged, or is not an XLSX file.',
);

export const noKey = coded(
  'spreadsheets.noKey',
  'The file has no column by which records can be matched: the jrid or a unique column.',
);
export const noJridColumn = coded(
  'spreadsheets.noJridColumn',
  'No column of the file is assigned to the jrid.',
);
export const noColumn = coded(
  'spreadsheets.noColumn',
  ({ name }: { name: string }) => `There is no column ${name}.`,
);
export const keyNotUnique = coded(
  'spreadsheets.keyNotUnique',
  ({ name }: { name: string }) =>
    `The column ${name} is not unique, so records cannot be matched by it.`,
);
export const keyNotMapped = coded(
  'spreadsheets.keyNotMapped',
  ({ name }: { name: string }) => `No column of the file is assigned to ${name}.`,
);
export const unclear = coded(
  'spreadsheets.unclear',
  ({ example }: { example: string }) =>
    `“${example}” can be read in several ways; choose one in columns.`,
);
export const nothingMapped = coded(
  'spreadsheets.nothingMapped',
  'No column of the file is assigned to a field.',
);
export const noIdColumn = coded(
  'spreadsheets.noIdColumn',
  'No column of the file is assigned to the ids of the revisions.',
);
export const rowWithoutId = coded(
  'spreadsheets.rowWithoutId',
  ({ line }: { line: number }) => `Row ${line} has no revision id.`,
);
export const tooManyCells = coded(
  'spreadsheets.tooManyCells',
  'The row has more cells than there are columns.',
);
export const columnTwice = coded('spreadsheets.columnTwice', 'The column is named more than once.');
