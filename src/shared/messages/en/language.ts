import { createPlural } from '../plural.ts';

/** Chooses the form of a text for a count: `plural(count, { one: '1 row', other: `${formatCount(count)} rows` })`. */
export const plural = createPlural<'one' | 'other'>('en');
