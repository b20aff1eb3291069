/** The checks of a list, where clerks work. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const checks = 'Checks';
/** the name of the button, which shows the number */
export const checksWithFindings = (count: number) =>
  plural(count, {
    one: 'Checks, 1 with findings',
    other: `Checks, ${formatCount(count)} with findings`,
  });
export const withoutFindings = 'Records without findings';
export const findings = 'What checks find';
export const noChecks = 'There are no checks.';
export const notRead = (reason: string) => `The checks could not be loaded. ${reason}`;
/** of a check whose findings cannot be saved */
export const blocks = 'Blocks saving';
export const warns = 'Warning';
export const count = (count: number) => formatCount(count);
export const beingCounted = 'being counted';
/** while records are counted */
export const atLeast = (count: number) => `≥ ${formatCount(count)}`;
/** on a check on duplicates: shows the records next to each other */
export const compare = 'Compare';
export const compareOf = (label: string) => `Compare: ${label}`;
/** on a check: starts a queue of the records with findings */
export const correctThese = 'Correct these';
/** on a check: shows its field in all records with findings, next to clippings of their pages */
export const reviewThese = 'Review next to the pages';
export const reviewTheseOf = (label: string) => `Review next to the pages: ${label}`;
export const correctTheseOf = (label: string) => `Correct these: ${label}`;
/** link to the page with plots */
export const figures = 'Figures…';
