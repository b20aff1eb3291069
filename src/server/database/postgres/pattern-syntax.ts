import type { Pattern, Place } from '#shared/values/pattern-tree.ts';

/** A pattern for the whole text, as a regular expression of PostgreSQL. */
export function postgresPattern(pattern: Pattern): string {
  return `^(?:${written(pattern)})$`;
}

const WORD = '[0-9A-Z_a-z]';
const AFTER_WORD = `(?<=${WORD})`;
const BEFORE_WORD = `(?=${WORD})`;
const NOT_AFTER_WORD = `(?<!${WORD})`;
const NOT_BEFORE_WORD = `(?!${WORD})`;
const PLACES: Readonly<Record<Place, string>> = {
  start: '^',
  end: '$',
  lineStart: '(?<![^\\n])',
  lineEnd: '(?![^\\n])',
  // PostgreSQL's own \y counts letters of all languages as parts of words.
  wordEdge: `(?:${AFTER_WORD}${NOT_BEFORE_WORD}|${NOT_AFTER_WORD}${BEFORE_WORD})`,
  noWordEdge: `(?:${AFTER_WORD}${BEFORE_WORD}|${NOT_AFTER_WORD}${NOT_BEFORE_WORD})`,
};

function written(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'characters':
      return characters(pattern);
    case 'place':
      return PLACES[pattern.place];
    case 'sequence':
      return `(?:${pattern.parts.map(written).join('')})`;
    case 'alternatives':
      return `(?:${pattern.parts.map(written).join('|')})`;
    case 'repeat': {
      const part = `(?:${written(pattern.part)})`;
      const { min, max } = pattern;
      if (max === null) return `${times(part, min)}${part}*`;
      return `${times(part, min)}${upTo(part, max - min)}`;
    }
    default:
      return pattern satisfies never;
  }
}

/** PostgreSQL repeats at most 255 times. */
const MAX_REPEATED = 250;

function times(part: string, count: number): string {
  const groups = Math.floor(count / MAX_REPEATED);
  const rest = `${part}{${count % MAX_REPEATED}}`;
  return groups === 0 ? rest : `(?:${part}{${MAX_REPEATED}}){${groups}}${rest}`;
}

function upTo(part: string, count: number): string {
  const groups = Math.floor(count / MAX_REPEATED);
  const rest = `${part}{0,${count % MAX_REPEATED}}`;
  return groups === 0 ? rest : `(?:${part}{0,${MAX_REPEATED}}){${groups}}${rest}`;
}

/** PostgreSQL's texts have no character 0. */
function characters({ ranges, negated }: Extract<Pattern, { kind: 'characters' }>): string {
  const stored = ranges
    .map(([from, to]) => [Math.max(from, 1), to] as const)
    .filter(([from, to]) => from <= to);
  if (stored.length === 0) return negated ? `[${character(1)}-${character(0x10_ffff)}]` : NOTHING;
  const members = stored.map(([from, to]) =>
    from === to ? character(from) : `${character(from)}-${character(to)}`,
  );
  return `[${negated ? '^' : ''}${members.join('')}]`;
}

/** Matches no text. */
const NOTHING = '(?!)';

/** Written by its code point, so that no character has a special meaning. */
function character(point: number): string {
  return `\\U${point.toString(16).padStart(8, '0')}`;
}
