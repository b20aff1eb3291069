import type { Dataset } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { shownValue } from '#web/fields/value-text.ts';

/** How many values distinguish records. */
const MAX_VALUES = 3;

/** The first values of a record, which identify it for people: `Bolt · 5 · open`; '' if it has none. */
export function recordLabel(
  columns: readonly Column[],
  valueOf: (name: string) => Dataset[string] | undefined,
): string {
  return columns
    .map((column) => shownValue(column, valueOf(column.name) ?? null))
    .filter((text) => text !== '')
    .slice(0, MAX_VALUES)
    .join(' · ');
}
