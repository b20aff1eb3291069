/** What is wrong with rows of an import or a large paste: stored with its plan. */
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
export const ambiguous = 'The value can be read in several ways.';
