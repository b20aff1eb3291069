/** What a load reports about a definition file and its rows. */
export const cannotRead = (path: string) => `${path} cannot be read.`;
export const fileBadRowsCannotWritten = ({ path, value }: { path: string; value: string }) =>
  `The file ${path} for bad rows cannot be written: ${value}.`;
export const no = ({
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
export const directoryNotCsvFile = (path: string) => `${path} is a directory, not a CSV file.`;
export const notEncodedAfterLineSave = ({
  path,
  name,
  line,
}: {
  path: string;
  name: string;
  line: number;
}) =>
  `${path} is not encoded in ${name} (after line ${line}). Save it as UTF-8, or name its encoding by "format".`;
export const holdsQuoteNotClosed = (row: string) => `${row} holds a quote that is not closed.`;
export const holdsQuoteWithinValueDoes = (row: string) =>
  `${row} holds a quote within a value that does not begin with one; write it twice and put the value in quotes.`;
export const longer64MibQuoteNot = (row: string) =>
  `${row} is longer than 64 MiB; a quote may not be closed.`;
export const notCsv = ({ row, message }: { row: string; message: string }) =>
  `${row} is not CSV: ${message}.`;
export const notGzipFileDamagedAfter = ({ path, line }: { path: string; line: number }) =>
  `${path} is not a gzip file, or is damaged (after line ${line}).`;
export const notClearHowMeantSay = ({ header, question }: { header: string; question: string }) =>
  `${header}: it is not clear how “${question}” is meant. Say it in the definition file, such as "format": {"locale": "de-DE"}.`;
export const valuesWrittenOtherwiseRead = ({
  header,
  example,
  value,
}: {
  header: string;
  example: string;
  value: string;
}) => `${header}: values are written otherwise; “${example}” is read${value}.`;
export const emptyFirstLineNameColumns = (path: string) =>
  `${path} is empty; its first line must name the columns.`;
export const rowValuesHeaderNamesColumns = ({ count, count2 }: { count: number; count2: number }) =>
  `The row has ${count} values, the header names ${count2} columns.`;
export const valueReadSeveralWays = 'The value can be read in several ways.';
export const readFormatSayOtherwise = ({ name, value }: { name: string; value: string }) =>
  `${name} is read with ${value}; "format" can say otherwise.`;
export const notFileStays = ({ what, name }: { what: string; name: string }) =>
  `The ${what} ${name} is not in the file; it stays.`;
export const staysFileSays = ({
  whose,
  key,
  before,
  after,
}: {
  whose: string;
  key: string;
  before: string;
  after: string;
}) => `${whose}${key} stays ${before}; the file says ${after}.`;
export const file = 'The file';
export const noSuchKeyKeysHere = ({ value, value2 }: { value: string; value2: string }) =>
  `There is no such key as ${value}. The keys here are: ${value2}.`;
export const one = (value: string) => `It must be one of: ${value}.`;
export const least = (minimum: string) => `It must have at least ${minimum}.`;
export const most = (maximum: string) => `It must have at most ${maximum}.`;
export const noneFormsKnownHere = 'It has none of the forms that are known here.';
export const definedTwice = ({ what, name }: { what: string; name: string }) =>
  `The ${what} ${name} is defined twice.`;
export const notGoodDefinitionFileNothing = (path: string) =>
  `${path} is not a good definition file; nothing was loaded.`;
export const notEncodedUtf8Save = (path: string) =>
  `${path} is not encoded in UTF-8. Save it as UTF-8.`;
export const indexdeskDefinitionFile = 'Indexdesk definition file';
export const documentLocked = (by: string) => `The document is locked by ${by}.`;
export const notFile = (path: string) => `${path} is not a file.`;
export const nothingTakenFrom = ({
  count,
  name,
  names,
}: {
  count: string;
  name: string;
  names: string;
}) => `nothing is taken from ${count} of ${name}: ${names}.`;
export const indexFieldNew = (name: string) => `the index field ${name} is new.`;
export const keywordFieldNew = (name: string) => `the keyword field ${name} is new.`;
export const columnNew = (name: string) => `the column ${name} is new.`;
export const retiredNothingLoadedInto = ({ kind, name }: { kind: string; name: string }) =>
  `The ${kind} ${name} was retired; nothing is loaded into it.`;
export const nameGuid = ({
  name,
  kind,
  guid,
  retired,
}: {
  name: string;
  kind: string;
  guid: string;
  retired: string;
}) => `The name ${name} is that of the ${kind} with the GUID ${guid}${retired}.`;
export const user = ({ username, message }: { username: string; message: string }) =>
  `User ${username}: ${message}`;
export const users = (value: string) => `Users: ${value}.`;
export const noRights = ({ kind, name }: { kind: string; name: string }) =>
  `There is no ${kind} ${name} to have rights on.`;
export const displayNameStaysFileSays = ({
  displayName,
  name,
}: {
  displayName: string;
  name: string;
}) => `the display name stays ${displayName}; the file says ${name}.`;
export const roleStaysFileSays = ({ role, role2 }: { role: string; role2: string }) =>
  `the role stays ${role}; the file says ${role2}.`;
export const rightsDifferFromFileStay = 'the rights differ from the file; they stay.';
export const userDisabledStaysSo = 'the user is disabled, and stays so.';
export const viewNew = (view: string) => `the view ${view} is new.`;
export const fileDoesNotExist = (path: string) => `The file ${path} does not exist.`;
export const fileNotRead = (path: string) => `The file ${path} may not be read.`;
export const directoryNotFile = (path: string) => `${path} is a directory, not a file.`;
export const fileCannotRead = ({ path, value }: { path: string; value: string }) =>
  `The file ${path} cannot be read: ${value}.`;
export const givenTwiceFirst = ({
  name,
  id,
  holder,
}: {
  name: string;
  id: number;
  holder: string;
}) => `The ${name} ${id} is given twice, first in ${holder}.`;
export const valueRequired = 'A value is required.';
export const valueAlreadyGivenUnique = (holder: string) =>
  `The value is already given in ${holder}; it must be unique.`;
