import * as texts from '#messages/checks.ts';
import type { Expected } from '#messages/checks.ts';
import {
  catchRuleError,
  throwRuleError,
  type SourceRange,
  type RuleResult,
} from './rule-problem.ts';
import {
  COMPARISONS,
  CONSTANTS,
  FUNCTIONS,
  type FunctionName,
  type NameAt,
  type Syntax,
} from './rule-syntax.ts';
import { tokenize, type Token } from './rule-tokens.ts';

/** The maximum number of characters of a rule (UTF-16 units). */
const MAX_RULE_LENGTH = 4_000;

/** How deep brackets, functions and `not` may be nested. */
const MAX_RULE_DEPTH = 50;

/** Words that are field names only between double quotes. */
const RESERVED = new Set(['and', 'or', 'not', 'in', 'between', ...CONSTANTS]);

/**
 * Parses a rule (docs/interface/checks.md). Names and types are not checked: `parseRule` does that.
 * @returns the syntax, or the first problem with its line and column
 */
export function parseSyntax(rule: string): RuleResult<Syntax> {
  return catchRuleError(rule, () => {
    if (rule.length > MAX_RULE_LENGTH) {
      const range = { offset: MAX_RULE_LENGTH, length: rule.length - MAX_RULE_LENGTH };
      throwRuleError(range, (at) => texts.tooLong({ ...at, max: MAX_RULE_LENGTH }));
    }
    return new RuleParser(tokenize(rule)).rule();
  });
}

/** Whether a field name has to be written between double quotes. */
export function needsQuotes(name: string): boolean {
  return RESERVED.has(name.toLowerCase());
}

/** A recursive descent parser, one method for each level of precedence. */
class RuleParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  rule(): Syntax {
    const rule = this.#or();
    if (this.#token.kind !== 'end') this.#refuse(isCondition(rule) ? 'andOrEnd' : 'operator');
    return rule;
  }

  #or(): Syntax {
    return this.#joined('or', () => this.#joined('and', () => this.#not()));
  }

  #joined(kind: 'and' | 'or', operand: () => Syntax): Syntax {
    const first = operand();
    const operands = [first];
    while (this.#acceptWord(kind)) operands.push(operand());
    return operands.length === 1 ? first : { kind, operands, ...this.#from(first) };
  }

  #not(): Syntax {
    const start = this.#token;
    if (!this.#acceptWord('not')) return this.#condition();
    const operand = this.#nested(() => this.#not());
    return { kind: 'not', operand, ...this.#from(start) };
  }

  #condition(): Syntax {
    const operand = this.#sum();
    const at = this.#token;
    const sign = COMPARISONS.find((one) => this.#acceptSign(one));
    if (sign) {
      const right = this.#sum();
      const range = this.#from(operand);
      return { kind: 'compare', operator: sign, at, left: operand, right, ...range };
    }
    if (this.#acceptWord('in')) return this.#in(operand);
    if (this.#acceptWord('between')) {
      const low = this.#sum();
      if (!this.#acceptWord('and')) this.#refuse('and');
      const high = this.#sum();
      return { kind: 'between', operand, low, high, ...this.#from(operand) };
    }
    if (this.#acceptWord('contains')) return this.#textTest('contains', operand);
    for (const [word, kind] of TEXT_TESTS) {
      if (!this.#acceptWord(word)) continue;
      if (!this.#acceptWord('with')) this.#refuse('with');
      return this.#textTest(kind, operand);
    }
    if (this.#acceptWord('matches')) {
      const pattern = this.#token;
      if (pattern.kind !== 'text') this.#refuse('pattern');
      this.#at++;
      const range = this.#from(operand);
      return {
        kind: 'matches',
        operand,
        pattern: pattern.value,
        patternRange: pattern,
        ...range,
      };
    }
    return operand;
  }

  #textTest(kind: 'contains' | 'startsWith' | 'endsWith', operand: Syntax): Syntax {
    return { kind, operand, part: this.#sum(), ...this.#from(operand) };
  }

  #in(operand: Syntax): Syntax {
    if (this.#acceptSign('(')) {
      const values = this.#list(() => this.#sum());
      return { kind: 'in', operand, values, ...this.#from(operand) };
    }
    const table = this.#nameAt('listOrColumn');
    if (!this.#acceptSign('.')) this.#refuse('dot');
    const column = this.#nameAt('column');
    return { kind: 'inColumn', operand, table, column, ...this.#from(operand) };
  }

  /** A name after `in`, where no keyword is allowed. */
  #nameAt(expected: Expected): NameAt {
    const { kind, value, offset, length } = this.#token;
    if (kind !== 'name' && kind !== 'quoted') this.#refuse(expected);
    this.#at++;
    return { name: value, offset, length };
  }

  #sum(): Syntax {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#factor()));
  }

  #chain(operators: readonly ('+' | '-' | '*' | '/')[], operand: () => Syntax): Syntax {
    let left = operand();
    for (;;) {
      const operator = operators.find((one) => this.#acceptSign(one));
      if (!operator) return left;
      const right = operand();
      left = { kind: 'arithmetic', operator, left, right, ...this.#from(left) };
    }
  }

  #factor(): Syntax {
    const start = this.#token;
    if (!this.#acceptSign('-')) return this.#operand();
    const operand = this.#operand();
    return { kind: 'negate', operand, ...this.#from(start) };
  }

  #operand(): Syntax {
    const token = this.#token;
    const { kind, value, offset, length } = token;
    if (this.#acceptSign('(')) {
      const inner = this.#nested(() => this.#or());
      if (!this.#acceptSign(')')) this.#refuse('closing');
      return inner;
    }
    switch (kind) {
      case 'number':
      case 'text':
      case 'date':
        this.#at++;
        return { kind, value, offset, length };
      case 'quoted':
        this.#at++;
        return { kind: 'field', name: value, offset, length };
      case 'name':
        return this.#word(token);
      default:
        return this.#refuse('operand');
    }
  }

  #word({ value, offset, length }: Token): Syntax {
    const word = value.toLowerCase();
    const next = this.#tokens[this.#at + 1];
    const opens = next?.kind === 'sign' && next.value === '(';
    const constant = CONSTANTS.find((name) => name === word);
    if (!constant && RESERVED.has(word)) this.#refuse('operand');
    this.#at++;
    if (constant) return { kind: 'constant', name: constant, offset, length };
    if (!opens) return { kind: 'field', name: value, offset, length };
    const range = { offset, length };
    if (!isFunction(word)) {
      throwRuleError(range, (at) => texts.unknownFunction({ ...at, name: value }));
    }
    this.#at++;
    const args = this.#nested(() => this.#list(() => this.#or()));
    const count = FUNCTIONS[word];
    if (args.length !== count) {
      const given = args.length;
      throwRuleError(range, (at) => texts.argumentCount({ ...at, name: word, count, given }));
    }
    return { kind: 'call', name: word, args, ...this.#from(range) };
  }

  /** Values between brackets, at least one; the opening bracket is already read. */
  #list(value: () => Syntax): Syntax[] {
    const values = [value()];
    while (this.#acceptSign(',')) values.push(value());
    if (!this.#acceptSign(')')) this.#refuse('commaOrClosing');
    return values;
  }

  #nested<Result>(read: () => Result): Result {
    if (++this.#depth > MAX_RULE_DEPTH) {
      throwRuleError(this.#token, (at) => texts.tooDeep({ ...at, max: MAX_RULE_DEPTH }));
    }
    const result = read();
    this.#depth--;
    return result;
  }

  get #token(): Token {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1);
    if (!token) throw new Error('A rule has an end.');
    return token;
  }

  #acceptSign(sign: string): boolean {
    return this.#accept('sign', (value) => value === sign);
  }

  #acceptWord(word: string): boolean {
    return this.#accept('name', (value) => value.toLowerCase() === word);
  }

  #accept(kind: Token['kind'], test: (value: string) => boolean): boolean {
    const token = this.#token;
    if (token.kind !== kind || !test(token.value)) return false;
    this.#at++;
    return true;
  }

  /** From the beginning of something to the end of the previous token. */
  #from({ offset }: SourceRange): SourceRange {
    const last = this.#tokens[this.#at - 1];
    return { offset, length: last ? last.offset + last.length - offset : 0 };
  }

  #refuse(expected: Expected): never {
    const token = this.#token;
    const found = written(token);
    throwRuleError(token, (at) =>
      token.kind === 'end'
        ? texts.expectedAtEnd({ ...at, expected })
        : texts.expected({ ...at, expected, found }),
    );
  }
}

const TEXT_TESTS = [
  ['starts', 'startsWith'],
  ['ends', 'endsWith'],
] as const;

/** A token in a message, as it is written. */
function written({ kind, value }: Token): string {
  if (kind === 'quoted') return `"${value}"`;
  return kind === 'text' ? `'${value.replaceAll("'", "''")}'` : value;
}

function isFunction(word: string): word is FunctionName {
  return Object.hasOwn(FUNCTIONS, word);
}

/** Whether only `and` and `or` can follow. */
function isCondition({ kind }: Syntax): boolean {
  return !['number', 'text', 'date', 'constant', 'field', 'call', 'negate', 'arithmetic'].includes(
    kind,
  );
}
