import * as texts from '#messages/checks.ts';
import { findByName } from '../rules/names.ts';
import { readInstant } from '../values/iso-dates.ts';
import { fold } from '../values/fold.ts';
import { parsePattern } from '../values/parse-pattern.ts';
import { type ValueType, valueType } from '../values/registry.ts';
import {
  FIELD_SIZE,
  largerSize,
  literalSize,
  MAX_NUMBER_DIGITS,
  RESULT_SIZES,
  roundedSize,
  wholeSize,
  type NumberSize,
} from './number-size.ts';
import {
  catchRuleError,
  throwRuleError,
  type SourceRange,
  type RuleResult,
} from './rule-problem.ts';
import { parseSyntax } from './parse-syntax.ts';
import type { NameAt, Syntax } from './rule-syntax.ts';
import {
  lookupsOf,
  ruleKind,
  type ColumnReference,
  type FieldNode,
  type RuleKind,
  type RuleNode,
} from './rule-tree.ts';

/** The maximum number of different fields in a rule. */
const MAX_RULE_FIELDS = 100;

/** What the names in a rule mean. */
export interface RuleScope {
  /** of the archive or table; an array that never changes */
  readonly fields: readonly { readonly name: string; readonly type: ValueType }[];
  /** Finds a column by its table's name and its own; or returns which of the two does not exist. */
  column(
    table: string,
    column: string,
  ): (ColumnReference & { readonly type: ValueType }) | 'no table' | 'no column';
}

/**
 * Parses a rule (docs/interface/checks.md) and checks its names and types.
 * @returns the tree, which yields true, false or null; or the first problem with its line and column
 */
export function parseRule(text: string, scope: RuleScope): RuleResult<RuleNode> {
  const read = parseSyntax(text);
  if (!read.ok) return read;
  return catchRuleError(text, () => new RuleTyper(text, scope).rule(read.value));
}

/** An expression with the kind of its result; `null` is of any kind. */
interface Typed {
  readonly node: RuleNode;
  readonly kind: RuleKind | 'null';
  readonly size: NumberSize;
  readonly range: SourceRange;
}

const NO_SIZE = { whole: 0, scale: 0 };

class RuleTyper {
  readonly #text: string;
  readonly #scope: RuleScope;
  readonly #fields = new Set<string>();

  constructor(text: string, scope: RuleScope) {
    this.#text = text;
    this.#scope = scope;
  }

  rule(rule: Syntax): RuleNode {
    return this.#of(rule, 'boolean').node;
  }

  /** An expression that must be of a kind. */
  #of(syntax: Syntax, kind: RuleKind): Typed {
    return asKind(this.#typed(syntax), kind);
  }

  #typed(syntax: Syntax): Typed {
    const range = { offset: syntax.offset, length: syntax.length };
    const typed = (node: RuleNode, kind: Typed['kind'], size = NO_SIZE): Typed => {
      if (size.whole + size.scale > MAX_NUMBER_DIGITS) {
        throwRuleError(range, (at) => texts.numberTooLong({ ...at, max: MAX_NUMBER_DIGITS }));
      }
      return { node, kind, size, range };
    };
    switch (syntax.kind) {
      case 'number':
      case 'date':
      case 'text': {
        const { kind, value } = syntax;
        const size = kind === 'number' ? literalSize(value) : NO_SIZE;
        return typed({ op: 'value', kind, value: value === '' ? null : value }, kind, size);
      }
      case 'constant':
        return this.#constant(syntax.name, typed);
      case 'field': {
        const field = this.#field(syntax);
        return typed(field, field.kind, field.kind === 'number' ? FIELD_SIZE : NO_SIZE);
      }
      case 'negate': {
        const { node, size } = this.#of(syntax.operand, 'number');
        return typed({ op: 'negate', operand: node }, 'number', size);
      }
      case 'arithmetic': {
        const [left, right] = [this.#of(syntax.left, 'number'), this.#of(syntax.right, 'number')];
        const size = RESULT_SIZES[syntax.operator](left.size, right.size);
        return typed({ op: syntax.operator, left: left.node, right: right.node }, 'number', size);
      }
      case 'not':
        return typed({ op: 'not', operand: this.#of(syntax.operand, 'boolean').node }, 'boolean');
      case 'and':
      case 'or': {
        const operands = syntax.operands.map((operand) => this.#of(operand, 'boolean').node);
        return typed({ op: syntax.kind, operands }, 'boolean');
      }
      case 'contains': {
        const operand = folded(this.#of(syntax.operand, 'text').node);
        const part = folded(this.#of(syntax.part, 'text').node);
        return typed({ op: 'contains', operand, part }, 'boolean');
      }
      case 'startsWith':
      case 'endsWith': {
        const operand = this.#of(syntax.operand, 'text').node;
        const part = this.#of(syntax.part, 'text').node;
        return typed({ op: syntax.kind, operand, part }, 'boolean');
      }
      case 'matches': {
        const operand = this.#of(syntax.operand, 'text').node;
        this.#checkPattern(syntax);
        return typed({ op: 'matches', operand, pattern: syntax.pattern }, 'boolean');
      }
      case 'call':
        return this.#call(syntax, typed);
      default:
        return typed(this.#comparison(syntax), 'boolean');
    }
  }

  #constant(
    name: Extract<Syntax, { kind: 'constant' }>['name'],
    typed: (node: RuleNode, kind: Typed['kind']) => Typed,
  ): Typed {
    switch (name) {
      case 'true':
      case 'false':
        return typed({ op: 'value', kind: 'boolean', value: name === 'true' }, 'boolean');
      case 'null':
        return typed({ op: 'value', kind: 'text', value: null }, 'null');
      case 'today':
        return typed({ op: 'clock', kind: 'date' }, 'date');
      case 'now':
        return typed({ op: 'clock', kind: 'datetime' }, 'datetime');
      default:
        return name satisfies never;
    }
  }

  #field({ name, ...range }: NameAt): FieldNode {
    const field = findByName(this.#scope.fields, name);
    if (!field) throwRuleError(range, (at) => texts.unknownField({ ...at, name }));
    this.#fields.add(field.name);
    if (this.#fields.size > MAX_RULE_FIELDS) {
      throwRuleError(range, (at) => texts.tooManyFields({ ...at, max: MAX_RULE_FIELDS }));
    }
    return { op: 'field', kind: ruleKind(field.type), name: field.name };
  }

  #comparison(
    syntax: Extract<Syntax, { kind: 'compare' | 'between' | 'in' | 'inColumn' }>,
  ): RuleNode {
    switch (syntax.kind) {
      case 'compare': {
        const { by, nodes } = this.#comparable([syntax.left, syntax.right]);
        const { operator } = syntax;
        if (by === 'boolean' && operator !== '=' && operator !== '<>') {
          throwRuleError(syntax.at, texts.noOrder);
        }
        const [left, right] = nodes;
        return { op: 'compare', operator, by, left: required(left), right: required(right) };
      }
      case 'between': {
        const { by, nodes } = this.#comparable([syntax.operand, syntax.low, syntax.high]);
        if (by === 'boolean') throwRuleError(syntax.operand, texts.noOrder);
        const [operand, low, high] = nodes;
        return {
          op: 'between',
          by,
          operand: required(operand),
          low: required(low),
          high: required(high),
        };
      }
      case 'in': {
        const { by, nodes } = this.#comparable([syntax.operand, ...syntax.values]);
        const [operand, ...values] = nodes;
        return { op: 'in', by, operand: required(operand), values };
      }
      case 'inColumn': {
        const operand = this.#typed(syntax.operand);
        if (lookupsOf(operand.node).length > 0) throwRuleError(syntax.operand, texts.nestedLookup);
        const { type, ...reference } = this.#column(syntax.table, syntax.column);
        const by = ruleKind(type);
        return { op: 'inColumn', by, operand: asKind(operand, by).node, reference };
      }
      default:
        return syntax satisfies never;
    }
  }

  #column(table: NameAt, column: NameAt): ColumnReference & { readonly type: ValueType } {
    const found = this.#scope.column(table.name, column.name);
    if (found === 'no table') {
      throwRuleError(table, (at) => texts.unknownTable({ ...at, name: table.name }));
    }
    if (found === 'no column') {
      throwRuleError(column, (at) =>
        texts.unknownColumn({ ...at, name: column.name, table: table.name }),
      );
    }
    return found;
  }

  /** Expressions that are compared with each other: of one kind. A date and time is compared with a date by its day. */
  #comparable(all: readonly Syntax[]): { readonly by: RuleKind; readonly nodes: RuleNode[] } {
    const typed = all.map((one) => this.#typed(one));
    const kinds = typed.flatMap(({ kind }) => (kind === 'null' ? [] : [kind]));
    const by = commonKind(kinds);
    return { by, nodes: typed.map((one) => asComparable(one, by).node) };
  }

  #call(
    { name, args, ...range }: Extract<Syntax, { kind: 'call' }>,
    typed: (node: RuleNode, kind: Typed['kind'], size?: NumberSize) => Typed,
  ): Typed {
    const [first, second, third] = args;
    const argument = required(first);
    switch (name) {
      case 'empty': {
        if (argument.kind !== 'field') this.#refuse(argument, 'field');
        return typed({ op: 'empty', field: this.#field(argument) }, 'boolean');
      }
      case 'length':
        return typed(
          { op: name, operand: this.#of(argument, 'text').node },
          'number',
          wholeSize(1e7),
        );
      case 'lower':
        return typed(folded(this.#of(argument, 'text').node), 'text');
      case 'digits':
        return typed({ op: name, operand: this.#of(argument, 'text').node }, 'text');
      case 'abs': {
        const { node, size } = this.#of(argument, 'number');
        return typed({ op: name, operand: node }, 'number', size);
      }
      case 'round': {
        const { node, size } = this.#of(argument, 'number');
        const places = this.#places(required(second));
        return typed({ op: name, operand: node, places }, 'number', roundedSize(size, places));
      }
      case 'days': {
        const [from, to] = [this.#day(argument), this.#day(required(second))];
        return typed({ op: name, from, to }, 'number', wholeSize(1e7));
      }
      case 'year':
      case 'month':
      case 'day':
        return typed({ op: name, operand: this.#day(argument) }, 'number', wholeSize(1e4));
      case 'if': {
        const condition = this.#of(argument, 'boolean').node;
        const whenTrue = this.#typed(required(second));
        const whenFalse = this.#typed(required(third));
        if (whenTrue.kind === 'null' && whenFalse.kind === 'null') return { ...whenTrue, range };
        const kind = whenTrue.kind !== 'null' ? whenTrue.kind : whenFalse.kind;
        if (kind === 'null') throw new Error('One of the two has a kind.');
        const parts = {
          whenTrue: asKind(whenTrue, kind).node,
          whenFalse: asKind(whenFalse, kind).node,
        };
        const size = largerSize(whenTrue.size, whenFalse.size);
        return typed({ op: 'if', kind, condition, ...parts }, kind, size);
      }
      default:
        return name satisfies never;
    }
  }

  #day(syntax: Syntax): RuleNode {
    const typed = this.#typed(syntax);
    if (typed.kind === 'date' || typed.kind === 'null') return asKind(typed, 'date').node;
    const { kind } = typed;
    if (kind !== 'datetime') {
      throwRuleError(typed.range, (at) => texts.noDay({ ...at, found: kind }));
    }
    return { op: 'dayOf', operand: typed.node };
  }

  #places(syntax: Syntax): number {
    const number = syntax.kind === 'negate' ? syntax.operand : syntax;
    const places = number.kind === 'number' ? Number(number.value) : NaN;
    if (!Number.isInteger(places) || places > MAX_ROUNDED_PLACES) this.#refuse(syntax, 'places');
    return number === syntax ? places : -places;
  }

  #checkPattern({ pattern, patternRange }: Extract<Syntax, { kind: 'matches' }>): void {
    const read = parsePattern(pattern);
    if (read.ok) return;
    // A quote in the text is written twice.
    const before = pattern.slice(0, read.offset).replaceAll("'", "''").length;
    const range = { offset: patternRange.offset + 1 + before, length: 1 };
    throwRuleError(range, (at) => texts.patternInvalid({ ...at, problem: read.problem }));
  }

  #refuse({ offset, length }: SourceRange, expected: texts.Expected): never {
    const found = this.#text.slice(offset, offset + length);
    throwRuleError({ offset, length }, (at) => texts.expected({ ...at, expected, found }));
  }
}

const MAX_ROUNDED_PLACES = 15;

/** An expression as one of a kind; `null` is of any kind. */
function asKind(typed: Typed, kind: RuleKind): Typed {
  if (typed.kind === kind) return typed;
  if (typed.kind === 'null') return { ...typed, kind, node: { op: 'value', kind, value: null } };
  const found = typed.kind;
  return throwRuleError(typed.range, (at) => texts.wrongKind({ ...at, expected: kind, found }));
}

/** The kind by which expressions are compared: that of the first one, except for texts that stand for a time. */
function commonKind(kinds: readonly RuleKind[]): RuleKind {
  if (kinds.includes('datetime')) return kinds.includes('date') ? 'date' : 'datetime';
  if (kinds.includes('time')) return 'time';
  return kinds[0] ?? 'boolean';
}

function asComparable(typed: Typed, by: RuleKind): Typed {
  const { kind, node, range } = typed;
  if (by === 'date' && kind === 'datetime') {
    return { ...typed, kind: by, node: { op: 'dayOf', operand: node } };
  }
  if (node.op === 'value' && kind === 'text' && typeof node.value === 'string') {
    // There is no other way to write a time or a date and time.
    if (by === 'time' && !valueType('time').isStored(node.value))
      throwRuleError(range, texts.notATime);
    if (by === 'datetime' && typeof readInstant(node.value) !== 'number') {
      throwRuleError(range, texts.notADatetime);
    }
    if (by === 'time' || by === 'datetime')
      return { ...typed, kind: by, node: { ...node, kind: by } };
  }
  return asKind(typed, by);
}

/** The folded form of a text; a folded text is not folded again. */
function folded(node: RuleNode): RuleNode {
  switch (node.op) {
    case 'value': {
      const text = typeof node.value === 'string' ? fold(node.value) : '';
      return { ...node, value: text === '' ? null : text };
    }
    case 'field':
      return { op: 'lower', operand: node };
    case 'if':
      return { ...node, whenTrue: folded(node.whenTrue), whenFalse: folded(node.whenFalse) };
    default:
      return node;
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The reader has counted what a function takes.');
  return value;
}
