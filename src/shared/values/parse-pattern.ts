import type { PatternProblem } from '#messages/checks.ts';

/**
 * A regular expression of RE2 that is matched against a whole text, as a tree. PostgreSQL's form of it and examples are
 * made from the tree, RE2 takes the expression as it is. Flags are resolved: a character that is matched in upper and
 * lower case stands with both.
 */
export type Pattern =
  | { readonly kind: 'characters'; readonly ranges: readonly Range[]; readonly negated: boolean }
  /** a place between two characters */
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'sequence' | 'alternatives'; readonly parts: readonly Pattern[] }
  | (Counts & { readonly kind: 'repeat'; readonly part: Pattern });

export type Place = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'wordEdge' | 'noWordEdge';

/** Code points, both inclusive. */
type Range = readonly [from: number, to: number];
type Characters = Extract<Pattern, { kind: 'characters' }>;

interface Counts {
  readonly min: number;
  /** null: any number */
  readonly max: number | null;
}

interface Flags {
  /** upper and lower case are equal */
  readonly i: boolean;
  /** `^` and `$` match at each line */
  readonly m: boolean;
  /** `.` matches line feeds */
  readonly s: boolean;
}

/** As in RE2. */
const MAX_REPEATED = 1000;
/** The maximum of `sizeOf`: PostgreSQL prepares such a pattern within a second or so; it refuses much larger ones. */
const MAX_SIZE = 2500;
/** The maximum number of ranges of characters, which PostgreSQL gets as text; a class of Unicode has up to some 700. */
const MAX_RANGES = 20_000;
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

/**
 * Parses a regular expression of RE2 (https://github.com/google/re2/wiki/Syntax).
 * @returns the tree, or what is wrong and where (UTF-16 units). What PostgreSQL could not prepare within a second or
 *   so is `tooLarge`: a pattern of more than some 500 parts with its repetitions written out, more than seven times `\b` or
 *   eleven times `(?m)^`, either of them within a repeated group that may be empty, or dozens of classes such as `\pL`.
 */
export function parsePattern(text: string): PatternResult {
  try {
    const pattern = new PatternParser(text).whole();
    if (sizeOf(pattern) > MAX_SIZE) throw new PatternError('tooLarge', 0);
    return { ok: true, pattern };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { ok: false, problem: error.problem, offset: error.offset };
  }
}

const LAST_POINT = 0x10_ffff;
const DIGITS: readonly Range[] = [rangeOf('0', '9')];
const UPPER: readonly Range[] = [rangeOf('A', 'Z')];
const LOWER: readonly Range[] = [rangeOf('a', 'z')];
const WORDS: readonly Range[] = [...UPPER, ...LOWER, ...DIGITS, rangeOf('_', '_')];
/** Blank, tab, line feed, form feed, carriage return: not the vertical tab, as in RE2. */
const SPACES: readonly Range[] = [rangeOf(' ', ' '), [9, 10], [12, 13]];
const CLASSES: Readonly<Record<string, readonly Range[]>> = { d: DIGITS, w: WORDS, s: SPACES };
const NAMED_CLASSES: Readonly<Record<string, readonly Range[]>> = {
  alnum: [...DIGITS, ...UPPER, ...LOWER],
  alpha: [...UPPER, ...LOWER],
  ascii: [[0, 127]],
  blank: [rangeOf('\t', '\t'), rangeOf(' ', ' ')],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: DIGITS,
  graph: [rangeOf('!', '~')],
  lower: LOWER,
  print: [rangeOf(' ', '~')],
  punct: [rangeOf('!', '/'), rangeOf(':', '@'), rangeOf('[', '`'), rangeOf('{', '~')],
  space: [[9, 13], rangeOf(' ', ' ')],
  upper: UPPER,
  word: WORDS,
  xdigit: [...DIGITS, rangeOf('A', 'F'), rangeOf('a', 'f')],
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const PLACES: Readonly<Record<string, Place>> = {
  A: 'start',
  z: 'end',
  b: 'wordEdge',
  B: 'noWordEdge',
};
/** They stand for themselves after a backslash. */
const SIGNS = /[\0-/:-@[-`{-\x7f]/;
const REPETITION = /\{([0-9]+)(?:(,)([0-9]+)?)?\}/y;
const FLAGS = /\?([imsU]*)(-[imsU]+)?([:)])/y;
const GROUP_NAME = /\?P?<[A-Za-z0-9_]+>/y;
const CODE_POINT = /x(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2}))/y;
const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y;
const PROPERTY = /[pP](?:\{(\^?)([A-Za-z_]+)\}|([A-Z]))/y;
const NAMED_CLASS = /\[:(\^?)([a-z]+):\]/y;

class PatternParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #ranges = 0;
  readonly #groupNames = new Set<string>();
  #flags: Flags = { i: false, m: false, s: false };

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
    let repeatedUntil = -1;
    while (this.#at < this.#text.length && !'|)'.includes(this.#next)) {
      const start = this.#at;
      const counts = this.#counts();
      if (counts) {
        // Flags and empty quotes may stand between a part and its repetition.
        const part = parts.pop();
        if (!part || start === repeatedUntil) throw new PatternError('nothingToRepeat', start);
        // Greedy or lazy makes no difference when the whole text is matched.
        this.#takes('?');
        repeatedUntil = this.#at;
        const repeated = repeat(part, counts);
        if (!isRepeatedAtMost(repeated, MAX_REPEATED)) throw new PatternError('repetition', start);
        parts.push(repeated);
      } else if (this.#takes('\\Q')) parts.push(...this.#quoted());
      else if (!this.#setsFlags()) parts.push(this.#atom());
    }
    return { kind: 'sequence', parts };
  }

  #quoted(): Characters[] {
    const parts: Characters[] = [];
    while (this.#at < this.#text.length && !this.#takes('\\E')) parts.push(this.#character());
    return parts;
  }

  /** Flags for the rest of the group: `(?i)`. */
  #setsFlags(): boolean {
    if (!this.#text.startsWith('(?', this.#at)) return false;
    const start = this.#at;
    this.#at++;
    const flags = this.#match(FLAGS);
    if (flags?.[3] === ')') {
      this.#flags = withFlags(this.#flags, flags);
      return true;
    }
    this.#at = start;
    return false;
  }

  #counts(): Counts | null {
    if (this.#takes('*')) return { min: 0, max: null };
    if (this.#takes('+')) return { min: 1, max: null };
    if (this.#takes('?')) return { min: 0, max: 1 };
    const start = this.#at;
    const written = this.#match(REPETITION);
    if (!written) return null;
    const min = Number(written[1]);
    const max = written[2] === undefined ? min : written[3] === undefined ? null : +written[3];
    if (min > MAX_REPEATED || (max !== null && (max > MAX_REPEATED || max < min))) {
      throw new PatternError('repetition', start);
    }
    return { min, max };
  }

  #atom(): Pattern {
    const start = this.#at;
    if (this.#takes('(')) return this.#group(start);
    if (this.#takes('[')) return this.#class(start);
    if (this.#takes('^')) return { kind: 'place', place: this.#flags.m ? 'lineStart' : 'start' };
    if (this.#takes('$')) return { kind: 'place', place: this.#flags.m ? 'lineEnd' : 'end' };
    if (this.#takes('.')) {
      return { kind: 'characters', ranges: this.#flags.s ? [] : [[10, 10]], negated: true };
    }
    if (this.#takes('\\')) {
      const place = PLACES[this.#next];
      if (place === undefined) return this.#escape(start);
      this.#at++;
      return { kind: 'place', place };
    }
    return this.#character();
  }

  #group(start: number): Pattern {
    if (++this.#depth > MAX_DEPTH) throw new PatternError('tooLarge', start);
    const outer = this.#flags;
    const name = this.#match(GROUP_NAME)?.[0].replace('P', '');
    if (name !== undefined) {
      if (this.#groupNames.has(name)) throw new PatternError('groupName', start);
      this.#groupNames.add(name);
    } else if (this.#next === '?') {
      const flags = this.#match(FLAGS);
      if (!flags) throw new PatternError('group', start);
      this.#flags = withFlags(outer, flags);
    }
    const inner = this.#alternatives();
    this.#flags = outer;
    this.#depth--;
    if (!this.#takes(')')) throw new PatternError('unclosedGroup', start);
    return inner;
  }

  /** What stands after a backslash and matches one character. */
  #escape(start: number): Characters {
    const property = this.#match(PROPERTY);
    if (property) return this.#property(property, start);
    const code = this.#match(CODE_POINT);
    if (code) return this.#one(parseInt(code[1] ?? code[2] ?? '', 16), start);
    const octal = this.#match(OCTAL);
    if (octal) return this.#one(parseInt(octal[0], 8), start);
    const sign = this.#next;
    if (sign !== '') this.#at++;
    const control = CONTROLS[sign];
    if (control !== undefined) return this.#one(control, start);
    const ranges = CLASSES[sign.toLowerCase()];
    if (ranges) return this.#folded(ranges, sign !== sign.toLowerCase());
    if (!SIGNS.test(sign)) throw new PatternError('escape', start);
    return this.#one(sign.charCodeAt(0), start);
  }

  /** A class of Unicode: `\pL`, `\p{Greek}`, `\P{Lu}`, `\p{^Lu}`. */
  #property(property: RegExpExecArray, start: number): Characters {
    const [written, caret, name, letter] = property;
    const ranges = rangesOfProperty(name ?? letter ?? '');
    if (!ranges) throw new PatternError('property', start);
    return this.#folded(ranges, written.startsWith('P') !== (caret === '^'));
  }

  #class(start: number): Characters {
    const isNegated = this.#takes('^');
    const flags = this.#flags;
    const members: Characters[] = [];
    // The cases of characters are added to each whole member, a range or a class, below.
    this.#flags = { ...flags, i: false };
    do {
      const at = this.#at;
      const first = this.#member(start);
      const from = pointOf(first);
      const hasRange =
        from !== null && this.#next === '-' && this.#text.charAt(this.#at + 1) !== ']';
      if (!hasRange) {
        members.push(first);
        continue;
      }
      this.#at++;
      const to = pointOf(this.#member(start));
      if (to === null || from > to) throw new PatternError('range', at);
      members.push({ kind: 'characters', ranges: [[from, to]], negated: false });
    } while (this.#next !== ']');
    this.#at++;
    this.#flags = flags;
    const ranges = members.flatMap((member) => {
      const folded = this.#folded(member.ranges, member.negated);
      return folded.negated ? complement(folded.ranges) : folded.ranges;
    });
    return { kind: 'characters', ranges, negated: isNegated };
  }

  /** A part of a class. */
  #member(start: number): Characters {
    if (this.#at >= this.#text.length) throw new PatternError('unclosedClass', start);
    const at = this.#at;
    const named = this.#match(NAMED_CLASS);
    if (named) {
      const ranges = NAMED_CLASSES[named[2] ?? ''];
      if (!ranges) throw new PatternError('property', at);
      return { kind: 'characters', ranges, negated: named[1] === '^' };
    }
    return this.#takes('\\') ? this.#escape(at) : this.#character();
  }

  #character(): Characters {
    const start = this.#at;
    const point = this.#text.codePointAt(start) ?? 0;
    this.#at += point > 0xffff ? 2 : 1;
    return this.#one(point, start);
  }

  #one(point: number, start: number): Characters {
    if (point > LAST_POINT) throw new PatternError('escape', start);
    return this.#folded([[point, point]], false);
  }

  /** Characters by the flags in effect. */
  #folded(ranges: readonly Range[], negated: boolean): Characters {
    this.#ranges += ranges.length;
    if (this.#ranges > MAX_RANGES) throw new PatternError('tooLarge', 0);
    return { kind: 'characters', ranges: this.#flags.i ? inBothCases(ranges) : ranges, negated };
  }

  get #next(): string {
    return this.#text.charAt(this.#at);
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Reads what a sticky expression matches here. */
  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match) this.#at += match[0].length;
    return match;
  }
}

function withFlags(flags: Flags, [, on = '', off = '']: RegExpExecArray): Flags {
  const value = (name: keyof Flags) => !off.includes(name) && (on.includes(name) || flags[name]);
  return { i: value('i'), m: value('m'), s: value('s') };
}

function rangeOf(from: string, to: string): Range {
  return [from.charCodeAt(0), to.charCodeAt(0)];
}

/** The only character that is matched; null: there are others. */
function pointOf({ ranges: [first, second], negated }: Characters): number | null {
  return first && !second && !negated && first[0] === first[1] ? first[0] : null;
}

/** All other characters. */
function complement(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from > next) others.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST_POINT) others.push([next, LAST_POINT]);
  return others;
}

/** Scripts with names of four letters. JavaScript also knows codes of four letters for all scripts, RE2 does not. */
const SHORT_SCRIPTS = ['Cham', 'Kawi', 'Lisu', 'Miao', 'Modi', 'Newa', 'Thai', 'Toto'];
const properties = new Map<string, readonly Range[]>();

/** The characters of a category or script of Unicode; null: there is none of that name. */
function rangesOfProperty(name: string): readonly Range[] | null {
  if (name === 'Any') return [[0, LAST_POINT]];
  if (name.length === 4 && !SHORT_SCRIPTS.includes(name)) return null;
  const known = properties.get(name);
  if (known) return known;
  // RE2 knows categories by their codes of one or two letters.
  const expression = propertyOf('gc', name.length < 3 ? name : '') ?? propertyOf('Script', name);
  if (!expression) return null;
  const ranges = rangesIn(expression);
  properties.set(name, ranges);
  return ranges;
}

function propertyOf(property: 'gc' | 'Script', value: string): RegExp | null {
  try {
    return new RegExp(`\\p{${property}=${value}}`, 'u');
  } catch {
    return null;
  }
}

/** The characters that have more than one case, once found. */
let cased: readonly number[] | null = null;

/** Ranges with the other cases of their characters (simple case folding, as in RE2). */
function inBothCases(ranges: readonly Range[]): readonly Range[] {
  const escaped = ranges.map(([from, to]) => `${codePoint(from)}-${codePoint(to)}`).join('');
  const expression = new RegExp(`[${escaped}]`, 'iu');
  cased ??= rangesIn(/\p{Changes_When_Casemapped}/u).flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i),
  );
  const others = cased.filter(
    (point) =>
      !ranges.some(([from, to]) => from <= point && point <= to) &&
      expression.test(String.fromCodePoint(point)),
  );
  return [...ranges, ...others.map((point): Range => [point, point])];
}

function codePoint(point: number): string {
  return `\\u{${point.toString(16)}}`;
}

/** The characters that an expression matches. */
function rangesIn(expression: RegExp): Range[] {
  const ranges: Range[] = [];
  let start: number | null = null;
  for (let point = 0; point <= LAST_POINT + 1; point++) {
    if (point <= LAST_POINT && expression.test(String.fromCodePoint(point))) start ??= point;
    else if (start !== null) {
      ranges.push([start, point - 1]);
      start = null;
    }
  }
  return ranges;
}

/** A part repeated. A place is the same however often it is asked for. */
function repeat(part: Pattern, counts: Counts): Pattern {
  if (part.kind !== 'place') return { kind: 'repeat', part, ...counts };
  return counts.min > 0 ? part : { kind: 'sequence', parts: [] };
}

/** Whether the counts of repetitions within each other have at most this product, as RE2 demands. */
function isRepeatedAtMost(pattern: Pattern, limit: number): boolean {
  switch (pattern.kind) {
    case 'characters':
    case 'place':
      return true;
    case 'sequence':
    case 'alternatives':
      return pattern.parts.every((part) => isRepeatedAtMost(part, limit));
    case 'repeat': {
      const { part, min, max } = pattern;
      // `*`, `+` and `?` are no counts.
      const count = (max ?? min) > 1 ? (max ?? min) : 1;
      return count <= limit && isRepeatedAtMost(part, Math.floor(limit / count));
    }
    default:
      return pattern satisfies never;
  }
}

const PLACE_SIZES: Readonly<Record<Place, number>> = {
  start: 5,
  end: 5,
  // Its time is exponential in the number of these, where they may follow each other without a character between them.
  lineStart: 220,
  lineEnd: 220,
  wordEdge: 350,
  noWordEdge: 350,
};

/** An estimate of what PostgreSQL has to prepare, with repetitions written out. */
function sizeOf(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'characters':
      return 2;
    case 'place':
      return PLACE_SIZES[pattern.place];
    case 'sequence':
    case 'alternatives':
      return pattern.parts.reduce((sum, part) => sum + sizeOf(part), 5);
    case 'repeat': {
      const { part, min, max } = pattern;
      const size = sizeOf(part);
      if (size > MAX_SIZE || (max !== 1 && looksAround(part) && matchesEmpty(part)))
        return Infinity;
      return Math.max(5, (max ?? min + 1) * size);
    }
    default:
      return pattern satisfies never;
  }
}

/** Whether PostgreSQL has to look at the characters around a place. */
function looksAround(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'characters':
      return false;
    case 'place':
      return pattern.place !== 'start' && pattern.place !== 'end';
    case 'sequence':
    case 'alternatives':
      return pattern.parts.some(looksAround);
    case 'repeat':
      return looksAround(pattern.part);
    default:
      return pattern satisfies never;
  }
}

/** Whether a pattern may match an empty text. */
function matchesEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'characters':
      return false;
    case 'place':
      return true;
    case 'sequence':
      return pattern.parts.every(matchesEmpty);
    case 'alternatives':
      return pattern.parts.some(matchesEmpty);
    case 'repeat':
      return pattern.min === 0 || matchesEmpty(pattern.part);
    default:
      return pattern satisfies never;
  }
}
