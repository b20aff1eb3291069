import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { S3Settings } from '#server/config.ts';
import type { ByteRange } from '#server/http/byte-range.ts';
import { S3Error, isPassing } from './errors.ts';
import { canonicalQuery, EMPTY_SHA256, signatureHeaders } from './signature.ts';

/** Bytes to send; opened once for each attempt. */
export interface S3Body {
  readonly size: number;
  /** lower-case hexadecimal */
  readonly sha256: string;
  open(): Readable;
}

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** below the prefix; undefined: the request is about the bucket */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body;
}

/** What an answer told, its body read. */
interface S3Answer {
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

const ATTEMPTS = 4;
/** No attempt begins later than this after the first, in milliseconds. */
const LAST_ATTEMPT = 15_000;
/** The longest waits before the second and later attempts, in milliseconds; doubled each time. */
const FIRST_PAUSE = 400;
/** How long nothing may come or go, in milliseconds: of a request that sends bytes, they are stored meanwhile. */
const SILENCE = { reading: 5_000, writing: 30_000 };

/** Speaks the interface of S3 with one bucket, or with what lies below a prefix in it. */
export class S3Client {
  readonly #settings: S3Settings;
  readonly #base: URL;
  readonly #agent: http.Agent;

  constructor(settings: S3Settings) {
    const { endpoint, bucket, pathStyle } = settings;
    this.#settings = settings;
    this.#base = new URL(endpoint);
    if (pathStyle) this.#base.pathname = `${this.#base.pathname.replace(/\/$/, '')}/${bucket}`;
    else this.#base.hostname = `${bucket}.${this.#base.hostname}`;
    const options = { keepAlive: true, maxFreeSockets: 16 };
    this.#agent =
      this.#base.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  }

  /** Asks, again where a failure may pass, and reads the answer. @throws {S3Error} */
  ask(request: S3Request): Promise<S3Answer> {
    return again(async () => {
      const response = await this.#send(request);
      return { headers: response.headers, text: await readText(response) };
    });
  }

  /** Begins to read an object; the bytes are the caller's to read or destroy. @throws {S3Error} */
  async get(key: string, range?: ByteRange): Promise<http.IncomingMessage> {
    const headers: Record<string, string> = {};
    if (range) headers['range'] = `bytes=${range.first}-${range.last}`;
    const response = await again(() => this.#send({ method: 'GET', key, headers }));
    const part = `bytes ${range?.first}-${range?.last}/`;
    if (range && !response.headers['content-range']?.startsWith(part)) {
      response.destroy();
      throw new S3Error('It does not answer parts of objects.', { status: response.statusCode });
    }
    return response;
  }

  /** The size of an object in bytes; null where there is none. @throws {S3Error} */
  async sizeOf(key: string): Promise<number | null> {
    try {
      const { headers } = await this.ask({ method: 'HEAD', key });
      return Number(headers['content-length']);
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return null;
      throw error;
    }
  }

  /** One attempt. @throws {S3Error} also for every answer other than success */
  async #send(request: S3Request): Promise<http.IncomingMessage> {
    const { method, key, body } = request;
    const { prefix, region } = this.#settings;
    const root = this.#base.pathname.replace(/\/$/, '');
    const path = key === undefined ? root || '/' : `${root}/${prefix}${key}`;
    const query = canonicalQuery(request.query ?? {});
    const bodySha256 = body?.sha256 ?? EMPTY_SHA256;
    const headers = { host: this.#base.host };
    const signature = signatureHeaders(
      { method, path, query, headers, bodySha256 },
      this.#settings,
      region,
      new Date(),
    );
    const sends = method === 'PUT' || method === 'POST';
    const response = await exchange(this.#base, body, {
      method,
      path: query === '' ? path : `${path}?${query}`,
      agent: this.#agent,
      timeout: sends ? SILENCE.writing : SILENCE.reading,
      headers: {
        ...headers,
        ...request.headers,
        ...signature,
        ...(sends ? { 'content-length': body?.size ?? 0 } : {}),
      },
    });
    const { statusCode: status = 0 } = response;
    if (status >= 200 && status < 300) return response;
    throw S3Error.ofAnswer(status, await readText(response));
  }
}

/** Resolves with the beginning of the answer. */
function exchange(
  base: URL,
  body: S3Body | undefined,
  options: http.RequestOptions,
): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const fail = (error: Error) => reject(S3Error.ofConnection(error));
  const { request } = base.protocol === 'https:' ? https : http;
  const sent = request(base, options, (response) => {
    // From here on only its reader knows whether it is waiting.
    sent.setTimeout(0);
    resolve(response);
  });
  sent.on('timeout', () => sent.destroy(new Error('It does not answer.')));
  sent.on('error', fail);
  if (!body || body.size === 0) sent.end();
  else {
    const bytes = body.open();
    // What is wrong with the file here is not the store's fault.
    bytes.on('error', reject);
    pipeline(bytes, sent, (error) => error && fail(error));
  }
  return promise;
}

async function readText(response: http.IncomingMessage): Promise<string> {
  response.setTimeout(SILENCE.writing, () => response.destroy(new Error('It does not go on.')));
  try {
    return await text(response);
  } catch (error) {
    throw error instanceof Error ? S3Error.ofConnection(error) : error;
  }
}

/** Tries again what may pass, after waits of random length, so that many do not come back at once. */
async function again<T>(attempt: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      const late = made >= ATTEMPTS || performance.now() - startedAt > LAST_ATTEMPT;
      if (late || !isPassing(error)) throw error;
    }
    await wait(Math.random() * FIRST_PAUSE * 2 ** (made - 1));
  }
}
