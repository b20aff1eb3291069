/** The page that shows one field of many records beside clippings of their documents. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const title = ({ field, of }: { field: string; of: string }) => `${field} in ${of}`;
export const keySection = 'One field';
export const toList = 'Back to the list';
export const tools = 'Review';
export const field = 'Field';
export const records = (label: string) => `${label} of each record`;
export const previousGroup = 'Previous records';
export const nextGroup = 'Next records';
export const range = ({ first, last, total }: { first: number; last: number; total: number }) =>
  `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)}`;
export const progress = ({ right, corrected }: { right: number; corrected: number }) =>
  `${formatCount(right)} right · ${formatCount(corrected)} corrected`;
export const larger = 'Larger clippings';
export const plan = (count: number) =>
  count === 0
    ? 'Preview corrections'
    : plural(count, {
        one: 'Preview 1 correction',
        other: `Preview ${formatCount(count)} corrections`,
      });
export const mendFirst = (id: string) => `Correct the value of revision ${id} first.`;
export const notPlanned = (failure: string) => `The corrections could not be planned. ${failure}`;
export const recordsNotRead = 'The records could not be loaded.';
export const noRecords = 'There are no records to review.';
export const unknownField = 'There is no such field, or you cannot change it.';
export const hints = {
  right: 'right, next',
  type: 'type to correct',
  next: 'next',
  previous: 'back',
  undo: 'undo',
  nextGroup: 'next records',
  larger: 'larger',
};

export const card = ({
  id,
  label,
  state,
}: {
  id: string;
  label: string;
  state: 'right' | 'corrected' | undefined;
}) => {
  if (state === 'right') return `Revision ${id}, ${label}: right`;
  return state === 'corrected' ? `Revision ${id}, ${label}: corrected` : `Revision ${id}, ${label}`;
};
export const valueOf = ({ label, id }: { label: string; id: string }) =>
  `${label} of revision ${id}`;
export const markRight = (id: string) => `Revision ${id} is right`;
export const openRecord = (id: string) => `Open revision ${id}`;
export const locked = 'Somebody has locked it: you can correct it when the lock is released.';
export const was = 'was';
export const gone = 'It was deleted, or you can no longer see it.';
export const notRead = (failure: string) => `The record could not be loaded. ${failure}`;
