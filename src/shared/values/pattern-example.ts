import { parsePattern } from './parse-pattern.ts';
import type { Pattern } from './pattern-tree.ts';
import { matchesPattern } from './pattern.ts';

/**
 * A text that a regular expression matches, for people who do not read expressions: `DE[0-9]{9}` gives
 * `DE123456789`. Null where none was found, or a text would say little.
 */
export function exampleOf(pattern: string): string | null {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return null;
  const example = new ExampleWriter().textOf(parsed.pattern);
  if (example === null || example === '') return null;
  return matchesPattern(pattern, example) ? example : null;
}

/** A longer text is not a useful example. */
const MAX_REPEATED = 20;

class ExampleWriter {
  /** increments with each character, so that digits and letters of an example differ */
  #turn = 0;

  textOf(pattern: Pattern): string | null {
    switch (pattern.kind) {
      case 'characters':
        return this.#member(pattern);
      case 'place':
        return '';
      case 'alternatives':
        return pattern.parts[0] ? this.textOf(pattern.parts[0]) : null;
      case 'sequence':
        return this.#joined(pattern.parts);
      case 'repeat': {
        const times = pattern.max === 0 ? 0 : Math.max(1, pattern.min);
        if (times > MAX_REPEATED) return null;
        return this.#joined(Array.from({ length: times }, () => pattern.part));
      }
      default:
        return pattern satisfies never;
    }
  }

  #joined(parts: readonly Pattern[]): string | null {
    let text = '';
    for (const part of parts) {
      const next = this.textOf(part);
      if (next === null) return null;
      text += next;
    }
    return text;
  }

  /** The next character of the first range. */
  #member({ ranges, negated }: Extract<Pattern, { kind: 'characters' }>): string | null {
    // Of negated classes only `.` has an example: a letter.
    if (negated && ranges.some(([from, to]) => from !== LINE_FEED || to !== LINE_FEED)) return null;
    const [first, last] = negated ? LETTERS : (ranges[0] ?? LETTERS);
    // Control characters say nothing.
    if (first < BLANK) return null;
    if (first === last) return String.fromCodePoint(first);
    // Digits start at one.
    const shift = first === DIGIT_ZERO ? 1 : 0;
    return String.fromCodePoint(first + ((this.#turn++ + shift) % (last - first + 1)));
  }
}

const LINE_FEED = 10;
const BLANK = 32;
const DIGIT_ZERO = 48;
const LETTERS = [65, 90] as const;
