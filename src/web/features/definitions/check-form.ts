import {
  type BuiltInCheck,
  IGNORED_IN_DUPLICATES,
  type IgnoredInDuplicates,
  type Severity,
} from '#shared/rules/check-words.ts';
import type { CheckDefinition } from './collection-definition.ts';

/** The form values of a check: typed text. */
export interface CheckValues {
  readonly name: string;
  readonly label: string;
  readonly findsDuplicates: boolean;
  readonly rule: string;
  readonly when: string;
  readonly severity: Severity;
  /** comma-separated names */
  readonly fields: string;
  /** one list of names per line */
  readonly duplicates: string;
  readonly ignore: readonly IgnoredInDuplicates[];
}

/** The form values for the checks of a definition. */
export interface CheckFormValues {
  readonly checks: readonly CheckValues[];
  readonly checksOff: readonly BuiltInCheck[];
}

/** The values of a new check. */
export function newCheckValues(given: Partial<CheckValues>): CheckValues {
  return {
    name: '',
    label: '',
    findsDuplicates: false,
    rule: '',
    when: '',
    severity: 'warn',
    fields: '',
    duplicates: '',
    ignore: [],
    ...given,
  };
}

export function toCheckValues(check: CheckDefinition): CheckValues {
  const { name, label, severity, rule = '', when = '', ignore = [] } = check;
  return {
    name,
    label,
    findsDuplicates: check.duplicates !== undefined,
    rule,
    when,
    severity,
    fields: (check.fields ?? []).join(', '),
    duplicates: linesOfCombinations(check.duplicates ?? []),
    ignore,
  };
}

/** Combinations of fields as text: the names, one combination per line. */
export function linesOfCombinations(combinations: readonly (readonly string[])[]): string {
  return combinations.map((names) => names.join(', ')).join('\n');
}

/** The combinations of fields in a typed text; the inverse of `linesOfCombinations`. */
export function combinationsIn(text: string): string[][] {
  return text
    .split('\n')
    .map(namesIn)
    .filter((names) => names.length > 0);
}

/** The check in the request body of a definition. */
export function checkBody(check: CheckValues) {
  const { name, label, severity, rule, when } = check;
  const ignore = IGNORED_IN_DUPLICATES.filter((difference) => check.ignore.includes(difference));
  const fields = namesIn(check.fields);
  const kind = check.findsDuplicates
    ? {
        duplicates: combinationsIn(check.duplicates),
        ...(ignore.length > 0 ? { ignore } : {}),
      }
    : { rule, severity };
  return {
    name,
    ...(label.trim() === '' ? {} : { label }),
    ...kind,
    ...(when.trim() === '' ? {} : { when }),
    ...(fields.length > 0 ? { fields } : {}),
  };
}

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}
