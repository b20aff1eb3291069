import * as texts from '#messages/bulk-rules.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { isText } from '#shared/values/registry.ts';
import { CASES } from '#shared/values/text-edits.ts';
import { DATE_ORDERS, DECIMAL_MARKS } from '#shared/values/value-type.ts';
import { parseField } from '#web/fields/field-model.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { z } from '#web/ui/form/form-schema.ts';

/** The kinds of rules, in the order of the menu. */
const KINDS = [
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
export type BulkRuleKind = (typeof KINDS)[number];

/** Kinds only for texts. */
const TEXT_KINDS: ReadonlySet<BulkRuleKind> = new Set([
  'replace',
  'replacePattern',
  'prepend',
  'append',
  'trim',
  'case',
]);

export function kindsFor(field: IndexFieldDefinition): BulkRuleKind[] {
  return KINDS.filter((kind) => (isText(field) ? kind !== 'parse' : !TEXT_KINDS.has(kind)));
}

/** The inputs of a rule. They keep the typed text when another kind is chosen. */
const ruleSchema = z.object({
  field: z.string(),
  kind: z.enum(KINDS),
  value: z.nullable(z.string()),
  text: z.string(),
  find: z.string(),
  to: z.string(),
  matchCase: z.boolean(),
  letterCase: z.enum(CASES),
  from: z.nullable(z.string()),
  decimal: z.nullable(z.enum(DECIMAL_MARKS)),
  order: z.nullable(z.enum(DATE_ORDERS)),
});
type RuleValues = z.infer<typeof ruleSchema>;

export interface RulesForm {
  rules: RuleValues[];
}

export function newRule(field: IndexFieldDefinition): RuleValues {
  return {
    field: field.name,
    kind: 'set',
    value: null,
    text: '',
    find: '',
    to: '',
    matchCase: true,
    letterCase: 'title',
    from: null,
    decimal: null,
    order: null,
  };
}

/** The schema of the form: the required inputs of a rule depend on its kind and on its field's definition. */
export function rulesSchemaOf(fields: readonly IndexFieldDefinition[]) {
  return z.object({ rules: z.array(ruleSchema) }).check(({ value, issues }) => {
    for (const [index, rule] of value.rules.entries()) {
      const edit = editOf(fields, rule);
      if (typeof edit !== 'string') continue;
      issues.push({ code: 'custom', input: rule, path: ['rules', index, 'kind'], message: edit });
    }
  });
}

/** Converts the rules of a valid form to the edits of a request. */
export function editsOf(fields: readonly IndexFieldDefinition[], { rules }: RulesForm): BulkEdit[] {
  return rules.flatMap((rule) => {
    const edit = editOf(fields, rule);
    return typeof edit === 'string' ? [] : [edit];
  });
}

/** Converts a rule to an edit, or returns a message about a missing input. */
function editOf(fields: readonly IndexFieldDefinition[], rule: RuleValues): BulkEdit | string {
  const { field, kind, value, text, find, to, matchCase, from, decimal, order } = rule;
  const definition = fields.find(({ name }) => name === field);
  switch (kind) {
    case 'set': {
      if (value === null || !definition) return texts.needsValue;
      const parsed = parseField(definition, value);
      return parsed.ok ? { field, do: kind, value: parsed.value } : parsed.message;
    }
    case 'clear':
      return definition?.required ? texts.needsRequiredValue : { field, do: kind };
    case 'prepend':
    case 'append':
      return text === '' ? texts.needsText : { field, do: kind, text };
    case 'replace':
      return find === '' ? texts.needsFind : { field, do: kind, find, with: to, matchCase };
    case 'replacePattern':
      return find === ''
        ? texts.needsPattern
        : { field, do: kind, pattern: find, with: to, matchCase };
    case 'trim':
      return { field, do: kind };
    case 'case':
      return { field, do: kind, to: rule.letterCase };
    case 'copy':
      return from === null ? texts.needsFieldToCopy : { field, do: kind, from };
    case 'parse':
      return from === null ? texts.needsFieldToRead : { field, do: kind, from, decimal, order };
    default:
      return kind satisfies never;
  }
}
