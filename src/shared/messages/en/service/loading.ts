/** What a load reports about a definition file and its rows. */
import { formatCount } from '#shared/messages/format.ts';
import { plural } from '../language.ts';
import * as counts from './counts.ts';
import { kindInWords } from './http.ts';

interface Named {
  readonly kind: 'archive' | 'table';
  readonly name: string;
}

export const cannotRead = (path: string) => `${path} cannot be read.`;
export const badRowsNotWritten = ({ path, value }: { path: string; value: string }) =>
  `The file ${path} for bad rows cannot be written: ${value}.`;
export const noField = ({
  name,
  collection,
  name2,
}: {
  name: string;
  collection: string;
  name2: string;
}) => `${name} has no ${collection} ${name2}.`;
export const noKeywordField = ({ name, name2 }: { name: string; name2: string }) =>
  `${name} has no keyword field ${name2}.`;
export const noColumn = ({ csv, name }: { csv: string; name: string }) =>
  `${csv} has no column ${name}.`;
export const severalColumns = ({ csv, name }: { csv: string; name: string }) =>
  `${csv} has several columns ${name}.`;
export const notCsvFile = (path: string) => `${path} is not a CSV file.`;
export const directoryNotCsv = (path: string) => `${path} is a directory, not a CSV file.`;
export const encodingWrong = ({ path, name, line }: { path: string; name: string; line: number }) =>
  `${path} is not encoded in ${name} (after line ${line}). Save it as UTF-8, or name its encoding by "format".`;
export const quoteNotClosed = (row: string) => `${row} contains a quote that is not closed.`;
export const quoteMisplaced = (row: string) =>
  `${row} contains a quote within a value that does not begin with one; double the quote, and put the value in quotes.`;
export const rowTooLong = (row: string) =>
  `${row} is longer than 64 MiB; a quote may not be closed.`;
export const notCsv = ({ row, message }: { row: string; message: string }) =>
  `${row} is not CSV: ${message}.`;
export const notGzip = ({ path, line }: { path: string; line: number }) =>
  `${path} is not a gzip file, or is damaged (after line ${line}).`;
export const formatUnclear = ({ header, question }: { header: string; question: string }) =>
  `${header}: “${question}” can be read in several ways. Set the format in the definition file, such as "format": {"locale": "de-DE"}.`;
export const formatDiffers = ({
  header,
  example,
  value,
}: {
  header: string;
  example: string;
  value: string;
}) => `${header}: values have another notation; “${example}” is read${value}.`;
export const csvEmpty = (path: string) => `${path} is empty; its first line must name the columns.`;
export const rowWidthWrong = ({ count, count2 }: { count: number; count2: number }) =>
  `The row has ${count} values, the header names ${count2} columns.`;
export const valueAmbiguous = 'The value can be read in several ways.';
/** @param separator, encoding null: the usual one */
export const formatUsed = ({
  name,
  separator,
  encoding,
}: {
  name: string;
  separator: string | null;
  encoding: string | null;
}) => {
  const found = [
    ...(separator === null ? [] : [`the separator “${separator}”`]),
    ...(encoding === null ? [] : [`the encoding ${encoding}`]),
  ];
  return `${name} is read with ${found.join(' and ')}; "format" sets others.`;
};
export const fieldNotInFile = ({ what, name }: { what: string; name: string }) =>
  `The ${what} ${name} is not in the file; it is kept.`;
export const definitionDiffers = ({
  whose,
  key,
  before,
  after,
}: {
  whose: string;
  key: string;
  before: string;
  after: string;
}) => `${whose}${key} stays ${before}; the file has ${after}.`;
export const wholeFile = 'The file';
export const unknownKeys = ({ keys, known }: { keys: readonly string[]; known: string }) =>
  `Unknown keys: ${keys.map((key) => `“${key}”`).join(', ')}. The keys here are: ${known}.`;
export const notAnOption = (value: string) => `It must be one of: ${value}.`;
interface Bound {
  /** the type of the value */
  readonly of: string;
  readonly limit: number | bigint;
}
export const tooSmall = (bound: Bound) => `It must have at least ${boundInWords(bound)}.`;
export const tooLarge = (bound: Bound) => `It must have at most ${boundInWords(bound)}.`;
function boundInWords({ of, limit }: Bound): string {
  if (of === 'string') return `${limit} characters`;
  return of === 'array' ? `${limit} entries` : `the value ${limit}`;
}
export const noKnownForm = 'It has none of the allowed forms.';
export const definedTwice = {
  guid: (guid: string) => `The GUID ${guid} is defined more than once.`,
  archive: (name: string) => `The archive ${name} is defined more than once.`,
  table: (name: string) => `The table ${name} is defined more than once.`,
  user: (name: string) => `The user ${name} is defined more than once.`,
};
export const definitionInvalid = (path: string) =>
  `${path} is not a valid definition file; nothing was loaded.`;
export const notUtf8 = (path: string) => `${path} is not encoded in UTF-8. Save it as UTF-8.`;
export const notJson = (of: { path: string; line: number; column: number; reason: string }) =>
  `${of.path} is not JSON (line ${of.line}, column ${of.column}): ${of.reason}`;
export const schemaTitle = 'Indexdesk definition file';
export const documentLocked = (by: string) => `The document is locked by ${by}.`;
export const notAFile = (path: string) => `${path} is not a file.`;
export const columnsIgnored = (of: { count: number; name: string; names: string }) =>
  plural(of.count, {
    one: `1 column of ${of.name} is ignored: ${of.names}.`,
    other: `${formatCount(of.count)} columns of ${of.name} are ignored: ${of.names}.`,
  });
export const indexFieldNew = (name: string) => `the index field ${name} is new.`;
export const keywordFieldNew = (name: string) => `the keyword field ${name} is new.`;
export const checkNew = (name: string) => `the check ${name} is new.`;
export const definitionProblem = ({
  name,
  path,
  problem,
}: {
  name: string;
  path: string;
  problem: string;
}) => `${name}, ${path}: ${problem}`;
export const columnNew = (name: string) => `the column ${name} is new.`;
export const collectionRetired = ({ kind, name }: { kind: string; name: string }) =>
  `The ${kind} ${name} was retired; nothing is loaded into it.`;
export const nameOfOtherGuid = ({
  name,
  kind,
  guid,
  retired,
}: {
  name: string;
  kind: string;
  guid: string;
  retired: boolean;
}) =>
  retired
    ? `The name ${name} belongs to the ${kind} with the GUID ${guid}, which was retired.`
    : `The name ${name} belongs to the ${kind} with the GUID ${guid}.`;
export const userProblem = ({ username, message }: { username: string; message: string }) =>
  `User ${username}: ${message}`;
export const groupProblem = ({ name, message }: { name: string; message: string }) =>
  `Group ${name}: ${message}`;
export const groupSummary = (counts: readonly string[]) => `Groups: ${counts.join(', ')}.`;
export const userSummary = (counts: readonly string[]) => `Users: ${counts.join(', ')}.`;
export const displayNameDiffers = ({ displayName, name }: { displayName: string; name: string }) =>
  `the display name stays ${displayName}; the file has ${name}.`;
export const roleDiffers = ({ role, role2 }: { role: string; role2: string }) =>
  `the role stays ${role}; the file has ${role2}.`;
export const rightsDiffer = 'the rights differ from the file; they are kept.';
export const groupsDiffer = 'the groups differ from the file; they are kept.';
export const userStaysDisabled = 'the user is disabled, and stays disabled.';
export const viewNew = (view: string) => `the view ${view} is new.`;
export const fileDoesNotExist = (path: string) => `The file ${path} does not exist.`;
export const fileForbidden = (path: string) => `There is no permission to read the file ${path}.`;
export const fileIsDirectory = (path: string) => `${path} is a directory, not a file.`;
export const fileUnreadable = ({ path, value }: { path: string; value: string }) =>
  `The file ${path} cannot be read: ${value}.`;
export const idTwice = ({ name, id, holder }: { name: string; id: number; holder: string }) =>
  `The ${name} ${id} occurs more than once, first in ${holder}.`;
export const valueRequired = 'A value is required.';
export const notChecked =
  'It may look up values of rows that are refused: correct these first, then load it again.';
export const valueTaken = (holder: string) =>
  `The value is already in ${holder}; it must be unique.`;

export const valuesTaken = ({ columns, holder }: { columns: string; holder: string }) =>
  `The values of ${columns} are already in ${holder}; together they must be unique.`;

/** The summary of an archive or table. `counts` are texts such as `newDocuments`. */
export const summary = (of: Named & { counts: readonly string[] }) =>
  of.kind === 'archive'
    ? `Archive ${of.name}: ${of.counts.join(', ')}.`
    : `Table ${of.name}: ${of.counts.join(', ')}.`;
export const newSummary = (of: Named & { counts: readonly string[] }) =>
  of.kind === 'archive'
    ? `Archive ${of.name} (new): ${of.counts.join(', ')}.`
    : `Table ${of.name} (new): ${of.counts.join(', ')}.`;
export const newDocuments = (count: number) =>
  plural(count, { one: '1 document new', other: `${formatCount(count)} documents new` });
export const newDatasets = (count: number) =>
  plural(count, { one: '1 dataset new', other: `${formatCount(count)} datasets new` });
export const unchangedRows = (count: number) =>
  plural(count, {
    one: '1 exists unchanged',
    other: `${formatCount(count)} exist unchanged`,
  });
export const differentRows = (count: number) =>
  plural(count, {
    one: '1 exists and differs from the file (kept)',
    other: `${formatCount(count)} exist and differ from the file (kept)`,
  });
export const deletedRows = (count: number) =>
  plural(count, {
    one: '1 was deleted since (not restored)',
    other: `${formatCount(count)} were deleted since (not restored)`,
  });
export const attachedFiles = (count: number) => `${counts.files(count)} attached to what exists`;
export const skippedRows = ({ count, files }: { count: number; files: readonly string[] }) =>
  plural(count, {
    one: `1 bad row skipped, see ${files.join(' and ')}`,
    other: `${formatCount(count)} bad rows skipped, see ${files.join(' and ')}`,
  });
export const newUsers = (count: number) => `${counts.users(count)} new`;
export const unchangedUsers = (count: number) => `${count} exist unchanged`;
export const differentUsers = (count: number) => `${count} exist and differ (kept)`;
export const newGroups = (count: number) =>
  plural(count, { one: '1 group new', other: `${formatCount(count)} groups new` });
export const extendedGroups = (count: number) => `${count} with rights on what is new`;
export const keptGroups = (count: number) => `${count} exist (kept)`;
export const noRowsLoaded = ({ kind, name }: Named) =>
  kind === 'archive'
    ? `No rows of the archive ${name} were loaded.`
    : `No rows of the table ${name} were loaded.`;
export const nothingLoaded = ({ kind, name }: Named) =>
  kind === 'archive'
    ? `Nothing of the archive ${name} was loaded.`
    : `Nothing of the table ${name} was loaded.`;
/** `remark` is a text of this file, about the archive or table of this name. */
export const remarkOn = ({ name, remark }: { name: string; remark: string }) =>
  `${name}: ${remark}`;
export const waitingForTable = (name: string) => `${name}: in use, waiting to add its fields`;
export const makingIndex = ({ name, index }: { name: string; index: string }) =>
  `${name}: creating the index ${index}`;
export const rowsRead = (of: { name: string; count: number; percent: number }) =>
  `${of.name}: ${counts.rows(of.count)}, ${of.percent} %`;
export const moreBadRows = ({ name, count }: { name: string; count: number }) =>
  plural(count, {
    one: `${name}: 1 further bad row.`,
    other: `${name}: ${formatCount(count)} further bad rows.`,
  });
export const moreProblems = (count: number) =>
  plural(count, { one: '1 further problem.', other: `${formatCount(count)} further problems.` });
export const quoteEndMisplaced = {
  comma: (row: string) => `${row} contains something between a closing quote and the next comma.`,
  separator: (row: string) =>
    `${row} contains something between a closing quote and the next separator.`,
};
/** the row of a CSV file in which an error is */
export const rowAt = ({ path, line }: { path: string; line: number }) =>
  `${path}: the row that begins in line ${line}`;

/** Problems of a definition file, behind their path. */
export const problemAt = ({ path, problem }: { path: string; problem: string }) =>
  `${path}: ${problem}`;
export const mustBe = (expected: string) => `It must be ${kindInWords(expected)}.`;
export const neededAs = (expected: string) => `It is needed, and must be ${kindInWords(expected)}.`;
export const textNeeded = 'It is needed, and must be text.';
export const mustBeText = 'It must be text.';
export const creatingIndexes = (name: string) => `${name}: creating indexes`;
interface Options {
  readonly name: string;
  readonly field: string;
}
export const noTableOfOptions = ({ name, field, table }: Options & { table: string }) =>
  `${name}, ${field}: there is no table ${table} for its options.`;
export const noColumnOfOptions = ({
  name,
  field,
  table,
  column,
}: Options & { table: string; column: string }) =>
  `${name}, ${field}: the table ${table} has no column ${column}.`;
export const noFieldToFill = ({ name, field, filled }: Options & { filled: string }) =>
  `${name}, ${field}: the field ${filled} to fill does not exist.`;
export const viewProblem = ({
  collection,
  view,
  problem,
}: {
  collection: string;
  view: string;
  problem: string;
}) => `${collection}, the view ${view}: ${problem}`;
