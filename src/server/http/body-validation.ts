import * as texts from '#messages/service/http.ts';
import type * as z from 'zod';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { JsonNumber } from '#shared/values/json.ts';
import { describeIssue, bodyMessage, type Path, formatPath } from './body-issues.ts';

const MAX_MESSAGES = 50;

/** The lists that may have thousands of entries; other lists and objects are limited by definitions. */
const BATCHES: readonly string[] = ['revisions', 'datasets', 'historyIds', 'states'];
const MAX_ENTRIES = 1_000;
/** Options of a field, usernames of a group, and rights by the names of archives and tables. */
const LONG_LISTS: readonly string[] = ['options', 'members', 'archives', 'tables'];
const MAX_LONG_ENTRIES = 10_000;
/** Ids may number hundreds of thousands; their schema checks them one by one and stops at the first fault. */
const IDS: readonly string[] = ['revisionIds', 'jrids'];
const MAX_IDS = 1_000_000;

/**
 * Batches are checked in slices of this many entries: a schema finds every fault of its input, and millions of faults
 * would block the service.
 */
const SLICE = 20;

/**
 * Checks a body against its schema. Checks a batch in slices, and yields to other work of the process between them.
 * @throws {ApiError} 422 under `-`, with each location (docs/interface/decisions.md, section 3)
 */
export async function requireValidBody<T>(schema: z.ZodType<T>, body: unknown): Promise<T> {
  requireBounds(body, []);
  const batch = batchOf(body);
  if (!batch) return parse(schema, body, formatPath);
  const { key, list } = batch;
  let whole: { readonly data: T; readonly entries: unknown } | undefined;
  // An empty batch is checked as well.
  for (let from = 0; from < Math.max(1, list.length); from += SLICE) {
    const piece = list.slice(from, from + SLICE);
    for (const [i, entry] of piece.entries()) requireBounds(entry, [key, from + i]);
    // Entries of a slice are named by their positions in the whole batch.
    const data = parse(schema, { ...batch.body, [key]: piece }, ([name, index, ...rest]) =>
      formatPath(
        [name, typeof index === 'number' ? from + index : index, ...rest].filter(
          (part) => part !== undefined,
        ),
      ),
    );
    const entries: unknown =
      typeof data === 'object' && data !== null ? Reflect.get(data, key) : [];
    if (!whole) whole = { data, entries };
    else if (Array.isArray(whole.entries) && Array.isArray(entries)) whole.entries.push(...entries);
    // Frees the input, of which only the parsed result is needed.
    list.fill(null, from, from + SLICE);
    await yieldToEventLoop();
  }
  if (!whole) throw new Error('A batch has at least one piece.');
  return whole.data;
}

function parse<T>(schema: z.ZodType<T>, body: unknown, formatPath: (path: Path) => string): T {
  const parsed = schema.safeParse(body, { error: bodyMessage });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const described = issues
    .slice(0, 2 * MAX_MESSAGES)
    .flatMap((issue) => describeIssue(issue, [], body, formatPath));
  const messages = [...new Map(described.map((message) => [message.message, message])).values()];
  if (messages.length > MAX_MESSAGES) {
    messages.splice(MAX_MESSAGES, messages.length, texts.moreErrors);
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
 * Rejects lists and objects with more entries than any schema allows, before their entries are checked. Those
 * of a batch are checked with its slices.
 */
function requireBounds(value: unknown, path: Path): void {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return;
  if (IDS.includes(String(path.at(-1))) && Array.isArray(value) && value.length <= MAX_IDS) return;
  if (path.length === 1 && Array.isArray(value) && BATCHES.includes(String(path[0]))) return;
  const max = LONG_LISTS.includes(String(path.at(-1))) ? MAX_LONG_ENTRIES : MAX_ENTRIES;
  // Millions of keys are not even listed.
  if ((Array.isArray(value) ? value : Object.keys(value)).length > max) {
    throw new ApiError('validation_failed', {
      '-': [
        path.length === 0
          ? texts.bodyHasTooManyEntries({ max })
          : texts.tooManyEntries({ place: formatPath(path), max }),
      ],
    });
  }
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'object')
      requireBounds(entry, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** A call without a body also accepts an empty object, which some clients always send. */
export function requireEmptyBody(body: unknown): void {
  const empty =
    typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    !(body instanceof JsonNumber) &&
    Object.keys(body).length === 0;
  if (!empty) throw new ApiError('validation_failed', texts.noBodyExpected);
}
