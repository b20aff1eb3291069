import { createPlural } from '../plural.ts';

/** Chooses the form of a text for a count: `plural(count, { one: '1 row', other: `${formatCount(count)} rows` })`. */
export const plural = createPlural<'one' | 'other'>('en');

/** Ends a sentence whose last word is data, which may already end with a full stop: `In Amount, No.` */
export function endSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
