import type { PatternProblem } from '#messages/checks.ts';

/**
 * Patterns of `matches`: the regular expressions that RE2 and PostgreSQL interpret in the same way, so that all three
 * evaluations agree. Parsed into a tree, from which PostgreSQL's form is generated; RE2 takes the pattern as it is.
 */
export type Pattern =
  | { readonly kind: 'characters'; readonly ranges: readonly Range[]; readonly negated: boolean }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'alternatives'; readonly parts: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly part: Pattern;
      readonly min: number;
      /** null: any number */
      readonly max: number | null;
    };

/** Code points, both inclusive. */
type Range = readonly [from: number, to: number];

/** PostgreSQL repeats at most 255 times. */
const MAX_REPEATED = 250;
/** The maximum number of characters of a pattern with its repetitions written out, so that no engine refuses it. */
const MAX_SIZE = 500;
const MAX_DEPTH = 50;

export type PatternResult =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly problem: PatternProblem; readonly offset: number };

class PatternError extends Error {
  readonly problem: PatternProblem;
  readonly offset: number;

  constructor(problem: PatternProblem, offset: number) {
    super(problem);
    this.problem = problem;
    this.offset = offset;
  }
}

/** Parses a pattern. @returns the tree, or what is wrong and where (UTF-16 units) */
export function readPattern(text: string): PatternResult {
  try {
    const pattern = new PatternReader(text).whole();
    if (sizeOf(pattern) > MAX_SIZE) throw new PatternError('tooLarge', 0);
    return { ok: true, pattern };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { ok: false, problem: error.problem, offset: error.offset };
  }
}

const DIGITS: readonly Range[] = [rangeOf('0', '9')];
const WORDS: readonly Range[] = [
  ...DIGITS,
  rangeOf('A', 'Z'),
  rangeOf('_', '_'),
  rangeOf('a', 'z'),
];
/** Tab, line feed, form feed, carriage return, blank: not the vertical tab, as in RE2. */
const SPACES: readonly Range[] = [[9, 10], [12, 13], rangeOf(' ', ' ')];
const CLASSES: Readonly<Record<string, readonly Range[]>> = { d: DIGITS, w: WORDS, s: SPACES };
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, f: 12, r: 13 };
const PUNCTUATION = /[!-/:-@[-`{-~]/;

class PatternReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Pattern {
    const pattern = this.#alternatives();
    if (this.#at < this.#text.length) throw new PatternError('unopened', this.#at);
    return pattern;
  }

  #alternatives(): Pattern {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return { kind: 'alternatives', parts };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#next)) {
      parts.push(this.#repeated());
    }
    return { kind: 'sequence', parts };
  }

  #repeated(): Pattern {
    const part = this.#atom();
    const start = this.#at;
    const counts = this.#counts();
    if (!counts) return part;
    if (part.kind === 'start' || part.kind === 'end') {
      throw new PatternError('nothingToRepeat', start);
    }
    // Greedy or lazy makes no difference when the whole text is matched.
    this.#takes('?');
    if (this.#counts()) throw new PatternError('nothingToRepeat', this.#at - 1);
    return { kind: 'repeat', part, ...counts };
  }

  #counts(): { readonly min: number; readonly max: number | null } | null {
    if (this.#takes('*')) return { min: 0, max: null };
    if (this.#takes('+')) return { min: 1, max: null };
    if (this.#takes('?')) return { min: 0, max: 1 };
    if (this.#next !== '{') return null;
    const written = /^\{([0-9]{1,4})(?:(,)([0-9]{1,4})?)?\}/.exec(this.#text.slice(this.#at));
    const min = Number(written?.[1]);
    const max = written?.[2] === undefined ? min : written[3] === undefined ? null : +written[3];
    if (!written || min > MAX_REPEATED || (max !== null && (max > MAX_REPEATED || max < min))) {
      throw new PatternError('repetition', this.#at);
    }
    this.#at += written[0].length;
    return { min, max };
  }

  #atom(): Pattern {
    const start = this.#at;
    if (this.#takes('(')) return this.#group(start);
    if (this.#takes('[')) return this.#class(start);
    if (this.#takes('^')) return { kind: 'start' };
    if (this.#takes('$')) return { kind: 'end' };
    if (this.#takes('.')) return { kind: 'characters', ranges: [[10, 10]], negated: true };
    if (this.#takes('\\')) return this.#escape(start);
    if ('*+?{'.includes(this.#next)) throw new PatternError('nothingToRepeat', start);
    if ('}]'.includes(this.#next)) throw new PatternError('unopened', start);
    return one(this.#character());
  }

  #group(start: number): Pattern {
    if (this.#takes('?') && !this.#takes(':')) throw new PatternError('group', start);
    if (++this.#depth > MAX_DEPTH) throw new PatternError('tooLarge', start);
    const inner = this.#alternatives();
    this.#depth--;
    if (!this.#takes(')')) throw new PatternError('unclosedGroup', start);
    return inner;
  }

  #escape(start: number): Extract<Pattern, { kind: 'characters' }> {
    const sign = this.#next;
    if (sign !== '') this.#at++;
    const control = CONTROLS[sign];
    if (control !== undefined) return one(control);
    const ranges = CLASSES[sign.toLowerCase()];
    if (ranges) return { kind: 'characters', ranges, negated: sign !== sign.toLowerCase() };
    if (!PUNCTUATION.test(sign)) throw new PatternError('escape', start);
    return one(sign.charCodeAt(0));
  }

  #class(start: number): Pattern {
    const negated = this.#takes('^');
    const ranges: Range[] = [];
    while (ranges.length === 0 || this.#next !== ']') {
      const at = this.#at;
      const first = this.#member(start);
      const hasRange = this.#next === '-' && !['', ']'].includes(this.#text.charAt(this.#at + 1));
      if (!hasRange) {
        ranges.push(...first);
        continue;
      }
      this.#at++;
      const last = this.#member(start);
      const [from, to] = [first[0]?.[0] ?? 0, last[0]?.[0] ?? 0];
      if (!isOne(first) || !isOne(last) || from > to) throw new PatternError('range', at);
      ranges.push([from, to]);
    }
    this.#at++;
    return { kind: 'characters', ranges, negated };
  }

  #member(start: number): readonly Range[] {
    if (this.#at >= this.#text.length) throw new PatternError('unclosedClass', start);
    const at = this.#at;
    // Brackets in a class have a special meaning in some engines: they must be escaped with \.
    if ('[]'.includes(this.#next)) throw new PatternError('unopened', at);
    if (!this.#takes('\\')) return one(this.#character()).ranges;
    const { ranges, negated } = this.#escape(at);
    if (negated) throw new PatternError('escape', at);
    return ranges;
  }

  #character(): number {
    const point = this.#text.codePointAt(this.#at) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  get #next(): string {
    return this.#text.charAt(this.#at);
  }

  #takes(sign: string): boolean {
    if (this.#next !== sign) return false;
    this.#at++;
    return true;
  }
}

function rangeOf(from: string, to: string): Range {
  return [from.charCodeAt(0), to.charCodeAt(0)];
}

function one(point: number): Extract<Pattern, { kind: 'characters' }> {
  return { kind: 'characters', ranges: [[point, point]], negated: false };
}

function isOne(ranges: readonly Range[]): boolean {
  return ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];
}

/** The number of characters of a pattern with its repetitions written out. */
function sizeOf(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'characters':
      return pattern.ranges.length;
    case 'start':
    case 'end':
      return 1;
    case 'sequence':
    case 'alternatives':
      return pattern.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case 'repeat':
      return Math.max(1, pattern.max ?? pattern.min + 1) * sizeOf(pattern.part);
    default:
      return pattern satisfies never;
  }
}
