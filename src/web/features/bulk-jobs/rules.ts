import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { parseValue } from '#shared/values/values.ts';

export type FieldOfArchive = ArchiveDetail['indexFieldDefinitions'][number];

/** What can be done with a field, in the order it is offered. */
const WAYS = [
  'set',
  'clear',
  'replace',
  'replacePattern',
  'prepend',
  'append',
  'trim',
  'case',
  'copy',
  'parse',
] as const;
export type Way = (typeof WAYS)[number];

/** Ways that make sense for texts alone. */
const TEXT_WAYS: ReadonlySet<Way> = new Set([
  'replace',
  'replacePattern',
  'prepend',
  'append',
  'trim',
  'case',
]);

export const WAY_LABELS: Readonly<Record<Way, string>> = {
  set: 'Set to',
  clear: 'Clear',
  replace: 'Replace text',
  replacePattern: 'Replace a pattern',
  prepend: 'Add prefix',
  append: 'Add suffix',
  trim: 'Trim spaces',
  case: 'Change case',
  copy: 'Copy from another field',
  parse: 'Read a number or date from text',
};

/** A rule as it is being written: everything that was typed stays, whichever way is chosen. */
export interface RuleDraft {
  readonly key: number;
  readonly field: FieldOfArchive;
  readonly way: Way;
  readonly value: string | null;
  readonly text: string;
  readonly find: string;
  readonly to: string;
  readonly matchCase: boolean;
  readonly capitals: 'upper' | 'lower' | 'title' | 'sentence';
  readonly from: string | null;
  readonly decimal: '.' | ',' | null;
  readonly order: 'dmy' | 'mdy' | 'ymd' | null;
}

export function waysFor(field: FieldOfArchive): Way[] {
  return WAYS.filter((way) => (field.type === 'text' ? way !== 'parse' : !TEXT_WAYS.has(way)));
}

export function newRule(key: number, field: FieldOfArchive): RuleDraft {
  return {
    key,
    field,
    way: 'set',
    value: null,
    text: '',
    find: '',
    to: '',
    matchCase: true,
    capitals: 'title',
    from: null,
    decimal: null,
    order: null,
  };
}

export type RuleSaid =
  | { readonly ok: true; readonly rule: BulkEdit }
  /** what is still to be said, or wrong */
  | { readonly ok: false; readonly message: string };

/** The rule that a draft stands for. */
export function ruleOf(draft: RuleDraft): RuleSaid {
  const { field: definition, way } = draft;
  const field = definition.name;
  const missing = (message: string): RuleSaid => ({ ok: false, message });
  const said = (rule: BulkEdit): RuleSaid => ({ ok: true, rule });
  switch (way) {
    case 'set': {
      if (draft.value === null) return missing('Enter a value.');
      const parsed = parseValue(definition, draft.value);
      return parsed.ok ? said({ field, do: way, value: parsed.value }) : missing(parsed.message);
    }
    case 'clear':
      return definition.required
        ? missing('A value is required in this field.')
        : said({ field, do: way });
    case 'prepend':
    case 'append':
      return draft.text === ''
        ? missing('Enter a text.')
        : said({ field, do: way, text: draft.text });
    case 'replace': {
      const { find, to, matchCase } = draft;
      return find === ''
        ? missing('Enter the text to find.')
        : said({ field, do: way, find, with: to, matchCase });
    }
    case 'replacePattern': {
      const { find, to, matchCase } = draft;
      return find === ''
        ? missing('Enter the pattern to find.')
        : said({ field, do: way, pattern: find, with: to, matchCase });
    }
    case 'trim':
      return said({ field, do: way });
    case 'case':
      return said({ field, do: way, to: draft.capitals });
    case 'copy':
      return draft.from === null
        ? missing('Choose the field to copy from.')
        : said({ field, do: way, from: draft.from });
    case 'parse': {
      if (draft.from === null) return missing('Choose the field to read from.');
      const { from, decimal, order } = draft;
      return said({
        field,
        do: way,
        from,
        decimal,
        order,
      });
    }
    default:
      return way satisfies never;
  }
}

type AnsweredRule = AnsweredBulkEdit['edits'][number];

/** A rule in words, for lists of what was done. */
export function ruleInWords({ fields }: Pick<BulkTarget, 'fields'>, rule: AnsweredRule): string {
  const said = (key: string): string => {
    const value: unknown = rule[key];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
  };
  return `${labelOf(fields, rule.field)}: ${doneInWords(fields, rule.do, said)}`;
}

function doneInWords(
  fields: BulkTarget['fields'],
  way: string,
  said: (key: string) => string,
): string {
  switch (way) {
    case 'set':
      return said('value') === '' ? 'set to no value' : `set to “${said('value')}”`;
    case 'clear':
      return 'cleared';
    case 'prepend':
      return `prefix “${said('text')}” added`;
    case 'append':
      return `suffix “${said('text')}” added`;
    case 'replace':
      return `“${said('find')}” replaced by “${said('with')}”`;
    case 'replacePattern':
      return `pattern “${said('pattern')}” replaced by “${said('with')}”`;
    case 'trim':
      return 'spaces trimmed';
    case 'case':
      return `case changed (${said('to')})`;
    case 'copy':
      return `copied from ${labelOf(fields, said('from'))}`;
    case 'parse':
      return said('from') === '' ? 'read as a value' : `read from ${labelOf(fields, said('from'))}`;
    default:
      return way;
  }
}

export const CAPITALS: Readonly<Record<RuleDraft['capitals'], string>> = {
  upper: 'UPPERCASE',
  lower: 'lowercase',
  title: 'Capitalize Each Word',
  sentence: 'Sentence case',
};

function labelOf(fields: BulkTarget['fields'], name: string): string {
  return fields.find((field) => field.name === name)?.label ?? name;
}
