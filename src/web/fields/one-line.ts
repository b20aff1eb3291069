import type { ValueRules } from '#shared/values/values.ts';

/** The longest text that one line is enough for. */
export const LONGEST_LINE = 200;

/** Whether the editor of a field has one line, as long as its value has no line break. */
export function isOneLine(rules: Pick<ValueRules, 'type' | 'maxLength' | 'options'>): boolean {
  return (
    rules.type !== 'text' ||
    rules.options !== null ||
    (rules.maxLength ?? Number.POSITIVE_INFINITY) <= LONGEST_LINE
  );
}
