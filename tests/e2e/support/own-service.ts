import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { BASE } from '#server/http/paths.ts';
import { SESSION_COOKIE } from '#server/http/session.ts';
import { startPostgres, type PostgresProcess } from '#tests/support/postgres-process.ts';
import { SETTINGS } from '#tests/support/service-process.ts';
import { type Username } from './content.ts';
import { closeService, killService, openService } from './hosted-service.ts';
import { ServiceUser } from './service-user.ts';
import { test } from './test.ts';
import { PASSWORD } from '#tests/support/password.ts';

interface OwnServiceOptions {
  /** fills the data directory; by default with the sample content and the tests' own */
  readonly prepare?: (dataDir: string) => Promise<void>;
  /** by default SQLite; PostgreSQL is a server of the file's own */
  readonly database?: 'sqlite' | 'postgres';
  /** further environment variables of the service */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The real service of one spec file. */
export interface OwnService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The program stops, as when a machine is switched off. */
  kill(): Promise<void>;
  /** It comes back at the same address. */
  startAgain(): Promise<void>;
  /** Another program that uses the service, signed in. */
  as(username: Username): Promise<ServiceUser>;
  /** Signs a browser in without its screen. */
  signIn(context: BrowserContext, username: Username): Promise<void>;
  /** Opens an address of the web admin, signed in. */
  open(page: Page, path: string, username?: Username): Promise<void>;
}

/** Starts a service on a free port and a data directory of its own for all tests of the file; ends it after them. */
export function ownService(options: OwnServiceOptions = {}): OwnService {
  const { prepare = copyContent, database = 'sqlite', environment = {} } = options;
  let folder = '';
  let postgres: PostgresProcess | undefined;
  let url = '';
  const start = async (port: number) => {
    url = await openService({
      dataDir: join(folder, 'data'),
      databaseUrl: postgres?.url,
      port,
      environment: { ...SETTINGS, INDEXDESK_ADMIN_PASSWORD: PASSWORD, ...environment },
    });
  };

  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'indexdesk-e2e-file-'));
    await prepare(join(folder, 'data'));
    if (database === 'postgres') postgres = await startPostgres();
    await start(0);
  });
  test.afterAll(async () => {
    await closeService();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const sessionOf = async (context: BrowserContext) =>
    (await context.cookies(url)).find(({ name }) => name === SESSION_COOKIE)?.value;
  /** whom this has signed in, by the browser */
  const known = new WeakMap<BrowserContext, { username: Username; session: string | undefined }>();
  const signIn: OwnService['signIn'] = async (context, username) => {
    const answer = await context.request.post(`${url}${BASE}application/sessions`, {
      data: { username, password: PASSWORD },
    });
    if (answer.status() !== 201) throw new Error(`${username}: ${await answer.text()}`);
    known.set(context, { username, session: await sessionOf(context) });
  };
  return {
    get url() {
      return url;
    },
    kill: killService,
    startAgain: () => start(Number(new URL(url).port)),
    as: (username) => ServiceUser.signedIn(url, username),
    signIn,
    async open(page, path, username = 'anna') {
      const context = page.context();
      const [is, session] = [known.get(context), await sessionOf(context)];
      // Another sign-in would end the session of a page that is still open.
      if (is?.username !== username || is.session !== session) await signIn(context, username);
      await page.goto(url + path);
    },
  };
}

/** Fills a data directory with the sample content and the tests' own. */
export async function copyContent(dataDir: string): Promise<void> {
  const content = process.env['INDEXDESK_E2E_CONTENT'];
  if (content === undefined) throw new Error('The run was not prepared (global-setup.ts).');
  await cp(content, dataDir, { recursive: true });
}

/** Leaves a data directory empty: nothing but the administrator is in the service. */
export const EMPTY = {
  prepare: () => Promise.resolve(),
  environment: { INDEXDESK_EMPTY: 'true' },
};
