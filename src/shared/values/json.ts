import * as texts from '#messages/json.ts';
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
  const parser = parseInParts(text, limits);
  for (;;) {
    const part = parser.next();
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
  const parser = parseInParts(text, limits);
  for (;;) {
    const part = parser.next();
    if (part.done) return part.value;
    await pause();
  }
}

type Parser<Value> = Generator<undefined, Value, undefined>;

/** Yields after each part of the text. */
function* parseInParts(text: string, limits: JsonLimits): Parser<JsonValue> {
  let at = 0;
  let values = 0;
  let pauseAt = VALUES_UNTIL_PAUSE;

  const fail = (what: string): never => {
    throw new JsonSyntaxError(texts.atCharacter({ what, value: at + 1 }));
  };
  const skipBlanks = () => {
    BLANKS.lastIndex = at;
    BLANKS.test(text);
    at = BLANKS.lastIndex;
  };

  const string = (): string => {
    const start = ++at;
    let escaped = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 34) break;
      if (code === 92) {
        escaped = true;
        at += 2;
      } else if (code >= 32) at++;
      else fail(at >= text.length ? texts.stringNotClosed : texts.controlCharacter);
      if (at > text.length) fail(texts.stringNotClosed);
    }
    const raw = text.slice(start, at++);
    if (!escaped) return raw;
    try {
      const unescaped: unknown = JSON.parse(`"${raw}"`);
      if (typeof unescaped === 'string') return unescaped;
    } catch {
      // Reported below, with our own message.
    }
    return fail(texts.unknownEscape);
  };

  const array = function* (depth: number): Parser<JsonValue[]> {
    const items: JsonValue[] = [];
    at++;
    skipBlanks();
    if (text[at] === ']') {
      at++;
      return items;
    }
    for (;;) {
      const first = begin(depth);
      items.push(isOpening(first) ? yield* container(first, depth + 1) : scalar(first));
      skipBlanks();
      if (values >= pauseAt) {
        pauseAt += VALUES_UNTIL_PAUSE;
        yield;
      }
      const next = text[at++];
      if (next === ']') return items;
      if (next !== ',') {
        at--;
        fail(texts.commaOrBracketMissing);
      }
    }
  };

  const object = function* (depth: number): Parser<JsonObject> {
    const members: JsonObject = {};
    let keys = 0;
    at++;
    skipBlanks();
    if (text[at] === '}') {
      at++;
      return members;
    }
    for (;;) {
      skipBlanks();
      if (text[at] !== '"') fail(texts.keyMissing);
      const key = string();
      if (++keys > limits.keys) {
        throw new JsonTooLargeError(texts.tooManyKeys(limits.keys));
      }
      if (Object.hasOwn(members, key)) fail(texts.keyGivenTwice(shorten(key)));
      skipBlanks();
      if (text[at] !== ':') fail(texts.colonMissing);
      at++;
      const first = begin(depth);
      const member = isOpening(first) ? yield* container(first, depth + 1) : scalar(first);
      skipBlanks();
      if (key === '__proto__') {
        // An assignment would set the object's prototype instead of a member.
        Object.defineProperty(members, key, { value: member, enumerable: true, writable: true });
      } else members[key] = member;
      const next = text[at++];
      if (next === '}') return members;
      if (next !== ',') {
        at--;
        fail(texts.commaOrBraceMissing);
      }
    }
  };

  /** Counts a value and skips to its first character. @returns this character */
  const begin = (depth: number): string | undefined => {
    if (depth > MAX_DEPTH) fail(texts.tooDeep(MAX_DEPTH));
    if (++values > limits.values) {
      throw new JsonTooLargeError(texts.tooManyValues(limits.values));
    }
    skipBlanks();
    return text[at];
  };

  const container = (first: '{' | '[', depth: number): Parser<JsonValue> =>
    first === '{' ? object(depth) : array(depth);

  const scalar = (first: string | undefined): JsonValue => {
    if (first === '"') return string();
    if (first === 't' || first === 'f' || first === 'n') {
      const [word, meaning] = LITERALS[first];
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text);
    if (!number) return fail(at >= text.length ? texts.endsTooEarly : texts.valueMissing);
    at = NUMBER.lastIndex;
    return new JsonNumber(number[0]);
  };

  const first = begin(0);
  const whole = isOpening(first) ? yield* container(first, 1) : scalar(first);
  skipBlanks();
  if (at < text.length) fail(texts.trailingText);
  return whole;
}

function isOpening(character: string | undefined): character is '{' | '[' {
  return character === '{' || character === '[';
}

function shorten(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length > 60 ? `${wellFormed.slice(0, 60)}…` : wellFormed;
}
