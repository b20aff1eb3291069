import { fold } from '#shared/values/fold.ts';

/** The options whose texts contain a typed text, ignoring case and accents; those that begin with it first. */
export function filterByText<Option>(
  options: readonly Option[],
  typed: string,
  textOf: (option: Option) => string,
): readonly Option[] {
  const folded = fold(typed.trim());
  const matches = options.filter((option) => fold(textOf(option)).includes(folded));
  const begins = matches.filter((option) => fold(textOf(option)).startsWith(folded));
  return [...begins, ...matches.filter((option) => !begins.includes(option))];
}
