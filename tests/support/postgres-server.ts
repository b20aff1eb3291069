import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: {
      /** the address of the maintenance database */
      readonly url: string;
      /** an up-to-date empty database, to be copied; the names of the copies begin with its name */
      readonly template: string;
      /** the end of the statement that copies it: as files, in a third of the time that its pages through the log take */
      readonly copying: string;
    };
  }
}

/** The variable by which the projects of a run know the server that the first of them has started. */
const STARTED = 'INDEXDESK_TEST_STARTED_DATABASE_URL';

/**
 * Provides the tests with PostgreSQL: the server of INDEXDESK_TEST_DATABASE_URL, whose user must be allowed
 * to create databases, or else one started for this run.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  // The quick tests leave out what is tagged with `postgres`.
  if (project.vitest.config.tagsFilter?.some((filter) => filter.includes('!postgres'))) return;
  const given = process.env['INDEXDESK_TEST_DATABASE_URL'];
  const running = given ?? process.env[STARTED];
  const [server, { openDatabase }] = await Promise.all([
    running === undefined ? startPostgres() : undefined,
    // Takes as long as the start of the server: at the same time.
    import('#server/database/open-database.ts'),
  ]);
  const url = running ?? server?.url ?? '';
  if (server) process.env[STARTED] = server.url;
  let copying = '';
  const template = `indexdesk_test_${randomBytes(6).toString('hex')}`;
  try {
    await administer(url, async (client) => {
      await client.query(`create database ${template}`);
      const { rows } = await client.query<{ version: number }>(
        `select current_setting('server_version_num')::integer as version`,
      );
      // The only way of PostgreSQL 14.
      if ((rows[0]?.version ?? 0) >= 150_000) copying = 'strategy file_copy';
    });
    const database = await openDatabase({ dataDir: '', databaseUrl: databaseUrl(url, template) });
    await database.close();
  } catch (error) {
    await server?.stop();
    throw error;
  }
  project.provide('postgres', { url, template, copying });
  return async () => {
    if (server) await server.stop();
    else if (given !== undefined) await administer(url, (client) => dropAll(client, template));
  };
}

/** The address of another database of the same server. */
export function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Runs `work` on a connection of its own. */
export async function administer<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function dropAll(client: Client, prefix: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  );
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
}
