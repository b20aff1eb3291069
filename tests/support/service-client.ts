import { setTimeout } from 'node:timers/promises';
import { BASE } from '#server/http/paths.ts';

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** undefined where the answer is no JSON */
  readonly body: unknown;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** below the base path */
  readonly path: string;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A program that uses the service over the network, with the cookie of a session. */
export class ServiceClient {
  /** `http://HOST:PORT`; may be changed when the service starts anew */
  url: string;
  #cookie = '';

  constructor(url: string) {
    this.url = url;
  }

  async signIn(username: string, password: string): Promise<void> {
    const answer = await this.send({
      method: 'POST',
      path: 'application/sessions',
      json: { username, password },
    });
    if (answer.status !== 201) throw new Error(`Not signed in: ${answer.bytes.toString()}`);
    this.#cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }

  /** the header that carries the session, for requests that are made by hand */
  get cookie(): string {
    return this.#cookie;
  }

  /** @throws {TypeError} where no whole answer comes */
  async send({ method, path, json, form, headers }: ServiceRequest): Promise<ServiceAnswer> {
    const response = await fetch(this.url + BASE + path, {
      method,
      headers: {
        ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body: unknown = isJson ? JSON.parse(bytes.toString()) : undefined;
    return { status: response.status, headers: response.headers, bytes, body };
  }
}

/** Asks again and again until the answer is true. @param limit milliseconds */
export async function eventually(ask: () => Promise<boolean>, limit: number): Promise<boolean> {
  const until = performance.now() + limit;
  for (;;) {
    if (await ask()) return true;
    if (performance.now() > until) return false;
    await setTimeout(20);
  }
}
