import type { Dataset } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { shownValue } from '#web/fields/value-text.ts';

/** So many values tell one record from another. */
const SHOWN = 3;

/** The first values of a record, by which people know it: `Bolt · 5 · open`; '' where it holds none. */
export function recordWords(
  columns: readonly Column[],
  valueOf: (name: string) => Dataset[string] | undefined,
): string {
  return columns
    .map((column) => shownValue(column, valueOf(column.name) ?? null))
    .filter((text) => text !== '')
    .slice(0, SHOWN)
    .join(' · ');
}
