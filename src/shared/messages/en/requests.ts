import { formatCount } from '../format.ts';
export const revisionIdInvalid = 'A revisionId is a positive whole number.';
export const jridInvalid = 'A jrid is a whole number.';
export const noRevision = 'At least one revision is needed.';
export const idsMissing = (what: string) => `A list of ids of ${what} is needed.`;
export const tooManyIds = ({ max, what }: { max: number; what: string }) =>
  `At most ${formatCount(max)} ${what} can be named.`;
export const notAnObjectOfValues = 'An object of column values is needed.';
export const noDataset = 'At least one dataset is needed.';
export const historyIdInvalid = 'A historyId is a positive whole number.';
export const notACell = 'A cell is a text, a number, true, false or null.';
export const noColumn = 'At least one column is needed.';
export const noRow = 'At least one row is needed.';
export const nameInvalid = (max: number) =>
  `A name has 1 to ${max} characters and no control characters.`;
export const tooLong = (most: number) => `At most ${most} characters.`;
export const reasonBlank = 'A reason must not be blank.';
export const hasNul = 'The NUL character is not allowed.';
export const filterOrIds = 'Either “filter” or “revisionIds” is needed.';
export const positionInvalid = 'A position is a whole number from 0.';
