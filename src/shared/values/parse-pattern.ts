import type { PatternProblem } from '#messages/checks.ts';
import {
  CLASSES,
  complement,
  inBothCases,
  LAST_POINT,
  NAMED_CLASSES,
  rangesOfProperty,
} from './character-ranges.ts';
import { isRepeatedAtMost, MAX_SIZE, sizeOf } from './pattern-size.ts';
import type { Characters, Counts, Pattern, Place, Range } from './pattern-tree.ts';

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
/** The maximum number of ranges of characters, which PostgreSQL gets as text; a class of Unicode has up to some 700. */
const MAX_RANGES = 20_000;
const MAX_DEPTH = 50;

type PatternResult =
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
    while (this.#accept('|')) parts.push(this.#sequence());
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
        this.#accept('?');
        repeatedUntil = this.#at;
        const repeated = repeat(part, counts);
        if (!isRepeatedAtMost(repeated, MAX_REPEATED)) throw new PatternError('repetition', start);
        parts.push(repeated);
      } else if (this.#accept('\\Q')) parts.push(...this.#quoted());
      else if (!this.#setsFlags()) parts.push(this.#atom());
    }
    return { kind: 'sequence', parts };
  }

  #quoted(): Characters[] {
    const parts: Characters[] = [];
    while (this.#at < this.#text.length && !this.#accept('\\E')) parts.push(this.#character());
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
    if (this.#accept('*')) return { min: 0, max: null };
    if (this.#accept('+')) return { min: 1, max: null };
    if (this.#accept('?')) return { min: 0, max: 1 };
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
    if (this.#accept('(')) return this.#group(start);
    if (this.#accept('[')) return this.#class(start);
    if (this.#accept('^')) return { kind: 'place', place: this.#flags.m ? 'lineStart' : 'start' };
    if (this.#accept('$')) return { kind: 'place', place: this.#flags.m ? 'lineEnd' : 'end' };
    if (this.#accept('.')) {
      return { kind: 'characters', ranges: this.#flags.s ? [] : [[10, 10]], negated: true };
    }
    if (this.#accept('\\')) {
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
    if (!this.#accept(')')) throw new PatternError('unclosedGroup', start);
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
    const isNegated = this.#accept('^');
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
    return this.#accept('\\') ? this.#escape(at) : this.#character();
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

  #accept(text: string): boolean {
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

/** The only character that is matched; null: there are others. */
function pointOf({ ranges: [first, second], negated }: Characters): number | null {
  return first && !second && !negated && first[0] === first[1] ? first[0] : null;
}

/** A repeated part. A position (such as `^`) matches the same however often it is repeated. */
function repeat(part: Pattern, counts: Counts): Pattern {
  if (part.kind !== 'place') return { kind: 'repeat', part, ...counts };
  return counts.min > 0 ? part : { kind: 'sequence', parts: [] };
}
