import { argon2Sync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { buildApp, type AppOptions } from '#server/app.ts';
import { BASE } from '#server/http/paths.ts';
import { limitsOf, readCommandLine, type Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { Definitions } from '#server/modules/definitions/definitions.service.ts';
import type { PasswordHash } from '#server/modules/passwords/passwords.service.ts';
import { createUser, type NewUser, type User } from '#server/modules/accounts/users.service.ts';
import { BUILDER } from './builders.ts';
import type { TestDatabases } from './databases.ts';
import { WAIT_LIMIT } from './effort.ts';
import { makeHashesCheap } from './hashing-cost.ts';
import { closeAfterFile } from './open-apps.ts';
import { PASSWORD } from './password.ts';

export { BASE, PASSWORD };

makeHashesCheap();

/** As users have it, but for the cost: a hash names its own, and a sign-in takes as long. */
const passwordHash = ((): PasswordHash => {
  const [nonce, cost] = [randomBytes(16), { memory: 8, passes: 1, parallelism: 1 }];
  const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...cost });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return { phc: `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}` };
})();

/** Adds a user, by default a clerk without rights. */
export async function buildUser(database: Database, user: Partial<NewUser> = {}): Promise<User> {
  return database.write((db) =>
    createUser(
      db,
      {
        username: 'clerk',
        displayName: user.username ?? 'A Clerk',
        role: 'clerk',
        rights: [],
        passwordHash,
        ...user,
      },
      BUILDER,
    ),
  );
}

/** What a response told, parsed. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly text: string;
  readonly bytes: Uint8Array;
  /** undefined where the answer has no body or is no JSON */
  readonly body: unknown;
}

type SendOptions = Pick<InjectOptions, 'remoteAddress'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends requests as one program or browser does: cookies are kept. */
export class TestClient {
  readonly cookies = new Map<string, string>();
  readonly #app: FastifyInstance;
  readonly #options: SendOptions;

  constructor(app: FastifyInstance, options: SendOptions = {}) {
    this.#app = app;
    this.#options = options;
  }

  /** the header that carries the cookies */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** @param path below the base path, or absolute with a leading slash */
  async send(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
    path: string,
    body?: unknown,
    options: SendOptions = {},
  ): Promise<TestAnswer> {
    const headers: Record<string, string> = { ...this.#options.headers, ...options.headers };
    if (this.cookies.size > 0) {
      headers['cookie'] = this.cookie;
    }
    let payload: string | Buffer | undefined;
    if (typeof body === 'string' || Buffer.isBuffer(body)) payload = body;
    else if (body !== undefined) payload = JSON.stringify(body);
    if (payload !== undefined) headers['content-type'] ??= 'application/json';
    const remoteAddress = options.remoteAddress ?? this.#options.remoteAddress;
    const response = await this.#app.inject({
      method,
      url: path.startsWith('/') ? path : BASE + path,
      headers,
      ...(payload === undefined ? {} : { payload }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    for (const { name, value } of response.cookies) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const type = response.headers['content-type'] ?? '';
    const isJson = response.body !== '' && /[/+]json/.test(type);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      bytes: response.rawPayload,
      body: isJson ? response.json() : undefined,
    };
  }

  get(path: string, options?: SendOptions): Promise<TestAnswer> {
    return this.send('GET', path, undefined, options);
  }
  post(path: string, body?: unknown, options?: SendOptions): Promise<TestAnswer> {
    return this.send('POST', path, body, options);
  }
  put(path: string, body?: unknown, options?: SendOptions): Promise<TestAnswer> {
    return this.send('PUT', path, body, options);
  }
  patch(path: string, body?: unknown, options?: SendOptions): Promise<TestAnswer> {
    return this.send('PATCH', path, body, options);
  }
  delete(path: string, body?: unknown, options?: SendOptions): Promise<TestAnswer> {
    return this.send('DELETE', path, body, options);
  }

  signIn(username: string, password = PASSWORD, options?: SendOptions): Promise<TestAnswer> {
    return this.post('application/sessions', { username, password }, options);
  }
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly database: Database;
  readonly config: Config;
  /** a client that nobody has signed in with */
  client(options?: SendOptions): TestClient;
  /** a client signed in as a user that exists */
  signedIn(username: string, options?: SendOptions): Promise<TestClient>;
}

/** What a busy machine is no reason for: to refuse requests. Tests of the load itself set these. */
const PATIENT = { maxDelaySeconds: 600, maxWaitSeconds: 600 } as const;

/** Settings as the defaults are, with these differences. */
function buildConfig(differences: Partial<Config> = {}): Config {
  const { config } = readCommandLine([], {
    INDEXDESK_LOG_LEVEL: process.env['INDEXDESK_TEST_LOG_LEVEL'] ?? 'silent',
  });
  return { ...config, ...PATIENT, ...differences };
}

/** `jobWait`: a minute by default, as the machine may be busy; 0 where a call is to be answered with its job */
type OpenSettings = Partial<Config> & Pick<AppOptions, 'webDir' | 'routes' | 'jobWait'>;

/**
 * The real app on a fresh database; closed after all tests of the file.
 * @param open as `describeOnBothDatabases` hands it out
 */
export async function openApp(
  open: TestDatabases['open'],
  settings: OpenSettings = {},
): Promise<TestApp> {
  const { webDir, routes, jobWait = WAIT_LIMIT, ...differences } = settings;
  const database = await open();
  const dataDir = mkdtempSync(join(tmpdir(), 'indexdesk-app-'));
  const config = buildConfig({ dataDir, ...differences });
  const app = await buildApp({
    database,
    config,
    // Tests define archives and tables past the app, and use them before the database has notified it.
    definitions: new Definitions({
      limits: limitsOf(config),
      timeZone: config.timeZone,
      maxAge: 0,
    }),
    jobWait,
    // Whether the web admin has been built is to make no difference.
    webDir: webDir ?? join(dataDir, 'no-web-admin'),
    ...(routes === undefined ? {} : { routes }),
  });
  closeAfterFile(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const client = (options?: SendOptions) => new TestClient(app, options);
  return {
    app,
    database,
    config,
    client,
    async signedIn(username, options) {
      const signedIn = client(options);
      const answer = await signedIn.signIn(username);
      if (answer.status !== 201) throw new Error(`Not signed in: ${answer.text}`);
      return signedIn;
    },
  };
}
