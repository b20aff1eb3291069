/** The page on which administrators load data from files. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';
import { notations } from './notations.ts';

export const title = 'Load data';
export const chooseFile = 'Choose a file…';
export const otherFile = 'Another file…';
export const fileHint = 'CSV, TSV, XLSX or a definition file (JSON); or drop it here.';
export const analysing = 'Reading the file';
export const notAnalysed = 'The file cannot be read';

export const recognised = 'Format of the file';
export const rows = (count: number) =>
  plural(count, { one: '1 row', other: `${formatCount(count)} rows` });
export const firstRows = (count: number) =>
  plural(count, { one: 'The first row', other: `The first ${formatCount(count)} rows` });
export const line = 'Line';
export const separator = 'Separator';
export const separators = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
};
export const encoding = 'Encoding';
export const encodings = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western)',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  ibm866: 'IBM866 (Cyrillic, DOS)',
};
export const headerLine = 'Line of the headers';
export const noHeaderLine = 'No headers';
export const lineNumber = (number: number) => `Line ${number}`;
export const locale = 'Numbers and dates';
export const locales = { '': 'Detected by column', ...notations };

export const target = 'Target of the rows';
export const targets = {
  archive: 'A new archive',
  table: 'A new table',
  existing: 'An existing one',
};
export const label = 'Title';
export const titleMissing = 'Enter a title.';
export const name = 'Name';
export const nameHint = 'For programs: letters, digits and underscores.';
export const existing = 'Archive or table';
export const rowsBecomeRecords =
  'Each row becomes a new record. To change existing records, import the file on the page of the archive or table.';

export const columns = 'Columns';
export const isIncluded = (header: string) => `Load the column ${header}`;
export const included = 'Load';
export const columnOfFile = 'Column of the file';
export const fieldLabel = 'Label';
export const fieldName = 'Name';
export const type = 'Type';
export const length = 'Length';
export const required = 'Required';
export const unique = 'Unique';
export const of = (of: { what: string; column: string }) => `${of.what} of ${of.column}`;
export const goesTo = 'Goes to';
export const goesToOf = (header: string) => `${header} goes to`;
export const notLoaded = 'Not loaded';
export const unnamed = (number: number) => `Column ${number}`;
export const orders = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};
export const marks = { ',': 'decimal comma', '.': 'decimal point' };
export const readAs = (of: { example: string; meaning: string }) =>
  `“${of.example}” is read as ${of.meaning}.`;
export const onlyOptions = (options: readonly string[]) => `Only ${options.join(', ')}`;
export const misfits = (of: { count: number; examples: readonly string[]; message: string }) => {
  const examples = of.examples.map((example) => `“${example}”`).join(', ');
  const count = formatCount(of.count);
  return plural(of.count, {
    one: `1 value does not fit: ${examples}. ${of.message} It can be corrected before it is loaded.`,
    other:
      of.examples.length < of.count
        ? `${count} values do not fit, such as ${examples}. ${of.message} They can be corrected before they are loaded.`
        : `${count} values do not fit: ${examples}. ${of.message} They can be corrected before they are loaded.`,
  });
};

export const createAndCheck = {
  archive: 'Create the archive and check the rows',
  table: 'Create the table and check the rows',
  existing: 'Check the rows',
};
export const nothingIsLoaded = 'No row is loaded yet: you see first what would be loaded.';
export const createForDocuments = 'Create the archive and load its files';
export const withOrWithoutFiles =
  'Rows become revisions without files; you see first what would be loaded. If the rows name files, load these: each becomes a document with its row as index data.';
export const documents = 'Documents of the new archive';
export const notCreated = 'It could not be created';
export const notCreatedOf = (label: string) => `${label} could not be created`;
export const notPlanned = 'The rows could not be checked';

export const definitionFile = 'Definition file';
export const createAll = (count: number) =>
  plural(count, {
    one: 'Create 1 archive or table',
    other: `Create ${formatCount(count)} archives and tables`,
  });
export const ignored =
  'The documents, records and users of the file are not loaded here: the command load does that.';
export const archiveOfFile = (of: { label: string; name: string; fields: number }) =>
  `Archive ${of.label} (${of.name}), ${plural(of.fields, { one: '1 field', other: `${formatCount(of.fields)} fields` })}`;
export const tableOfFile = (of: { label: string; name: string; fields: number }) =>
  `Table ${of.label} (${of.name}), ${plural(of.fields, { one: '1 column', other: `${formatCount(of.fields)} columns` })}`;
export const job = 'What is loaded';
export const leaveText =
  'The rows of the file are not loaded. What you have set here for the file and its columns is lost.';
export const otherFileText =
  'What is not stored is lost: what you have set for this file, and what you have corrected in its rows. An upload of documents stops.';
export const labelOfFile = 'The file';
export const targetsNotRead = 'The archives and tables could not be read';
