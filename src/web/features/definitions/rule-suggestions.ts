import { FUNCTIONS } from '#shared/checks/rule-syntax.ts';

/** Keywords of the language without parentheses. */
const WORDS = [
  'and',
  'or',
  'not',
  'in',
  'between',
  'contains',
  'starts with',
  'ends with',
  'matches',
  'today',
  'now',
  'true',
  'false',
];

const MAX_SUGGESTIONS = 8;

interface RuleSuggestion {
  readonly text: string;
  /** the start of the text that it replaces, up to the cursor */
  readonly from: number;
}

/**
 * Completions for a rule at the cursor: names of fields, columns after `in`, functions and keywords.
 * @param before the rule up to the cursor
 */
export function suggestInRule(
  before: string,
  fields: readonly string[],
  columns: readonly string[],
): RuleSuggestion[] {
  // No suggestions inside a quoted text.
  if ((before.match(/'/g)?.length ?? 0) % 2 === 1) return [];
  const word = /[A-Za-z_][A-Za-z0-9_.]*$/.exec(before)?.[0] ?? '';
  const isLookup = /\bin\s+[A-Za-z0-9_.]*$/i.test(before);
  const known = isLookup
    ? columns
    : [...fields, ...Object.keys(FUNCTIONS).map((name) => `${name}(`), ...WORDS];
  const typed = word.toLowerCase();
  const from = before.length - word.length;
  return known
    .filter((text) => text.toLowerCase().startsWith(typed) && text.toLowerCase() !== typed)
    .slice(0, MAX_SUGGESTIONS)
    .map((text) => ({ text, from }));
}
