import { fold } from '#shared/values/fold.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { filterByText } from '#web/ui/inputs/filter-by-text.ts';

/** The options of a field as texts; an empty value is not among them. */
export function choicesOf(options: readonly Scalar[]): string[] {
  return [
    ...new Set(
      options.flatMap((option) => (option === null || option === '' ? [] : [String(option)])),
    ),
  ];
}

/** The choices that contain the typed text, ignoring case and accents; those that begin with it first. */
export function filterChoices(choices: readonly string[], typed: string): readonly string[] {
  return filterByText(choices, typed, (choice) => choice);
}

/**
 * The choice that a text means: an equal one, one equal except for case and accents, or the only one that contains
 * it; else null.
 */
export function matchingChoice(choices: readonly string[], typed: string): string | null {
  const wanted = fold(typed.trim());
  if (wanted === '') return null;
  if (choices.includes(typed)) return typed;
  const found = filterChoices(choices, typed);
  const same = found.filter((choice) => fold(choice) === wanted);
  const [only, ...others] = same.length > 0 ? same : found;
  return only !== undefined && others.length === 0 ? only : null;
}
