import {
  addExact,
  divideExact,
  exactOf,
  multiplyExact,
  negateExact,
  readExact,
  roundExact,
  storedNumber,
  type ExactNumber,
} from '../values/exact-numbers.ts';
import type { Scalar } from '../values/value-type.ts';
import { compileRule, compileValue, evaluateRule, inputsOf } from './compile-rule.ts';
import type { RuleContext } from './compiled-nodes.ts';
import { fieldsOf } from './rule-names.ts';
import { nodesOf, type RuleNode } from './rule-tree.ts';

/** The properties of a field of the record that suggestions need. */
export interface SuggestionField {
  readonly name: string;
  readonly isNumber: boolean;
  /** the decimal places of its numbers; 0 for whole ones */
  readonly scale: number;
  /** Whether the field can store a value: its type, length, options, bounds and pattern. */
  accepts(value: Scalar): boolean;
}

/** A part of a sum: the field's value, or its negative. */
export interface SumTerm {
  readonly field: string;
  readonly isNegative: boolean;
}

/** New values of fields with which a rule is true. */
export interface ValueSuggestion {
  readonly kind: 'swap' | 'solve';
  readonly values: ReadonlyMap<string, Scalar>;
  /** of `solve`: the value as a sum of other fields; null: it is another calculation */
  readonly sum: readonly SumTerm[] | null;
}

/** With more fields, no pairs are swapped. */
const MAX_SWAPPED = 12;

/**
 * The values that follow from a rule that a record does not meet: two fields of the rule swapped, and each number that
 * an equation in the rule gives. Every suggestion makes the rule true and is accepted by its fields.
 * @param rule without its condition
 */
export function suggestCorrections(
  rule: RuleNode,
  fields: readonly SuggestionField[],
  valueOf: (field: string) => Scalar,
  context: RuleContext,
): ValueSuggestion[] {
  const program = compileRule(rule);
  const isMet = (values: ReadonlyMap<string, Scalar>) =>
    evaluateRule(program, (name) => values.get(name) ?? valueOf(name), context) === true;
  const named = fieldsOf(rule).flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const isCorrection = ({ values }: ValueSuggestion) =>
    [...values].every(([name, value]) =>
      named.some((one) => one.name === name && one.accepts(value)),
    ) && isMet(values);
  const swaps = swapsOf(named.slice(0, MAX_SWAPPED), valueOf);
  const solved = equationsOf(rule).flatMap((equation) =>
    named.flatMap((field) => solve(equation, field, valueOf, context) ?? []),
  );
  return withoutRepeats([...swaps, ...solved].filter(isCorrection));
}

function swapsOf(
  fields: readonly SuggestionField[],
  valueOf: (field: string) => Scalar,
): ValueSuggestion[] {
  return fields.flatMap((first, index) =>
    fields.slice(index + 1).flatMap((second): ValueSuggestion[] => {
      const [a, b] = [valueOf(first.name), valueOf(second.name)];
      // An empty value is not a correction of the other field; neither is an empty text.
      if (a === null || b === null || a === '' || b === '') return [];
      if (a === b || typeof a !== typeof b) return [];
      const values = new Map([
        [first.name, b],
        [second.name, a],
      ]);
      return [{ kind: 'swap', values, sum: null }];
    }),
  );
}

/** Two expressions of numbers that have to be equal. */
interface Equation {
  readonly left: RuleNode;
  readonly right: RuleNode;
}

const ZERO: RuleNode = { op: 'value', kind: 'number', value: '0' };

/** The equations of a rule; `abs(difference) <= tolerance` requires a difference of zero. */
function equationsOf(rule: RuleNode): Equation[] {
  return nodesOf(rule).flatMap((node): Equation[] => {
    if (node.op !== 'compare' || node.by !== 'number') return [];
    const { operator, left, right } = node;
    if (operator === '=') return [{ left, right }];
    const small = operator === '<' || operator === '<=' ? left : right;
    const isBound = operator !== '<>' && small.op === 'abs';
    return isBound ? [{ left: small.operand, right: ZERO }] : [];
  });
}

/** `factor` × unknown + `rest` */
interface Linear {
  readonly factor: ExactNumber;
  readonly rest: ExactNumber;
}

const NONE: ExactNumber = { units: 0n, scale: 0 };
const ONE: ExactNumber = { units: 1n, scale: 0 };

/** The value of a field with which both sides are equal, rounded to the field's scale; null: it cannot be determined. */
function solve(
  { left, right }: Equation,
  field: SuggestionField,
  valueOf: (field: string) => Scalar,
  context: RuleContext,
): ValueSuggestion | null {
  if (!field.isNumber) return null;
  const numberOf = (node: RuleNode): ExactNumber | null => {
    if (node.op === 'value') return typeof node.value === 'string' ? readExact(node.value) : null;
    const program = compileValue(node, 'number');
    const value = program.value(inputsOf(program, valueOf), context);
    return typeof value === 'number' ? exactOf(value) : null;
  };
  const [a, b] = [left, right].map((side) => linearForm(side, field.name, numberOf));
  if (!a || !b) return null;
  const solution = divideExact(
    addExact(b.rest, negateExact(a.rest)),
    addExact(a.factor, negateExact(b.factor)),
  );
  const value = solution && storedNumber(roundExact(solution, field.scale));
  if (value === null || value === undefined) return null;
  const sum = sumOf({ left, right }, field.name);
  return { kind: 'solve', values: new Map([[field.name, value]]), sum };
}

/**
 * An expression as linear in one field.
 * @param numberOf the value of an expression without it
 * @returns null: it is not linear, or a value is missing
 */
function linearForm(
  node: RuleNode,
  unknown: string,
  numberOf: (node: RuleNode) => ExactNumber | null,
): Linear | null {
  if (!fieldsOf(node).includes(unknown)) {
    const rest = numberOf(node);
    return rest && { factor: NONE, rest };
  }
  const formOf = (part: RuleNode) => linearForm(part, unknown, numberOf);
  switch (node.op) {
    case 'field':
      return { factor: ONE, rest: NONE };
    case 'negate': {
      const one = formOf(node.operand);
      return one && { factor: negateExact(one.factor), rest: negateExact(one.rest) };
    }
    case '+':
    case '-':
    case '*':
    case '/': {
      const [a, b] = [formOf(node.left), formOf(node.right)];
      return a && b && combineLinear(node.op, a, b);
    }
    default:
      return null;
  }
}

function combineLinear(op: '+' | '-' | '*' | '/', a: Linear, b: Linear): Linear | null {
  switch (op) {
    case '+':
      return { factor: addExact(a.factor, b.factor), rest: addExact(a.rest, b.rest) };
    case '-':
      return {
        factor: addExact(a.factor, negateExact(b.factor)),
        rest: addExact(a.rest, negateExact(b.rest)),
      };
    case '*':
      if (a.factor.units !== 0n && b.factor.units !== 0n) return null;
      return {
        factor: addExact(multiplyExact(a.factor, b.rest), multiplyExact(a.rest, b.factor)),
        rest: multiplyExact(a.rest, b.rest),
      };
    case '/': {
      if (b.factor.units !== 0n) return null;
      const [factor, rest] = [divideExact(a.factor, b.rest), divideExact(a.rest, b.rest)];
      return factor && rest && { factor, rest };
    }
    default:
      return op satisfies never;
  }
}

/** The equation solved for a field, if it is a sum of fields; null: it is another calculation. */
function sumOf({ left, right }: Equation, unknown: string): SumTerm[] | null {
  const [a, b] = [termsOf(left, false), termsOf(right, true)];
  if (!a || !b) return null;
  const terms = [...a, ...b];
  const own = terms.filter(({ field }) => field === unknown);
  const [first] = own;
  if (own.length !== 1 || !first) return null;
  const others = terms
    .filter((term) => term !== first)
    .map(({ field, isNegative }) => ({ field, isNegative: isNegative === first.isNegative }));
  if (others.length === 0) return null;
  return others.toSorted((one, other) => Number(one.isNegative) - Number(other.isNegative));
}

function termsOf(node: RuleNode, isNegative: boolean): SumTerm[] | null {
  switch (node.op) {
    case 'field':
      return [{ field: node.name, isNegative }];
    case 'value':
      return node.value === '0' ? [] : null;
    case 'negate':
      return termsOf(node.operand, !isNegative);
    case '+':
    case '-': {
      const a = termsOf(node.left, isNegative);
      const b = termsOf(node.right, node.op === '-' ? !isNegative : isNegative);
      return a && b && [...a, ...b];
    }
    default:
      return null;
  }
}

function withoutRepeats(suggestions: readonly ValueSuggestion[]): ValueSuggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ values }) => {
    const key = JSON.stringify([...values].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return !seen.has(key) && seen.add(key);
  });
}
