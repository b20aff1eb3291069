import { keywordFieldName } from '#shared/rules/names.ts';
import * as texts from '#messages/bulk-rules.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';

type AnsweredRule = AnsweredBulkEdit['edits'][number];

/** A rule as text, for lists of bulk edits. */
export function ruleText(
  { fields, keywordFields }: Pick<BulkTarget, 'fields' | 'keywordFields'>,
  rule: AnsweredRule,
): string {
  const labelOf = (name: string) =>
    fields.find((field) => field.name === name)?.label ??
    keywordFields.find((field) => keywordFieldName(field.name) === name)?.label ??
    name;
  const operand = (key: string): string => {
    const value: unknown = rule[key];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
  };
  const label = labelOf(rule.field);
  const replacements: unknown = rule['replacements'];
  if (Array.isArray(replacements)) {
    return texts.applied({ label, change: texts.valuesCorrected(replacements.length) });
  }
  return texts.applied({ label, change: changeText(rule.do, operand, labelOf) });
}

function changeText(
  kind: string,
  operand: (key: string) => string,
  labelOf: (name: string) => string,
): string {
  switch (kind) {
    case 'set':
      return operand('value') === '' ? texts.setToNothing : texts.setTo(operand('value'));
    case 'clear':
      return texts.cleared;
    case 'prepend':
      return texts.prefixed(operand('text'));
    case 'append':
      return texts.suffixed(operand('text'));
    case 'replace':
      return texts.replaced({ find: operand('find'), by: operand('with') });
    case 'replacePattern':
      return texts.patternReplaced({ find: operand('pattern'), by: operand('with') });
    case 'trim':
      return texts.trimmed;
    case 'case':
      return texts.caseChanged(operand('to'));
    case 'copy':
      return texts.copied(labelOf(operand('from')));
    case 'parse':
      return operand('from') === '' ? texts.read : texts.readFromField(labelOf(operand('from')));
    default:
      return kind;
  }
}
