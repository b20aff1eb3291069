import { type ValueType, valueType } from '../values/registry.ts';
import type { ValueTypeDefinition } from '../values/value-type.ts';
import type { ComparisonOperator } from './rule-syntax.ts';

/** What an expression yields. */
export type RuleKind = ValueTypeDefinition['family'] | 'datetime';

/** The kind that values of a type have in rules. */
export function ruleKind(type: ValueType): RuleKind {
  const { family, isInstant } = valueType(type);
  return isInstant ? 'datetime' : family;
}

/** A column of a table that a rule looks values up in. */
export interface ColumnReference {
  /** the table's GUID */
  readonly table: string;
  /** the column's name in the spelling of the definition */
  readonly column: string;
}

/**
 * A rule with checked names and types: the tree that is evaluated (`compile-rule.ts`) and compiled to SQL. It is plain
 * JSON. A value that is not known, as an operand is empty, is null: the logic is that of SQL with three values.
 */
export type RuleNode =
  /** a number as plain decimal text, others as fields store them; null: not known */
  | {
      readonly op: 'value';
      readonly kind: RuleKind;
      readonly value: string | boolean | null;
    }
  /** the name in the spelling of the definition */
  | { readonly op: 'field'; readonly kind: RuleKind; readonly name: string }
  /** today (`date`) or now (`datetime`) */
  | { readonly op: 'clock'; readonly kind: 'date' | 'datetime' }
  | {
      readonly op: '+' | '-' | '*' | '/';
      readonly left: RuleNode;
      readonly right: RuleNode;
    }
  | { readonly op: 'negate' | 'abs'; readonly operand: RuleNode }
  | { readonly op: 'round'; readonly operand: RuleNode; readonly places: number }
  /** both operands are of the kind `by` */
  | {
      readonly op: 'compare';
      readonly operator: ComparisonOperator;
      readonly by: RuleKind;
      readonly left: RuleNode;
      readonly right: RuleNode;
    }
  | { readonly op: 'and' | 'or'; readonly operands: readonly RuleNode[] }
  | { readonly op: 'not'; readonly operand: RuleNode }
  | {
      readonly op: 'between';
      readonly by: RuleKind;
      readonly operand: RuleNode;
      readonly low: RuleNode;
      readonly high: RuleNode;
    }
  | {
      readonly op: 'in';
      readonly by: RuleKind;
      readonly operand: RuleNode;
      readonly values: readonly RuleNode[];
    }
  | {
      readonly op: 'inColumn';
      readonly by: RuleKind;
      readonly operand: RuleNode;
      readonly reference: ColumnReference;
    }
  /** of texts as they are; the operands of `contains` are folded */
  | {
      readonly op: 'contains' | 'startsWith' | 'endsWith';
      readonly operand: RuleNode;
      readonly part: RuleNode;
    }
  | { readonly op: 'matches'; readonly operand: RuleNode; readonly pattern: string }
  | { readonly op: 'empty'; readonly field: FieldNode }
  /** the folded text; the operand is a field, a text that is folded already is not folded again */
  | { readonly op: 'lower'; readonly operand: FieldNode }
  | { readonly op: 'length' | 'digits'; readonly operand: RuleNode }
  /** only of look-ups whose field and column have different types: the number that a text is (`CANONICAL_NUMBER`), or null */
  | { readonly op: 'numberOf'; readonly operand: FieldNode }
  /** the number of a field as text */
  | { readonly op: 'textOf'; readonly operand: FieldNode }
  /** the day on which a date and time is where it was written */
  | { readonly op: 'dayOf'; readonly operand: RuleNode }
  | { readonly op: 'days'; readonly from: RuleNode; readonly to: RuleNode }
  | { readonly op: 'year' | 'month' | 'day'; readonly operand: RuleNode }
  | {
      readonly op: 'if';
      readonly kind: RuleKind;
      readonly condition: RuleNode;
      readonly whenTrue: RuleNode;
      readonly whenFalse: RuleNode;
    };

/** A field of the record that is checked. */
export type FieldNode = Extract<RuleNode, { op: 'field' }>;
/** A look-up in a column of a table. */
export type LookupNode = Extract<RuleNode, { op: 'inColumn' }>;

/** An expression and all that it is made of. */
export function nodesOf(node: RuleNode): RuleNode[] {
  return [node, ...Object.values<unknown>(node).flat().filter(isNode).flatMap(nodesOf)];
}

function isNode(part: unknown): part is RuleNode {
  return typeof part === 'object' && part !== null && 'op' in part;
}

/** The look-ups of a rule, in the order of their indexes. */
export function lookupsOf(rule: RuleNode): LookupNode[] {
  return nodesOf(rule).filter((node) => node.op === 'inColumn');
}
