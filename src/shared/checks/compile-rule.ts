import { compareCodePoints, countCodePoints } from '../values/code-points.ts';
import {
  absoluteExact,
  addExact,
  compareExact,
  divideExact,
  type ExactNumber,
  exactOf,
  isCanonicalNumber,
  multiplyExact,
  negateExact,
  readExact,
  roundExact,
  storedNumber,
  writeExact,
} from '../values/exact-numbers.ts';
import { fold } from '../values/fold.ts';
import { matchesPattern } from '../values/pattern.ts';
import { equalityKey, MAX_TEXT_LENGTH } from '../values/value-rules.ts';
import type { Scalar } from '../values/value-type.ts';
import type { ComparisonOperator } from './rule-syntax.ts';
import {
  lookupsOf,
  type FieldNode,
  type LookupNode,
  type RuleKind,
  type RuleNode,
} from './rule-tree.ts';
import {
  type RuleContext,
  type Frame,
  type Compiled,
  constant,
  liftUnary,
  liftBinary,
  combineLogical,
} from './compiled-nodes.ts';

/** A value that a program reads: that of a field, or its folded text. */
export interface RuleInput {
  readonly field: string;
  readonly form: 'value' | 'folded';
}

/** A rule, ready to be evaluated many times. */
export interface RuleProgram {
  readonly inputs: readonly RuleInput[];
  /** @param inputs in the order of `inputs`. @returns null if the rule does not apply */
  truth(inputs: readonly Scalar[], context: RuleContext): boolean | null;
}

/** Compiles a rule whose types are checked. Patterns need an engine (`values/pattern-engine.ts`). */
export function compileRule(rule: RuleNode): RuleProgram {
  const compiler = new RuleCompiler(lookupsOf(rule));
  const truth = compiler.truth(rule);
  return {
    inputs: compiler.inputs,
    truth: (inputs, context) => truth({ inputs, context }),
  };
}

/** The values of a record that a program reads. @param valueOf the value of a field, by its name in the definition */
export function inputsOf(
  program: Pick<RuleProgram, 'inputs'>,
  valueOf: (field: string) => Scalar,
): Scalar[] {
  return program.inputs.map(({ field, form }) => {
    const value = valueOf(field);
    return form === 'folded' && typeof value === 'string' ? fold(value) : value;
  });
}

/**
 * Evaluates a rule for one record.
 * @returns false: a finding; null: the rule does not apply
 */
export function evaluateRule(
  program: RuleProgram,
  valueOf: (field: string) => Scalar,
  context: RuleContext,
): boolean | null {
  return program.truth(inputsOf(program, valueOf), context);
}

/** An expression, such as the value of a look-up, ready to be evaluated many times. */
export interface ValueProgram {
  readonly inputs: readonly RuleInput[];
  /** @returns the value as a column of the kind stores it; null also if no column can store the number */
  value(inputs: readonly Scalar[], context: RuleContext): Scalar;
}

/** Compiles an expression of any kind. */
export function compileValue(node: RuleNode, kind: RuleKind): ValueProgram {
  const compiler = new RuleCompiler(lookupsOf(node));
  const value = compiler.stored(node, kind);
  return {
    inputs: compiler.inputs,
    value: (inputs, context) => value({ inputs, context }) ?? null,
  };
}

/** What an order of values consists of: how a value is computed, and how two are compared. */
type UseComparison = <Value>(
  of: (node: RuleNode) => Compiled<Value>,
  compare: (a: Value, b: Value) => number,
) => Compiled<boolean>;

/** Compiles the nodes of a tree to functions; each evaluates its operands at most once. */
class RuleCompiler {
  readonly inputs: RuleInput[] = [];
  readonly #lookups: readonly LookupNode[];

  constructor(lookups: readonly LookupNode[]) {
    this.#lookups = lookups;
  }

  readonly truth = (node: RuleNode): Compiled<boolean> => {
    switch (node.op) {
      case 'value':
        return constant(node.value === null ? null : node.value === true);
      case 'field': {
        const input = this.#input(node);
        // SQLite has no booleans.
        return liftUnary(input, (value) => value === true || value === 1);
      }
      case 'and':
      case 'or':
        return combineLogical(node.operands.map(this.truth), node.op === 'or');
      case 'not':
        return liftUnary(this.truth(node.operand), (value) => !value);
      case 'if':
        return this.#choice(node, this.truth);
      case 'compare': {
        const test = TESTS[node.operator];
        return this.#ordered(node.by, (of, compare) =>
          liftBinary(of(node.left), of(node.right), (a, b) => test(compare(a, b))),
        );
      }
      case 'between':
        return this.#ordered(node.by, (of, compare) => {
          const [operand, low, high] = [of(node.operand), of(node.low), of(node.high)];
          return (frame) => {
            const value = operand(frame);
            if (value === null) return null;
            const [least, most] = [low(frame), high(frame)];
            const isAbove = least === null ? null : compare(value, least) >= 0;
            const isBelow = most === null ? null : compare(value, most) <= 0;
            if (isAbove === false || isBelow === false) return false;
            return isAbove && isBelow;
          };
        });
      case 'in':
        return this.#ordered(node.by, (of, compare) => {
          const [operand, values] = [of(node.operand), node.values.map(of)];
          return (frame) => {
            const value = operand(frame);
            if (value === null) return null;
            let result: boolean | null = false;
            for (const one of values) {
              const other = one(frame);
              if (other === null) result = null;
              else if (compare(value, other) === 0) return true;
            }
            return result;
          };
        });
      case 'inColumn':
        return this.#lookup(node);
      case 'contains':
        return liftBinary(this.#text(node.operand), this.#text(node.part), (a, b) => a.includes(b));
      case 'startsWith':
        return liftBinary(this.#text(node.operand), this.#text(node.part), (a, b) =>
          a.startsWith(b),
        );
      case 'endsWith':
        return liftBinary(this.#text(node.operand), this.#text(node.part), (a, b) => a.endsWith(b));
      case 'matches':
        return liftUnary(this.#text(node.operand), (text) => matchesPattern(node.pattern, text));
      case 'empty': {
        const input = this.#input(node.field);
        return (frame) => input(frame) === null;
      }
      default:
        return unexpectedNode(node);
    }
  };

  /** The value as a column stores it; undefined: a number that no column can store. */
  stored(node: RuleNode, kind: RuleKind): (frame: Frame) => Scalar | undefined {
    switch (kind) {
      case 'number': {
        const number = this.#number(node);
        return (frame) => {
          const value = number(frame);
          return value === null ? null : storedNumber(value);
        };
      }
      case 'boolean':
        return this.truth(node);
      default:
        return this.#text(node);
    }
  }

  #lookup(node: LookupNode): Compiled<boolean> {
    const operand = this.stored(node.operand, node.by);
    const index = this.#lookups.indexOf(node);
    return (frame) => {
      const value = operand(frame);
      if (value === null) return null;
      return value === undefined ? false : frame.context.isListed(node.reference, value, index);
    };
  }

  #ordered(by: RuleKind, use: UseComparison): Compiled<boolean> {
    switch (by) {
      case 'number':
        return use(this.#number, compareExact);
      case 'text':
      case 'date':
        return use(this.#text, compareCodePoints);
      case 'datetime':
      case 'time':
        // Compared by instants and seconds.
        return use(
          (node) => liftUnary(this.#text(node), (text) => Number(equalityKey(by, text))),
          (a, b) => a - b,
        );
      case 'boolean':
        return use(this.truth, (a, b) => Number(a) - Number(b));
      default:
        return by satisfies never;
    }
  }

  readonly #number = (node: RuleNode): Compiled<ExactNumber> => {
    switch (node.op) {
      case 'value':
        return constant(typeof node.value === 'string' ? readExact(node.value) : null);
      case 'field':
        return liftUnary(this.#input(node), (value) => exactOf(Number(value)));
      case 'if':
        return this.#choice(node, this.#number);
      case '+':
        return liftBinary(this.#number(node.left), this.#number(node.right), addExact);
      case '-':
        return liftBinary(this.#number(node.left), this.#number(node.right), (a, b) =>
          addExact(a, negateExact(b)),
        );
      case '*':
        return liftBinary(this.#number(node.left), this.#number(node.right), multiplyExact);
      case '/':
        return liftBinary(this.#number(node.left), this.#number(node.right), divideExact);
      case 'negate':
        return liftUnary(this.#number(node.operand), negateExact);
      case 'abs':
        return liftUnary(this.#number(node.operand), absoluteExact);
      case 'round':
        return liftUnary(this.#number(node.operand), (number) => roundExact(number, node.places));
      case 'length':
        return liftUnary(this.#text(node.operand), (text) =>
          exactInteger(countCodePoints(text, MAX_TEXT_LENGTH * 2)),
        );
      case 'numberOf':
        return liftUnary(this.#text(node.operand), (text) =>
          isCanonicalNumber(text) ? readExact(text) : null,
        );
      case 'days':
        return liftBinary(this.#text(node.from), this.#text(node.to), (from, to) =>
          exactInteger(Math.round((Date.parse(to) - Date.parse(from)) / MILLISECONDS_OF_DAY)),
        );
      case 'year':
        return liftUnary(this.#text(node.operand), (day) => exactInteger(Number(day.slice(0, 4))));
      case 'month':
        return liftUnary(this.#text(node.operand), (day) => exactInteger(Number(day.slice(5, 7))));
      case 'day':
        return liftUnary(this.#text(node.operand), (day) => exactInteger(Number(day.slice(8, 10))));
      default:
        return unexpectedNode(node);
    }
  };

  /** Texts, and dates and times as they are stored; never the empty text. */
  readonly #text = (node: RuleNode): Compiled<string> => {
    switch (node.op) {
      case 'value':
        return constant(typeof node.value === 'string' ? node.value : null);
      case 'field':
        return liftUnary(this.#input(node), String);
      case 'clock':
        return node.kind === 'date' ? ({ context }) => context.today : ({ context }) => context.now;
      case 'if':
        return this.#choice(node, this.#text);
      case 'lower':
        return liftUnary(this.#input(node.operand, 'folded'), String);
      case 'digits':
        return liftUnary(
          this.#text(node.operand),
          (text) => text.replaceAll(/[^0-9]/g, '') || null,
        );
      case 'textOf':
        return liftUnary(this.#number(node.operand), writeExact);
      case 'dayOf':
        return liftUnary(this.#text(node.operand), (datetime) => datetime.slice(0, 10));
      default:
        return unexpectedNode(node);
    }
  };

  #choice<Value>(
    node: Extract<RuleNode, { op: 'if' }>,
    of: (node: RuleNode) => Compiled<Value>,
  ): Compiled<Value> {
    const condition = this.truth(node.condition);
    const [whenTrue, whenFalse] = [of(node.whenTrue), of(node.whenFalse)];
    return (frame) => {
      const isTrue = condition(frame);
      if (isTrue === null) return null;
      return isTrue ? whenTrue(frame) : whenFalse(frame);
    };
  }

  /** A value of the record; the empty text counts as no value. */
  #input(
    { name }: FieldNode,
    form: RuleInput['form'] = 'value',
  ): Compiled<string | number | boolean> {
    let index = this.inputs.findIndex((input) => input.field === name && input.form === form);
    if (index < 0) index = this.inputs.push({ field: name, form }) - 1;
    return ({ inputs }) => {
      const value = inputs[index] ?? null;
      return value === '' ? null : value;
    };
  }
}

const MILLISECONDS_OF_DAY = 86_400_000;

const TESTS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function exactInteger(number: number): ExactNumber {
  return { units: BigInt(number), scale: 0 };
}

function unexpectedNode({ op }: RuleNode): never {
  throw new Error(`The types of the rule were not checked: ${op}`);
}
