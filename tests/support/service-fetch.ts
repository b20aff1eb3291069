import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { BASE } from '#server/http/paths.ts';
import { formOf } from './forms.ts';

/** One call as the page sent it and how it went. */
interface SentCall {
  readonly method: string;
  /** path and query */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** the parsed JSON body; undefined where there is none */
  readonly body: unknown;
  /** the status that the service answered; null where the call never reached it */
  status: number | null;
}

/** Stands in the place of the network between the page and the real service. */
export interface ServiceFetch {
  readonly fetch: typeof globalThis.fetch;
  /** all calls of the page, in their order */
  readonly calls: SentCall[];
  /** From now on no call reaches the server, until `reach` is called. */
  lose(): void;
  /** The server can be reached again. */
  reach(): void;
  /** The next call with this method reaches the server and is done there, but its answer never comes. */
  loseAnswerOf(method: string): void;
  /**
   * The next call with this method is answered by this instead of the service, as a proxy would.
   * @param urlPart only one whose address contains it
   */
  answerInstead(method: string, answer: () => Response, urlPart?: string): void;
  /**
   * Reads are answered by an error, as of a proxy, until what it returns is called.
   * @param urlPart only those whose address contains it
   */
  failReads(urlPart: string): () => void;
  /**
   * Calls with this method wait before they are sent, until what it returns is called.
   * @param urlEnd only those whose address ends with it
   */
  hold(method: string, urlEnd?: string): () => void;
  /** Asks another server for the service's events. */
  eventsFrom(url: string): void;
  /** Signs in as a browser would: the cookie is kept for all later calls. */
  signIn(username: string, password: string): Promise<void>;
  /** Ends the session at the server; the page still has its cookie and knows nothing. */
  expireSession(): Promise<void>;
}

type Service = Pick<FastifyInstance, 'inject'>;

/** What a browser's `fetch` says where no answer comes. */
const noAnswer = () => new TypeError('Failed to fetch');

/** A form with files of text as multipart/form-data. */
async function multipartOf(form: FormData): Promise<ReturnType<typeof formOf>> {
  const parts = [...form].map(async ([name, value]) => {
    if (typeof value === 'string') return [name, value] as const;
    return [name, { name: value.name, bytes: await readText(value) }] as const;
  });
  return formOf(await Promise.all(parts));
}

/** jsdom's files have no method of their own for it. */
function readText(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () =>
    resolve(typeof reader.result === 'string' ? reader.result : ''),
  );
  reader.addEventListener('error', () => reject(new Error('The file cannot be read.')));
  reader.readAsText(file);
  return promise;
}

/**
 * A `fetch` that goes to the service through `app.inject`, with a cookie jar of its own: no port, but
 * everything that a request meets at the service.
 * @param base the API's base path
 */
export function serviceFetch(app: Service, base = BASE): ServiceFetch {
  const cookies = new Map<string, string>();
  const calls: SentCall[] = [];
  const lostAnswers: string[] = [];
  const instead: { method: string; answer: () => Response; urlPart: string }[] = [];
  const failing = new Set<string>();
  const held = new Set<{ method: string; urlEnd: string; until: Promise<void> }>();
  let away = false;
  let eventsUrl: string | undefined;

  const ask = async (
    method: string,
    url: string,
    headers: Record<string, string>,
    body: string | undefined,
  ) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.inject({
      method: asMethod(method),
      url,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...headers,
        ...(cookie === '' ? {} : { cookie }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    for (const { name, value, maxAge, expires } of response.cookies) {
      if (value === '' || maxAge === 0 || (expires && expires.getTime() <= Date.now())) {
        cookies.delete(name);
      } else cookies.set(name, value);
    }
    return response;
  };

  const network = globalThis.fetch;
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = init.method ?? 'GET';
    const form = init.body instanceof FormData ? await multipartOf(init.body) : null;
    const body = form?.body.toString() ?? init.body ?? undefined;
    if (body !== undefined && typeof body !== 'string') {
      throw new Error('Only texts and forms can be sent through app.inject here.');
    }
    const headers = Object.fromEntries(new Headers(init.headers));
    if (form) headers['content-type'] = form.headers['content-type'];
    const call: SentCall = {
      method,
      url,
      headers,
      body: form ? null : readJson(body),
      status: null,
    };
    calls.push(call);
    init.signal?.throwIfAborted();
    const waits = [...held].filter((one) => one.method === method && url.endsWith(one.urlEnd));
    await untilAborted(Promise.all(waits.map(({ until }) => until)), init.signal);
    if (away) throw noAnswer();
    if (eventsUrl !== undefined && headers['accept'] === 'text/event-stream') {
      return network(eventsUrl, init);
    }
    if (method === 'GET' && [...failing].some((urlPart) => url.includes(urlPart))) {
      return new Response('Bad gateway', { status: 502 });
    }
    const other = instead.findIndex(
      (entry) => entry.method === method && url.includes(entry.urlPart),
    );
    if (other >= 0) {
      const [entry] = instead.splice(other, 1);
      if (entry) return entry.answer();
    }
    const response = await untilAborted(ask(method, url, headers, body), init.signal);
    call.status = response.statusCode;
    const lost = lostAnswers.indexOf(method);
    if (lost >= 0) {
      lostAnswers.splice(lost, 1);
      throw noAnswer();
    }
    const answered = new Headers();
    for (const [name, value] of Object.entries(response.headers)) {
      if (value !== undefined) answered.set(name, String(value));
    }
    const bare = response.statusCode === 204 || response.statusCode === 304;
    return new Response(bare ? null : new Uint8Array(response.rawPayload), {
      status: response.statusCode,
      headers: answered,
    });
  };

  return {
    fetch,
    calls,
    lose() {
      away = true;
    },
    reach() {
      away = false;
      // The page waits between its tries, but not when the network comes back.
      if (typeof window !== 'undefined') window.dispatchEvent(new Event('online'));
    },
    loseAnswerOf: (method) => void lostAnswers.push(method),
    answerInstead: (method, answer, urlPart = '') => void instead.push({ method, answer, urlPart }),
    failReads(urlPart) {
      failing.add(urlPart);
      return () => void failing.delete(urlPart);
    },
    hold(method, urlEnd = '') {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wait = { method, urlEnd, until: promise };
      held.add(wait);
      const release = () => {
        held.delete(wait);
        resolve();
      };
      // A test that fails earlier must leave no request: those after it wait until none is under way.
      onTestFinished(release);
      return release;
    },
    eventsFrom: (url) => void (eventsUrl = url),
    async signIn(username, password) {
      const body = JSON.stringify({ username, password });
      const url = `${base}application/sessions`;
      const { statusCode } = await ask('POST', url, { 'content-type': 'application/json' }, body);
      if (statusCode !== 201) throw new Error(`Signing in as ${username}: status ${statusCode}`);
    },
    async expireSession() {
      const kept = new Map(cookies);
      const { statusCode } = await ask('DELETE', `${base}application/sessions`, {}, undefined);
      if (statusCode !== 204) throw new Error(`Ending the session: status ${statusCode}`);
      for (const [name, value] of kept) cookies.set(name, value);
    },
  };
}

function readJson(body: string | undefined): unknown {
  return body === undefined ? undefined : JSON.parse(body);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function asMethod(method: string): (typeof METHODS)[number] {
  const known = METHODS.find((candidate) => candidate === method.toUpperCase());
  if (!known) throw new Error(`Unknown method ${method}`);
  return known;
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined) {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
