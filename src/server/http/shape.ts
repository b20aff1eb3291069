import type * as z from 'zod';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { ApiError } from '#shared/errors.ts';
import { JsonNumber } from '#shared/json.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const MOST_MESSAGES = 50;

/** The lists of which a call takes thousands of entries; other lists and objects are bounded by definitions. */
const BATCHES: readonly string[] = ['revisions', 'datasets', 'historyIds', 'states'];
const MOST_ENTRIES = 1_000;
/** Ids may be given by the hundred thousand; their schema looks at them one by one and stops at the first fault. */
const IDS: readonly string[] = ['revisionIds', 'jrids'];
const MOST_IDS = 1_000_000;

/**
 * Batches are checked in pieces of so many entries: a schema finds every fault of all it is given, and millions
 * of them would stop the service.
 */
const PIECE = 20;
/** The first index in a place; where a batch is faulty, that of its entry. */
const INDEX = /\[([0-9]+)\]/;

/**
 * Checks a body's shape. Of a batch it checks piece after piece, and lets other work of the process run meanwhile.
 * @throws {ApiError} 422 under `-`, naming each place (docs/interface/decisions.md, section 3)
 */
export async function requireShape<T>(schema: z.ZodType<T>, body: unknown): Promise<T> {
  requireBounds(body, []);
  const batch = batchOf(body);
  if (!batch) return parse(schema, body, (sentence) => sentence);
  const { key, list } = batch;
  let whole: { readonly data: T; readonly entries: unknown } | undefined;
  // An empty batch has a shape as well.
  for (let from = 0; from < Math.max(1, list.length); from += PIECE) {
    const piece = list.slice(from, from + PIECE);
    for (const [i, entry] of piece.entries()) requireBounds(entry, [key, from + i]);
    const data = parse(schema, { ...batch.body, [key]: piece }, (sentence) =>
      sentence.replace(INDEX, (_, index: string) => `[${from + Number(index)}]`),
    );
    const entries: unknown =
      typeof data === 'object' && data !== null ? Reflect.get(data, key) : [];
    if (!whole) whole = { data, entries };
    else if (Array.isArray(whole.entries) && Array.isArray(entries)) whole.entries.push(...entries);
    await yieldToEventLoop();
  }
  if (!whole) throw new Error('A batch has at least one piece.');
  return whole.data;
}

function parse<T>(schema: z.ZodType<T>, body: unknown, tell: (sentence: string) => string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const sentences = issues
    .slice(0, 2 * MOST_MESSAGES)
    .flatMap((issue) => describe(issue, [], body));
  const messages = [...new Set(sentences.map(tell))];
  if (messages.length > MOST_MESSAGES) {
    messages.splice(MOST_MESSAGES, messages.length, 'There are more errors of this kind.');
  }
  throw new ApiError('validation_failed', { '-': messages });
}

function batchOf(body: unknown) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  for (const key of BATCHES) {
    const list: unknown = Reflect.get(body, key);
    if (Array.isArray(list)) return { body, key, list };
  }
  return undefined;
}

/**
 * Refuses lists and objects of more entries than any definition has fields, before their entries are looked at. Those of
 * a batch are looked at with its pieces.
 */
function requireBounds(value: unknown, path: Path): void {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return;
  if (IDS.includes(String(path.at(-1))) && Array.isArray(value) && value.length <= MOST_IDS) return;
  if (path.length === 1 && Array.isArray(value) && BATCHES.includes(String(path[0]))) return;
  // Entries of millions are not even listed.
  if ((Array.isArray(value) ? value : Object.keys(value)).length > MOST_ENTRIES) {
    throw new ApiError('validation_failed', {
      '-': [`${at(path)} has more than ${MOST_ENTRIES} entries.`],
    });
  }
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'object')
      requireBounds(entry, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function describe(issue: Issue, base: Path, body: unknown): string[] {
  const path = [...base, ...issue.path];
  const found = valueAt(body, path);
  // A number of our parser is an object to the schemas.
  const object = issue.code === 'unrecognized_keys' ? path : path.slice(0, -1);
  if (valueAt(body, object) instanceof JsonNumber) return [`${at(object)} must be an object.`];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MOST_MESSAGES)
        .map((key) => `${inside(path)}the key “${short(key)}” is not known.`);
    case 'invalid_union':
      if (found instanceof JsonNumber) return [`${at(path)} must be an object.`];
      return describeUnion(issue.errors, path, body);
    case 'invalid_type':
      return found === undefined
        ? [missing(path)]
        : [`${at(path)} must be ${kind(issue.expected)}.`];
    case 'invalid_value':
      return found === undefined
        ? [missing(path)]
        : [`${at(path)} must be ${issue.values.map(String).join(' or ')}.`];
    default:
      if (found === undefined && path.length > 0) return [missing(path)];
      return path.length === 0 ? [issue.message] : [`${inside(path)}${issue.message}`];
  }
}

/** Tells of the alternative that the body comes closest to; of all where none stands out. */
function describeUnion(alternatives: readonly Issue[][], path: Path, body: unknown): string[] {
  const scored = alternatives.map((issues) => ({
    issues,
    strange: strangeness(issues, path, body),
  }));
  const least = Math.min(...scored.map(({ strange }) => strange));
  const closest = scored.filter(({ strange }) => strange === least).map(({ issues }) => issues);
  const [only] = closest;
  if (only && closest.length === 1) return only.flatMap((issue) => describe(issue, path, body));
  const keys = closest.flatMap((issues) =>
    issues.flatMap((issue) => {
      const whole = [...path, ...issue.path];
      const last = whole.at(-1);
      return last !== undefined && valueAt(body, whole) === undefined ? [String(last)] : [];
    }),
  );
  if (keys.length >= closest.length) {
    return [
      `${inside(path)}one of the keys ${keys.map((key) => `“${key}”`).join(' and ')} is needed.`,
    ];
  }
  return (only ?? []).flatMap((issue) => describe(issue, path, body));
}

/** How far a body is from an alternative: a key too many or missing at its top counts most. */
function strangeness(issues: readonly Issue[], path: Path, body: unknown): number {
  return issues.reduce((sum, issue) => {
    if (issue.path.length > 1) return sum + 1;
    if (issue.code === 'unrecognized_keys') return sum + 100 * issue.keys.length;
    return sum + (valueAt(body, [...path, ...issue.path]) === undefined ? 100 : 10);
  }, 0);
}

function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function kind(expected: string): string {
  return KINDS[expected] ?? `of the type ${expected}`;
}

function at(path: Path): string {
  return path.length === 0 ? 'The body' : `“${place(path)}”`;
}

function inside(path: Path): string {
  return path.length === 0 ? 'In the body, ' : `In “${place(path)}”: `;
}

function missing(path: Path): string {
  return path.length === 0
    ? 'A body is needed.'
    : `${inside(path.slice(0, -1))}the key “${short(String(path.at(-1)))}” is missing.`;
}

function place(path: Path): string {
  return short(
    path
      .map((key, i) =>
        typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`,
      )
      .join(''),
  );
}

function short(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length > 120 ? `${wellFormed.slice(0, 120)}…` : wellFormed;
}

/** What takes no body takes an empty object as well, which some clients send with everything. */
export function requireEmpty(body: unknown): void {
  const empty =
    typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    !(body instanceof JsonNumber) &&
    Object.keys(body).length === 0;
  if (!empty) throw new ApiError('validation_failed', 'This call takes no body.');
}
