/** @module-tag postgres */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import type { Table } from '#server/database/records/collection.ts';
import { definedTablesAnswer } from '#shared/contract/configuration-definitions.ts';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { repeated, WAIT_LIMIT } from '#tests/support/effort.ts';
import { eventually, ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';

const SWAPS = repeated(4);
const WRITERS = 4;

const changesSchema = z.array(z.object({ name: z.string(), after: z.unknown() }));
/** What is read of a stored definition: the names of columns, and their numbers. */
const definitionSchema = z.object({
  definition: z.object({ columns: z.array(z.object({ name: z.string() })) }),
  fieldNumbers: z.array(z.number()),
});

describe('two processes on one PostgreSQL database', () => {
  const { prepare } = testDatabases('postgres');
  let config: DatabaseConfig;
  let table: Table;
  let services: ServiceProcess[] = [];
  beforeAll(async () => {
    config = await prepare();
    table = await inDatabase(async (database) => {
      const built = await buildTable(database, [{ name: 'LEFT' }, { name: 'RIGHT' }]);
      await buildUser(database, { username: 'admin', role: 'administrator' });
      await buildUser(database, { username: 'clerk', rights: [rightOn(built, 'write')] });
      return built;
    });
    services = await Promise.all([1, 2].map(() => startService({ ...config, args: ['--empty'] })));
  });
  afterAll(() => Promise.all(services.map((service) => service.kill())));

  async function inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase(config);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
  const signedIn = async (username: string, process: number) => {
    const client = new ServiceClient(services[process]?.url ?? '');
    await client.signIn(username, PASSWORD);
    return client;
  };

  test('serve no write by two definitions, while names are swapped', async () => {
    const admin = await signedIn('admin', 0);
    const path = `configuration/tables/${table.guid}`;
    const over = new AbortController();
    let written = 0;
    const write = async (writer: number) => {
      const client = await signedIn('clerk', writer % services.length);
      while (!over.signal.aborted) {
        const dataset = { LEFT: 'left', RIGHT: 'right' };
        const answer = await client.send({
          method: 'POST',
          path: datasetsPath(table),
          json: { dataset },
        });
        if (answer.status >= 300) throw new Error(answer.bytes.toString());
        written += 1;
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, i) => write(i)));
    try {
      for (let swap = 0; swap < SWAPS; swap += 1) {
        const before = written;
        expect(await eventually(async () => written > before + WRITERS, WAIT_LIMIT)).toBe(true);
        const { body } = await admin.send({ method: 'GET', path });
        const [now] = definedTablesAnswer.parse(body).tables;
        const columns = now?.columns.map((column) => ({
          ...column,
          name: column.name === 'LEFT' ? 'RIGHT' : 'LEFT',
          renamedFrom: column.name,
        }));
        const answer = await admin.send({
          method: 'PUT',
          path,
          json: { table: { ...now, columns } },
          headers: { 'if-match': `"${now?.version}"` },
        });
        expect([200, 202]).toContain(answer.status);
        const isSwapped = async () => {
          const read = await admin.send({ method: 'GET', path });
          return (
            definedTablesAnswer.parse(read.body).tables[0]?.version === (now?.version ?? 0) + 1
          );
        };
        expect(await eventually(isSwapped, WAIT_LIMIT)).toBe(true);
      }
    } finally {
      over.abort();
      await writing;
    }

    const entries = await inDatabase((database) =>
      database.read((db) =>
        db.k
          .selectFrom('history')
          .select(['scope', 'thing_id', 'row_id', 'changes'])
          .where('scope', 'in', ['definition', 'table'])
          .orderBy('id')
          .execute(),
      ),
    );
    /** the names in the history, by the names at the time */
    let names = new Map<string, string>();
    const wrong: string[] = [];
    for (const { scope, changes } of entries) {
      const read = changesSchema.parse(JSON.parse(changes));
      if (scope === 'definition') {
        const { definition, fieldNumbers } = definitionSchema.parse(
          read.find(({ name }) => name === 'definition')?.after,
        );
        names = new Map(
          definition.columns.map(({ name }, i) => [name, fieldNumbers[i] === 1 ? 'LEFT' : 'RIGHT']),
        );
        continue;
      }
      const after = new Map(read.map((change) => [change.name, change.after]));
      const isRight =
        after.get(names.get('LEFT') ?? '') === 'left' &&
        after.get(names.get('RIGHT') ?? '') === 'right';
      if (!isRight) wrong.push(changes);
    }
    expect(wrong).toEqual([]);
  });

  test('let changed rights hold in both', async () => {
    const admin = await signedIn('admin', 0);
    const clerk = await signedIn('clerk', 1);
    const status = async () =>
      (await clerk.send({ method: 'GET', path: `${datasetsPath(table)}?limit=1` })).status;
    expect(await status()).toBe(200);
    for (const [right, expected] of [
      ['none', 404],
      ['read', 200],
    ] as const) {
      const answer = await admin.send({
        method: 'PATCH',
        path: 'configuration/users/clerk',
        json: { user: { rights: { tables: { [table.guid]: right } } } },
      });
      expect(answer.status).toBe(200);
      expect(await eventually(async () => (await status()) === expected, WAIT_LIMIT)).toBe(true);
    }
    const dataset = { LEFT: 'left', RIGHT: 'right' };
    const refused = await clerk.send({
      method: 'POST',
      path: datasetsPath(table),
      json: { dataset },
    });
    expect(refused.status).toBe(403);
  });
});
