import { matchesPattern } from './pattern.ts';

/**
 * A text that a regular expression matches, for people who do not read expressions: `DE[0-9]{9}` gives
 * `DE123456789`. Null if the expression is not a simple one of letters, classes, groups and counts.
 */
export function exampleOf(pattern: string): string | null {
  const reader = new Reader(pattern);
  const example = reader.alternatives();
  if (example === null || example === '' || !reader.atEnd()) return null;
  return matchesPattern(pattern, example) ? example : null;
}

/** A longer text is not a useful example. */
const MAX_REPEATED = 20;
const ESCAPED: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9', s: ' ' };

class Reader {
  readonly #pattern: string;
  #at = 0;
  /** increments with each character, so that digits and letters of an example differ */
  #turn = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  atEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  /** The first alternative; the others are only skipped. */
  alternatives(): string | null {
    const first = this.#sequence();
    while (this.#takes('|')) if (this.#sequence() === null) return null;
    return first;
  }

  #sequence(): string | null {
    let text = '';
    while (!this.atEnd() && !/[|)]/.test(this.#here())) {
      if (this.#takes('^') || this.#takes('$')) continue;
      const start = this.#at;
      const [startTurn, one] = [this.#turn, this.#atom()];
      const times = one === null ? null : this.#times();
      if (times === null) return null;
      const end = this.#at;
      this.#turn = startTurn;
      for (let i = 0; i < times; i++) {
        this.#at = start;
        text += this.#atom() ?? '';
      }
      this.#at = end;
    }
    return text;
  }

  #atom(): string | null {
    if (this.#takes('(')) {
      if (this.#takes('?') && !this.#takes(':')) return null;
      const inner = this.alternatives();
      return this.#takes(')') ? inner : null;
    }
    if (this.#takes('[')) {
      const end = this.#pattern.indexOf(']', this.#at);
      const members = this.#pattern.slice(this.#at, end);
      if (end < 0 || members.startsWith('^') || members.includes('[')) return null;
      this.#at = end + 1;
      return this.#oneOf(members.replaceAll(/\\(.)/g, (_, sign: string) => ESCAPED[sign] ?? sign));
    }
    const sign = this.#here();
    this.#at++;
    if (sign === '.') return this.#oneOf('A-Z');
    if (sign !== '\\') return /[*+?{}\]]/.test(sign) ? null : sign;
    const escaped = this.#here();
    this.#at++;
    const members = ESCAPED[escaped];
    if (members !== undefined) return this.#oneOf(members);
    return /[a-z0-9]/i.test(escaped) ? null : escaped;
  }

  /** How often the preceding atom occurs in an example; null: not known. */
  #times(): number | null {
    if (this.#takes('?')) return 1;
    if (this.#takes('*') || this.#takes('+')) return 1;
    if (!this.#takes('{')) return 1;
    const counts = /^([0-9]+)(?:,[0-9]*)?\}/.exec(this.#pattern.slice(this.#at));
    if (!counts) return null;
    this.#at += counts[0].length;
    const least = Number(counts[1]);
    return least <= MAX_REPEATED ? Math.max(1, least) : null;
  }

  /** A member of a class: the next one of its first range, or its first character. */
  #oneOf(members: string): string | null {
    if (members === '') return null;
    if (members[1] !== '-' || members.length < 3) return members.charAt(0);
    const [first, last] = [members.charCodeAt(0), members.charCodeAt(2)];
    // Digits start at one.
    const shift = members.startsWith('0') ? 1 : 0;
    return String.fromCharCode(first + ((this.#turn++ + shift) % (last - first + 1)));
  }

  #here(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #takes(sign: string): boolean {
    if (this.#here() !== sign) return false;
    this.#at++;
    return true;
  }
}
