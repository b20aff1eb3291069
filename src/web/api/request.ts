import type { Session } from '#shared/contract/answers.ts';
import { answers } from './answers.ts';
import { connection } from './connection.ts';
import { takePreloadedResponse } from './preloaded-responses.ts';
import { type ApiFailure, CallError, isPassing, readFailure, toFailure } from './failure.ts';
import { apiPaths } from './paths.ts';
import { sessionGate } from './session-gate.ts';
import { pause, createStore } from './create-store.ts';

export interface Answer<T> {
  readonly data: T;
  /** the strong ETag of the one object answered, for `If-Match` */
  readonly etag: string | null;
  /** of a session's answer: up to which event all that is read later holds what happened */
  readonly lastEventId: string | null;
}

interface CallOptions<T> {
  readonly signal?: AbortSignal | undefined;
  /**
   * Makes the trusted answer out of what came; it throws where the shape is not the service's (then
   * the answer is shown as it came). May load its schema lazily.
   */
  readonly parse: (data: unknown) => T | Promise<T>;
}

export interface WriteOptions<T> extends CallOptions<T> {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** sent as JSON; a `FormData` goes as it is */
  readonly body?: unknown;
  /** the version that is to be changed */
  readonly ifMatch?: string | null | undefined;
  /** of `newIdempotencyKey`, where the caller itself says which calls are one and the same; else like calls share one */
  readonly idempotencyKey?: string | undefined;
}

interface SendOptions<T> extends CallOptions<T> {
  readonly method: 'GET' | WriteOptions<T>['method'];
  readonly body?: unknown;
  readonly ifMatch?: string | null | undefined;
  readonly idempotencyKey?: string | undefined;
  /** sent also where the page is being closed */
  readonly keepalive?: boolean;
  /** whether a lost session asks the user to sign in again; not so for the session calls themselves */
  readonly gate: boolean;
}

/** How many calls are being answered at present. */
export const underWay = createStore(0);

/** Reads. Queries retry what passes by itself (see `query-client.ts`). @throws {CallError} */
export async function read<T>(path: string, options: CallOptions<T>): Promise<Answer<T>> {
  return request(path, { ...options, method: 'GET', gate: true });
}

/**
 * Writes once: where the answer got lost the call is repeated with the same idempotency key, so
 * the service does it only once. Gives up after about two minutes without a server.
 * @throws {CallError}
 */
export async function write<T>(path: string, options: WriteOptions<T>): Promise<Answer<T>> {
  const remembered = keyOf(path, options);
  const giveUpAt = Date.now() + GIVE_UP_AFTER;
  for (let tries = 0; ; tries++) {
    try {
      const answer = await request(path, {
        ...options,
        idempotencyKey: remembered.key,
        gate: true,
      });
      remembered.forget();
      return answer;
    } catch (error) {
      if (!(error instanceof CallError) || !isPassing(error.failure)) {
        if (error instanceof CallError) remembered.forget();
        throw error;
      }
      if (Date.now() >= giveUpAt) throw error;
      await pause(retryDelay(tries, error), options.signal);
    }
  }
}

const GIVE_UP_AFTER = 120_000;
const MAX_PAUSE = 8_000;

/** Milliseconds before the next try: what the service asks for, else growing from half a second to eight. */
export function retryDelay(tries: number, error: unknown): number {
  const failure = toFailure(error);
  const asked = failure.kind === 'api' ? failure.retryAfter : null;
  return Math.min(asked === null ? 500 * 2 ** Math.min(tries, 10) : asked * 1000, MAX_PAUSE);
}

/** One call, once. Use `read` and `write`; the session calls, which no gate may hold, use this. @throws {CallError} */
export async function request<T>(path: string, options: SendOptions<T>): Promise<Answer<T>> {
  for (;;) {
    const sessionId = sessionGate.sessionId();
    const response = await counted(send(path, options, sessionId));
    if (response.ok) return accept(response, options.parse);
    const failure = await readFailure(response);
    if (await hasSessionAgain(failure, sessionId, options)) continue;
    if (response.status === 503 && isPassing(failure)) connection.set('lost');
    throw new CallError(failure);
  }
}

/**
 * Where the session has ended, or another one has replaced it in this browser: waits for the user to sign in
 * again.
 * @param sent the id of the page's session when the call was sent
 * @returns whether the call is to be repeated
 */
async function hasSessionAgain(
  failure: ApiFailure,
  sent: string | null,
  { gate, signal }: Pick<SendOptions<unknown>, 'gate' | 'signal'>,
): Promise<boolean> {
  // A 401 may be of a call that was under way when another tab signed the same user in again.
  if (isUnauthenticated(failure) ? !gate : !isOtherSession(failure)) return false;
  const current = await readSession(signal);
  if (current && sessionGate.adopt(current)) return current.sessionId !== sent;
  return gate && sessionGate.pass(signal, current?.displayName);
}

/** Whether a call was refused as nobody is signed in. */
export function isUnauthenticated(failure: ApiFailure): boolean {
  return failure.kind === 'api' && failure.status === 401;
}

/** Whether a write was refused as another session has replaced this page's in the browser. */
export function isOtherSession(failure: ApiFailure): boolean {
  return failure.kind === 'api' && failure.code === 'other_session';
}

/** The session of the cookie, null where there is none. @throws {CallError} */
async function readSession(signal: AbortSignal | undefined): Promise<Session | null> {
  try {
    const parse = firstSession;
    return (await request(apiPaths.sessions(), { method: 'GET', gate: false, signal, parse })).data;
  } catch (error) {
    if (error instanceof CallError && isUnauthenticated(error.failure)) return null;
    throw error;
  }
}

/** Parses the answer about the caller's session. */
export async function firstSession(data: unknown): Promise<Session> {
  const [session] = (await answers()).sessionsAnswer.parse(data).sessions;
  if (!session) throw new Error('The answer holds no session.');
  return session;
}

async function counted<T>(call: Promise<T>): Promise<T> {
  underWay.set(underWay.get() + 1);
  return call.finally(() => underWay.set(underWay.get() - 1));
}

async function send<T>(
  path: string,
  options: SendOptions<T>,
  sessionId: string | null,
): Promise<Response> {
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
    if (early) options.signal?.throwIfAborted();
    connection.set('fine');
    return response;
  } catch (error) {
    options.signal?.throwIfAborted();
    // `fetch` rejects with a TypeError where no answer came.
    if (!(error instanceof TypeError)) throw error;
    connection.set('lost');
    throw new CallError({ kind: 'unreachable' });
  }
}

async function accept<T>(
  response: Response,
  parse: (data: unknown) => T | Promise<T>,
): Promise<Answer<T>> {
  const text = await response.text();
  try {
    const data: unknown = text === '' ? undefined : JSON.parse(text);
    const { headers } = response;
    return {
      data: await parse(data),
      etag: headers.get('ETag'),
      lastEventId: headers.get('Last-Event-ID'),
    };
  } catch (error) {
    // The schema is loaded when it is first needed; that too can find no server.
    if (error instanceof TypeError) throw new CallError({ kind: 'unreachable' });
    const contentType = response.headers.get('Content-Type') ?? '';
    throw new CallError({ kind: 'strange', status: response.status, contentType, text });
  }
}

/** For answers without a body (204). */
export function nothing(): void {}

/*
 * A write whose answer never came keeps its key for a while: when the clerk presses Save again, the
 * service recognises it. The version it was meant for belongs to it, so a later write of the same
 * values over a newer version is another one.
 */
const unanswered = new Map<string, { readonly key: string; readonly until: number }>();
const KEPT_FOR = 10 * 60_000;

function keyOf<T>(path: string, { method, body, ifMatch, idempotencyKey }: WriteOptions<T>) {
  const fresh = () => ({ key: newIdempotencyKey(), until: Date.now() + KEPT_FOR });
  if (idempotencyKey !== undefined) return { key: idempotencyKey, forget: nothing };
  if (body instanceof FormData) return { key: newIdempotencyKey(), forget: nothing };
  const same = JSON.stringify([method, path, ifMatch ?? null, body ?? null]);
  let entry = unanswered.get(same);
  if (!entry || entry.until < Date.now()) entry = fresh();
  unanswered.set(same, entry);
  return { key: entry.key, forget: () => void unanswered.delete(same) };
}

/** A key under which the service does a write once, however often it is sent. */
export function newIdempotencyKey(): string {
  // Not `crypto.randomUUID`: browsers have it over https alone.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
