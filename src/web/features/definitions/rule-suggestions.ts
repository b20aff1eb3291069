import { FUNCTIONS } from '#shared/checks/rule-syntax.ts';

/** Words of the language that have no brackets. */
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
  /** what of the rule it replaces: from here to the cursor */
  readonly from: number;
}

/**
 * What can stand where someone types a rule: names of fields, columns behind `in`, functions and words.
 * @param before the rule up to the cursor
 */
export function suggestInRule(
  before: string,
  fields: readonly string[],
  columns: readonly string[],
): RuleSuggestion[] {
  // In a text between quotes nothing is offered.
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
