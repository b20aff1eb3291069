/** The button that starts a queue. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const correctThese = 'Correct these';
export const correctCount = (count: number) =>
  plural(count, { one: 'Correct this one', other: `Correct these ${formatCount(count)}` });
export const correctTheseFromFirst = 'Correct these from the first';
export const correctCountFromFirst = (count: number) =>
  plural(count, {
    one: 'Correct this one from the first',
    other: `Correct these ${formatCount(count)} from the first`,
  });
export const oneAfterTheOther = (key: string) => `One after the other  ${key}`;
export const queuesAndFlags = 'Queues and flags';
