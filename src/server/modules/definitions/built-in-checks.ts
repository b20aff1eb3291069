import type { CheckPart } from '#server/database/records/check.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import {
  ruleKind,
  type FieldNode,
  type RuleKind,
  type RuleNode,
} from '#shared/checks/rule-tree.ts';
import type { BuiltInCheck } from '#shared/rules/check-words.ts';
import { CANONICAL_NUMBER } from '#shared/values/exact-numbers.ts';
import { plainDecimal } from '#shared/values/plain-numbers.ts';
import { parsePattern } from '#shared/values/parse-pattern.ts';
import { DEFAULT_SCALE } from '#shared/values/decimal.ts';
import { hasRule, isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { optionsColumn } from '../records/options-column.ts';

type Field = Collection['fields'][number];

/** The conditions of the checks that every archive and table has (docs/interface/checks.md, section 1), one per field. */
export function builtInParts(
  check: BuiltInCheck,
  { kind, fields }: Collection,
  tables: readonly Table[],
): CheckPart[] {
  switch (check) {
    case '_required':
      return fields
        .filter(({ required }) => required)
        .map((field) =>
          partOf(field, { op: 'not', operand: { op: 'empty', field: nodeOf(field) } }),
        );
    case '_rules':
      return fields.flatMap((field) => {
        const rules = rulesOf(field);
        const [first, ...others] = rules;
        if (!first) return [];
        return [partOf(field, others.length === 0 ? first : { op: 'and', operands: rules })];
      });
    case '_lookup':
      return fields.flatMap((field) => {
        const found = field.optionsFrom && optionsColumn(field.optionsFrom, tables);
        const rule = found && lookupRule(field, found.table, found.column);
        return rule ? [partOf(field, rule)] : [];
      });
    case '_future':
      return fields.flatMap((field) => {
        const rule = notAfterToday(field);
        const measure = { kind: 'future', field: field.number } as const;
        return rule ? [{ ...partOf(field, rule), measure }] : [];
      });
    case '_outlier':
      return fields.flatMap((group) =>
        group.optionsFrom
          ? fields
              .filter((field) => ruleKind(field.type) === 'number' && field !== group)
              .map((field) => ({
                fields: [field.name],
                uses: [field.name, group.name],
                rule: null,
                measure: { kind: 'outlier', field: field.number, group: group.number } as const,
              }))
          : [],
      );
    case '_page':
      return fields
        .filter((field) => kind === 'archive' && 'onPage' in field && field.onPage === true)
        .map((field) => ({
          fields: [field.name],
          uses: [field.name],
          rule: null,
          measure: { kind: 'page', field: field.number } as const,
        }));
    default:
      return check satisfies never;
  }
}

function partOf({ name }: Field, rule: RuleNode): CheckPart {
  return { fields: [name], uses: [name], rule, measure: null };
}

function nodeOf({ name, type }: Field): FieldNode {
  return { op: 'field', kind: ruleKind(type), name };
}

/** Whether a column has the value of a field; null: their types cannot be compared. */
function lookupRule(
  field: Field,
  { guid }: Table,
  column: Table['fields'][number],
): RuleNode | null {
  const [operand, by] = [nodeOf(field), ruleKind(column.type)];
  const lookup = (compared: RuleNode): RuleNode => {
    const reference = { table: guid, column: column.name };
    return { op: 'inColumn', by, operand: compared, reference };
  };
  if (by === operand.kind) return lookup(operand);
  if (by === 'text' && operand.kind === 'number') return lookup({ op: 'textOf', operand });
  if (by !== 'number' || operand.kind !== 'text') return null;
  const isNumber: RuleNode = { op: 'matches', operand, pattern: CANONICAL_NUMBER };
  return { op: 'and', operands: [isNumber, lookup({ op: 'numberOf', operand })] };
}

/** The rules of today's definition for a value, except `required`. */
function rulesOf(field: Field): RuleNode[] {
  const [operand, by] = [nodeOf(field), ruleKind(field.type)];
  const rules: RuleNode[] = [];
  const compare = (left: RuleNode, operator: '=' | '<=' | '>=', right: RuleNode, kind: RuleKind) =>
    rules.push({ op: 'compare', operator, by: kind, left, right });
  if (field.options) {
    const values = field.options
      .filter((value) => value !== null && value !== '')
      .map((value) => valueNode(by, value));
    if (values.length > 0) rules.push({ op: 'in', by, operand, values });
  }
  if (isText(field)) {
    if (field.maxLength !== null) {
      compare({ op: 'length', operand }, '<=', valueNode('number', field.maxLength), 'number');
    }
    if (field.pattern !== null && parsePattern(field.pattern).ok) {
      rules.push({ op: 'matches', operand, pattern: field.pattern });
    }
  }
  if (hasRule(field.type, 'scale')) {
    const places = field.scale ?? DEFAULT_SCALE;
    compare({ op: 'round', operand, places }, '=', operand, 'number');
  }
  if (field.min !== null) compare(operand, '>=', valueNode(by, field.min), by);
  if (field.max !== null) compare(operand, '<=', valueNode(by, field.max), by);
  return rules;
}

function valueNode(kind: RuleKind, value: Scalar): RuleNode {
  return {
    op: 'value',
    kind,
    value: typeof value === 'number' ? plainDecimal(value) : value,
  };
}

function notAfterToday(field: Field): RuleNode | null {
  const kind = ruleKind(field.type);
  const operand = nodeOf(field);
  const right: RuleNode = { op: 'clock', kind: 'date' };
  const compare = { op: 'compare', operator: '<=', by: 'date', right } as const;
  if (kind === 'date') return { ...compare, left: operand };
  return kind === 'datetime' ? { ...compare, left: { op: 'dayOf', operand } } : null;
}
