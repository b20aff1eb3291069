import type { Range } from './pattern-tree.ts';

export const LAST_POINT = 0x10_ffff;
const DIGITS: readonly Range[] = [rangeOf('0', '9')];
const UPPER: readonly Range[] = [rangeOf('A', 'Z')];
const LOWER: readonly Range[] = [rangeOf('a', 'z')];
const WORDS: readonly Range[] = [...UPPER, ...LOWER, ...DIGITS, rangeOf('_', '_')];
/** Blank, tab, line feed, form feed, carriage return: not the vertical tab, as in RE2. */
const SPACES: readonly Range[] = [rangeOf(' ', ' '), [9, 10], [12, 13]];
/** The classes `\d`, `\w` and `\s`, by their letters. */
export const CLASSES: Readonly<Record<string, readonly Range[]>> = {
  d: DIGITS,
  w: WORDS,
  s: SPACES,
};
/** The classes `[:alpha:]`, by their names. */
export const NAMED_CLASSES: Readonly<Record<string, readonly Range[]>> = {
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

function rangeOf(from: string, to: string): Range {
  return [from.charCodeAt(0), to.charCodeAt(0)];
}

/** All other characters. */
export function complement(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from > next) others.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= LAST_POINT) others.push([next, LAST_POINT]);
  return others;
}

/** Scripts with names of four letters. JavaScript also accepts codes of four letters for all scripts, RE2 does not. */
const SHORT_SCRIPTS = ['Cham', 'Kawi', 'Lisu', 'Miao', 'Modi', 'Newa', 'Thai', 'Toto'];
const properties = new Map<string, readonly Range[]>();

/** The characters of a category or script of Unicode; null: the name is unknown. */
export function rangesOfProperty(name: string): readonly Range[] | null {
  if (name === 'Any') return [[0, LAST_POINT]];
  if (name.length === 4 && !SHORT_SCRIPTS.includes(name)) return null;
  const known = properties.get(name);
  if (known) return known;
  // In RE2, categories have codes of one or two letters.
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
export function inBothCases(ranges: readonly Range[]): readonly Range[] {
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
