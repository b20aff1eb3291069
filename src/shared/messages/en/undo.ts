/** What undoing leaves as it is. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const unreverted = (count: number) =>
  plural(count, {
    one: 'One value or record stays as it is: it was edited since.',
    other: `${formatCount(count)} values or records stay as they are: they were edited since.`,
  });
export const unrevertedList = 'Not undone';
/** @param subject the record and its column */
export const changedBy = <Part>(subject: Part, person: Part, at: string) =>
  rich`${subject} by ${person}, ${at}`;
export const deletedBy = <Part>(subject: Part, person: Part, at: string) =>
  rich`${subject}, deleted by ${person}, ${at}`;
export const moreUnreverted = (count: number) => `and ${formatCount(count)} more`;
export const close = 'Close';
