import type { Session } from '#shared/contract/answers.ts';
import { answers, onlyItem } from './load-answer-schemas.ts';
import { requireUnchangedFiles } from './changed-files.ts';
import { connection } from './connection.ts';
import { takePreloadedResponse } from './preloaded-responses.ts';
import { type ApiFailure, CallError, isTemporary, readFailure } from './failure.ts';
import { apiPaths } from './api-paths.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { sessionGate } from './session-gate.ts';
import { createStore } from './create-store.ts';

export interface ApiAnswer<T> {
  readonly data: T;
  /** the strong ETag of a single object, for `If-Match` */
  readonly etag: string | null;
  /** of a session's answer: the event that all data read later includes */
  readonly lastEventId: string | null;
}

interface CallOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /**
   * Validates and converts the response body; throws if the shape is not the service's (then the response is shown
   * unchanged). May load its schema lazily.
   */
  readonly parse: (data: unknown) => T | Promise<T>;
}

interface WriteOptions<T> extends CallOptions<T> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** sent as JSON; `FormData` is sent unchanged */
  readonly body?: unknown;
  /** the version to change */
  readonly ifMatch?: string | null | undefined;
  /** of `newIdempotencyKey`, if the caller itself decides which calls are equal; by default equal calls share one */
  readonly idempotencyKey?: string | undefined;
}

interface SendOptions<T>
  extends CallOptions<T>, Partial<Omit<WriteOptions<T>, 'method' | keyof CallOptions<T>>> {
  readonly method: 'GET' | WriteOptions<T>['method'];
  /** sent even while the page is being closed */
  readonly keepalive?: boolean;
  /** whether a lost session makes the user sign in again; false for the session calls themselves */
  readonly gate: boolean;
}

/** The number of calls in progress. */
export const activeRequests = createStore(0);

/** Reads. Queries retry temporary failures (see `query-client.ts`). @throws {CallError} */
export async function read<T>(path: string, options: CallOptions<T>): Promise<ApiAnswer<T>> {
  return request(path, { ...options, method: 'GET', gate: true });
}

/** As `read`, for callers that need only the data. @throws {CallError} */
export async function readData<T>(path: string, options: CallOptions<T>): Promise<T> {
  return (await read(path, options)).data;
}

/**
 * Writes once: if the answer is lost the call is repeated with the same idempotency key, so the service executes it
 * only once. Gives up after about two minutes without a server.
 * @throws {CallError}
 */
export async function write<T>(path: string, options: WriteOptions<T>): Promise<ApiAnswer<T>> {
  const writeKey = keyOf(path, options);
  const send = () => request(path, { ...options, idempotencyKey: writeKey.key, gate: true });
  try {
    const answer = await retryWhileUnavailable(send, options.signal, WRITE_TIMEOUT);
    writeKey.forget();
    return answer;
  } catch (error) {
    if (error instanceof CallError && !isTemporary(error.failure)) writeKey.forget();
    throw error;
  }
}

/** As `write`, for callers that need only the data. @throws {CallError} */
export async function writeData<T>(path: string, options: WriteOptions<T>): Promise<T> {
  return (await write(path, options)).data;
}

/** As `write`, for answers without a body (204), or whose body is not needed. @throws {CallError} */
export async function writeOnly(
  path: string,
  options: Omit<WriteOptions<void>, 'parse'>,
): Promise<void> {
  await write(path, { ...options, parse: ignoreBody });
}

const WRITE_TIMEOUT = 120_000;

/**
 * A single call without retries. Use `read` and `write`; the session calls, which must not wait for a sign-in, use
 * this. @throws {CallError}
 */
export async function request<T>(path: string, options: SendOptions<T>): Promise<ApiAnswer<T>> {
  for (;;) {
    const sessionId = sessionGate.sessionId();
    const [response, text] = await countActive(send(path, options, sessionId));
    if (response.ok) return accept(response, text, options.parse);
    const failure = await readFailure(response, text);
    if (await restoreSession(failure, sessionId, options)) continue;
    if (response.status === 503 && isTemporary(failure)) connection.set('lost');
    throw new CallError(failure);
  }
}

/**
 * If the session has ended, or another one has replaced it in this browser: waits for the user to sign in again.
 * @param sent the id of the page's session when the call was sent
 * @returns whether to repeat the call
 */
async function restoreSession(
  failure: ApiFailure,
  sent: string | null,
  { gate, signal }: Pick<SendOptions<unknown>, 'gate' | 'signal'>,
): Promise<boolean> {
  // A 401 may belong to a call that was in progress when another tab signed the same user in again.
  if (isUnauthenticated(failure) ? !gate : !isOtherSession(failure)) return false;
  const current = (await readSession(signal))?.data ?? null;
  if (current && sessionGate.adopt(current)) return current.sessionId !== sent;
  return gate && sessionGate.pass(signal, current?.displayName);
}

/** Whether a call failed because no user is signed in. */
export function isUnauthenticated(failure: ApiFailure): boolean {
  return failure.kind === 'api' && failure.status === 401;
}

/** Whether a write failed because another session has replaced this page's in the browser. */
export function isOtherSession(failure: ApiFailure): boolean {
  return failure.kind === 'api' && failure.code === 'other_session';
}

/** The session of the cookie, null if there is none. @throws {CallError} */
export async function readSession(
  signal: AbortSignal | undefined,
): Promise<ApiAnswer<Session> | null> {
  try {
    const parse = firstSession;
    return await request(apiPaths.sessions(), { method: 'GET', gate: false, signal, parse });
  } catch (error) {
    if (error instanceof CallError && isUnauthenticated(error.failure)) return null;
    throw error;
  }
}

/** Parses the answer about the caller's session. */
export async function firstSession(data: unknown): Promise<Session> {
  return onlyItem((await answers()).sessionsAnswer.parse(data).sessions);
}

async function countActive<T>(call: Promise<T>): Promise<T> {
  activeRequests.set(activeRequests.get() + 1);
  return call.finally(() => activeRequests.set(activeRequests.get() - 1));
}

/** @returns the response and its body */
async function send<T>(
  path: string,
  options: SendOptions<T>,
  sessionId: string | null,
): Promise<readonly [Response, string]> {
  const headers = new Headers({ Accept: 'application/json' });
  const form = options.body instanceof FormData ? options.body : undefined;
  if (options.body !== undefined && !form) headers.set('Content-Type', 'application/json');
  if (sessionId !== null && options.method !== 'GET') headers.set('Indexdesk-Session', sessionId);
  if (options.ifMatch) headers.set('If-Match', options.ifMatch);
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);
  try {
    const early = options.method === 'GET' ? takePreloadedResponse(path) : undefined;
    const response = await (early ??
      fetch(path, {
        method: options.method,
        headers,
        credentials: 'same-origin',
        cache: 'no-store',
        keepalive: options.keepalive ?? false,
        ...(options.body === undefined ? {} : { body: form ?? JSON.stringify(options.body) }),
        ...(options.signal ? { signal: options.signal } : {}),
      }));
    const text = await response.text();
    if (early) options.signal?.throwIfAborted();
    connection.set('fine');
    return [response, text];
  } catch (error) {
    options.signal?.throwIfAborted();
    // `fetch` rejects with a TypeError if there is no whole response, and if a file to send has changed.
    if (!(error instanceof TypeError)) throw error;
    if (form) await requireUnchangedFiles(form);
    connection.set('lost');
    throw new CallError({ kind: 'unreachable' });
  }
}

async function accept<T>(
  response: Response,
  text: string,
  parse: (data: unknown) => T | Promise<T>,
): Promise<ApiAnswer<T>> {
  try {
    const data: unknown = text === '' ? undefined : JSON.parse(text);
    const { headers } = response;
    return {
      data: await parse(data),
      etag: headers.get('ETag'),
      lastEventId: headers.get('Last-Event-ID'),
    };
  } catch (error) {
    // The schema is loaded on demand; that can fail without a server, too.
    if (error instanceof TypeError) throw new CallError({ kind: 'unreachable' });
    const contentType = response.headers.get('Content-Type') ?? '';
    throw new CallError({ kind: 'unrecognized', status: response.status, contentType, text });
  }
}

/** For answers without a body (204). */
export function ignoreBody(): void {}

/* A write without an answer keeps its key for a while: when the user saves again, the service recognises it. The
   key includes the version, so a later write of the same values over a newer version is a different write. */
const unansweredWrites = new Map<string, { readonly key: string; readonly until: number }>();
const KEY_LIFETIME = 10 * 60_000;

function keyOf<T>(path: string, { method, body, ifMatch, idempotencyKey }: WriteOptions<T>) {
  const fresh = () => ({ key: newIdempotencyKey(), until: Date.now() + KEY_LIFETIME });
  if (idempotencyKey !== undefined) return { key: idempotencyKey, forget: () => undefined };
  if (body instanceof FormData) return { key: newIdempotencyKey(), forget: () => undefined };
  const identity = JSON.stringify([method, path, ifMatch ?? null, body ?? null]);
  let entry = unansweredWrites.get(identity);
  if (!entry || entry.until < Date.now()) entry = fresh();
  unansweredWrites.set(identity, entry);
  return { key: entry.key, forget: () => void unansweredWrites.delete(identity) };
}

/** A key with which the service executes a write once, however often it is sent. */
export function newIdempotencyKey(): string {
  // Not `crypto.randomUUID`, which browsers offer only over https.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
