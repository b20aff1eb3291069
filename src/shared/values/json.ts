import * as texts from '#messages/json.ts';
import { truncate } from './truncate.ts';

/** How many characters of a key are quoted in an error. */
const MAX_QUOTED = 60;
/**
 * A number with its source text. JavaScript's own numbers would already have rounded
 * `1.0000000000000000001` to 1; the rules for values apply to what was sent (docs/interface/decisions.md, section 4).
 */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** What is wrong with a JSON text, as a sentence for the sender. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** the index in the text at which it was found, from 0 */
  readonly position: number;
  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** A JSON text exceeds its reader's limits. */
export class JsonTooLargeError extends Error {
  override readonly name = 'JsonTooLargeError';
}

/** The limits of a text from outside: many small values take long to parse for their size. */
export interface JsonLimits {
  /** values of every kind in the whole text */
  readonly values: number;
  /** keys of one object */
  readonly keys: number;
}

const UNLIMITED: JsonLimits = { values: Infinity, keys: Infinity };

/** Nesting deeper than any body of the interface needs is refused before it can exhaust the stack. */
const MAX_DEPTH = 64;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const BLANKS = /[ \t\n\r]*/y;
const LITERALS = { t: ['true', true], f: ['false', false], n: ['null', null] } as const;

/** After this many values a parser of a possibly long text pauses. */
const VALUES_UNTIL_PAUSE = 2_000;

/**
 * Parses JSON (RFC 8259) keeping the source text of numbers. Stricter than `JSON.parse`: a duplicate key
 * and nesting beyond 64 levels are errors.
 * @throws {JsonSyntaxError} naming what is wrong and at which character
 * @throws {JsonTooLargeError} as soon as more than `limits` was read
 */
export function parseJson(text: string, limits: JsonLimits = UNLIMITED): JsonValue {
  const parts = new JsonParser(text, limits).parse();
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value;
  }
}

/**
 * Parses JSON as `parseJson` does, and lets other work of the process run meanwhile: a text of 2,000,000 values takes
 * seconds.
 * @param pause awaited repeatedly
 * @throws what `parseJson` throws
 */
export async function parseJsonWithPauses(
  text: string,
  limits: JsonLimits,
  pause: () => Promise<void>,
): Promise<JsonValue> {
  const parts = new JsonParser(text, limits).parse();
  for (;;) {
    const part = parts.next();
    if (part.done) return part.value;
    await pause();
  }
}

type Parts<Value> = Generator<undefined, Value, undefined>;

class JsonParser {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #values = 0;
  #pauseAt = VALUES_UNTIL_PAUSE;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  /** Yields after each part of the text. */
  *parse(): Parts<JsonValue> {
    const first = this.#begin(0);
    const whole = isOpening(first) ? yield* this.#container(first, 1) : this.#scalar(first);
    this.#skipBlanks();
    if (!this.#isAtEnd()) this.#fail(texts.trailingText);
    return whole;
  }

  #container(first: '{' | '[', depth: number): Parts<JsonValue> {
    return first === '{' ? this.#object(depth) : this.#array(depth);
  }

  *#array(depth: number): Parts<JsonValue[]> {
    const items: JsonValue[] = [];
    this.#at++;
    this.#skipBlanks();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return items;
    }
    for (;;) {
      const first = this.#begin(depth);
      items.push(isOpening(first) ? yield* this.#container(first, depth + 1) : this.#scalar(first));
      this.#skipBlanks();
      if (this.#values >= this.#pauseAt) {
        this.#pauseAt += VALUES_UNTIL_PAUSE;
        yield;
      }
      const next = this.#text[this.#at++];
      if (next === ']') return items;
      if (next !== ',') {
        this.#at--;
        this.#fail(texts.commaOrBracketMissing);
      }
    }
  }

  *#object(depth: number): Parts<JsonObject> {
    const members: JsonObject = {};
    let keys = 0;
    this.#at++;
    this.#skipBlanks();
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return members;
    }
    for (;;) {
      this.#skipBlanks();
      if (this.#text[this.#at] !== '"') this.#fail(texts.keyMissing);
      const key = this.#string();
      if (++keys > this.#limits.keys) {
        throw new JsonTooLargeError(texts.tooManyKeys(this.#limits.keys));
      }
      if (Object.hasOwn(members, key)) this.#fail(texts.keyGivenTwice(truncate(key, MAX_QUOTED)));
      this.#skipBlanks();
      if (this.#text[this.#at] !== ':') this.#fail(texts.colonMissing);
      this.#at++;
      const first = this.#begin(depth);
      const member = isOpening(first)
        ? yield* this.#container(first, depth + 1)
        : this.#scalar(first);
      this.#skipBlanks();
      if (key === '__proto__') {
        // An assignment would set the object's prototype instead of a member.
        Object.defineProperty(members, key, { value: member, enumerable: true, writable: true });
      } else members[key] = member;
      const next = this.#text[this.#at++];
      if (next === '}') return members;
      if (next !== ',') {
        this.#at--;
        this.#fail(texts.commaOrBraceMissing);
      }
    }
  }

  /** Counts a value and skips to its first character. @returns this character */
  #begin(depth: number): string | undefined {
    if (depth > MAX_DEPTH) this.#fail(texts.tooDeep(MAX_DEPTH));
    if (++this.#values > this.#limits.values) {
      throw new JsonTooLargeError(texts.tooManyValues(this.#limits.values));
    }
    this.#skipBlanks();
    return this.#text[this.#at];
  }

  #string(): string {
    const start = ++this.#at;
    let escaped = false;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 34) break;
      if (code === 92) {
        escaped = true;
        this.#at += 2;
      } else if (code >= 32) this.#at++;
      else this.#fail(this.#isAtEnd() ? texts.stringNotClosed : texts.controlCharacter);
      if (this.#at > this.#text.length) this.#fail(texts.stringNotClosed);
    }
    const raw = this.#text.slice(start, this.#at++);
    if (!escaped) return raw;
    try {
      const unescaped: unknown = JSON.parse(`"${raw}"`);
      if (typeof unescaped === 'string') return unescaped;
    } catch {
      // Reported below, with our own message.
    }
    return this.#fail(texts.unknownEscape);
  }

  #scalar(first: string | undefined): JsonValue {
    if (first === '"') return this.#string();
    if (first === 't' || first === 'f' || first === 'n') {
      const [word, meaning] = LITERALS[first];
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return meaning;
      }
    }
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text);
    if (!number) return this.#fail(this.#isAtEnd() ? texts.endsTooEarly : texts.valueMissing);
    this.#at = NUMBER.lastIndex;
    return new JsonNumber(number[0]);
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#text);
    this.#at = BLANKS.lastIndex;
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  #fail(what: string): never {
    const message = texts.atCharacter({ what, value: this.#at + 1 });
    throw new JsonSyntaxError(message, this.#at);
  }
}

function isOpening(character: string | undefined): character is '{' | '[' {
  return character === '{' || character === '[';
}
