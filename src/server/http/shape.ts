import type * as z from 'zod';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { JsonNumber } from '#shared/values/json.ts';
import { describeIssue, subjectAt, type Path } from './body-issues.ts';

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
 * Checks a body's shape. It checks a batch in pieces, and lets other work of the process run between them.
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
    .flatMap((issue) => describeIssue(issue, [], body));
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
 * Refuses lists and objects of more entries than any definition has fields, before their entries are checked. Those of
 * a batch are checked with its pieces.
 */
function requireBounds(value: unknown, path: Path): void {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return;
  if (IDS.includes(String(path.at(-1))) && Array.isArray(value) && value.length <= MOST_IDS) return;
  if (path.length === 1 && Array.isArray(value) && BATCHES.includes(String(path[0]))) return;
  // Entries of millions are not even listed.
  if ((Array.isArray(value) ? value : Object.keys(value)).length > MOST_ENTRIES) {
    throw new ApiError('validation_failed', {
      '-': [`${subjectAt(path)} has more than ${MOST_ENTRIES} entries.`],
    });
  }
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'object')
      requireBounds(entry, [...path, Array.isArray(value) ? Number(key) : key]);
  }
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
