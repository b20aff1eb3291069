/** What is wrong with rows of an import or a large paste: stored with its plan. */
import { formatCount } from '#shared/messages/format.ts';
import { plural } from '../language.ts';

interface Twice {
  readonly first: number;
  readonly line: number;
}

export const jridInvalid = 'The jrid is not a whole number.';
export const noRecord = (id: number) => `There is no record ${id}.`;
export const noRecordWith = ({ label, value }: { label: string; value: string }) =>
  `There is no record whose ${label} is “${value}”.`;
export const namesNoRecord = (line: number) => `Row ${line}: no value identifies the record.`;
export const recordTwice = {
  file: ({ first, line }: Twice) =>
    `The record occurs in the file twice: in row ${first} and in row ${line}.`,
  paste: ({ first, line }: Twice) =>
    `The record occurs in the paste twice: in row ${first} and in row ${line}.`,
};
export const recordExists = ({ line, id }: { line: number; id: number }) =>
  `Row ${line}: record ${id} already exists, and this import only creates records.`;
export const takenByRow = {
  file: (line: number) => `Row ${line} of the file already has this value; it must be unique.`,
  paste: (line: number) => `Row ${line} of the paste already has this value; it must be unique.`,
};
export const takenByRecord = (id: number) =>
  `The value is already in record ${id}; it must be unique.`;
export const revisionTwice = (line: number) =>
  `The revision occurs in the file twice, again in row ${line}.`;
interface Width {
  readonly values: number;
  readonly columns: number;
}
export const rowTooShort = (width: Width) =>
  `The row has ${widthInWords(width)}. Add the missing values, which may be empty, and check the row again.`;
/** Of a cell that a row with too few values does not have. */
export const valueMissing =
  'The row has no value here. Enter one, or check the row again to leave it empty.';
export const rowTooLong = (width: Width) =>
  `The row has ${widthInWords(width)}. Put values that contain the separator in double quotes.`;
function widthInWords({ values, columns }: Width): string {
  const named = plural(columns, { one: '1 column', other: `${formatCount(columns)} columns` });
  return `${plural(values, { one: '1 value', other: `${formatCount(values)} values` })}, the header has ${named}`;
}
export const ambiguous = 'The value can be read in several ways.';
