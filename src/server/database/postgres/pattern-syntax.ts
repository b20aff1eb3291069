import type { Pattern } from '#shared/checks/rule-pattern.ts';

/** A pattern of `matches` for the whole text, as a regular expression of PostgreSQL. */
export function postgresPattern(pattern: Pattern): string {
  return `^(?:${written(pattern)})$`;
}

function written(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'characters': {
      const ranges = pattern.ranges.map(([from, to]) =>
        from === to ? character(from) : `${character(from)}-${character(to)}`,
      );
      return `[${pattern.negated ? '^' : ''}${ranges.join('')}]`;
    }
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'sequence':
      return `(?:${pattern.parts.map(written).join('')})`;
    case 'alternatives':
      return `(?:${pattern.parts.map(written).join('|')})`;
    case 'repeat':
      return `(?:${written(pattern.part)}){${pattern.min},${pattern.max ?? ''}}`;
    default:
      return pattern satisfies never;
  }
}

/** Written by its code point, so that no character has a special meaning. */
function character(point: number): string {
  return `\\U${point.toString(16).padStart(8, '0')}`;
}
