/** @module-tag long */
/** @module-tag slow */
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { orderIndex } from '#server/database/records/record-tables.ts';
import type { Table } from '#server/database/records/collection.ts';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { buildRecords, buildTable, datasetsPath } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';

describeOnBothDatabases(
  'serve, after a load was cut off in an index',
  (_, { dialect, prepare }) => {
    let config: DatabaseConfig;
    let table: Table;
    let index: string;
    const services: ServiceProcess[] = [];
    afterEach(async () => {
      for (const service of services.splice(0)) await service.kill();
    });

    async function use<T>(work: (database: Database) => Promise<T>): Promise<T> {
      const database = await openDatabase(config);
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    }
    beforeEach(async () => {
      config = await prepare();
      await use(async (database) => {
        table = await buildTable(database, [{ name: 'city' }]);
        await buildRecords(database, table, [['Ulm'], ['Bern']]);
        await buildUser(database, { username: 'root', role: 'administrator' });
        index = orderIndex(table, table.fields[0]?.number ?? 0);
        await database.write((db) =>
          (dialect === 'sqlite'
            ? sql`drop index ${sql.ref(index)}`
            : // As PostgreSQL leaves one whose making was cut off.
              sql`update pg_index set indisvalid = false where indexrelid = ${index}::regclass`
          ).execute(db.k),
        );
      });
    });
    const start = async () => {
      const environment = { INDEXDESK_LOG_LEVEL: 'info' };
      const service = await startService({ ...config, args: ['--empty'], environment });
      services.push(service);
      return service;
    };
    const created = (service: ServiceProcess) =>
      service.log().split(`"index":"${index}","msg":"creating an index"`).length - 1;
    const isValid = () =>
      use((database) =>
        database.read(async (db) => {
          const { rows } = await sql`select indisvalid from pg_index
            where indexrelid = to_regclass(${index})`.execute(db.k);
          return rows;
        }),
      );

    it.runIf(dialect === 'sqlite')('completes it before it listens', async () => {
      const { url } = await start();
      const call = (path: string, init: RequestInit) => fetch(`${url}/api/rest/v2/${path}`, init);
      const signedIn = await call('application/sessions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'root', password: PASSWORD }),
      });
      const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const list = await call(`${datasetsPath(table)}?sort=city`, { headers: { cookie } });
      const body = Object(await list.json());
      expect(body).toMatchObject({ datasets: [{ city: 'Bern' }, { city: 'Ulm' }] });
    });

    it.runIf(dialect === 'postgres')(
      'completes it in one of several processes, while a transaction keeps it waiting',
      async () => {
        const client = new Client({ connectionString: config.databaseUrl });
        await client.connect();
        try {
          // An index is made after all who have written to the table before have ended.
          await client.query(`begin; lock ${tableName(table)} in row exclusive mode`);
          await Promise.all([start(), start()]);
          await expect.poll(() => services.map(created).join(' ')).toMatch(/^(?:0 1|1 0)$/);
          await client.query('commit');
          await expect.poll(isValid).toEqual([{ indisvalid: true }]);
          expect(services.map(created).join(' ')).toMatch(/^(?:0 1|1 0)$/);
        } finally {
          await client.end();
        }
      },
    );

    it.runIf(dialect === 'postgres')(
      'ends in time while it is being made, and the next start completes it',
      async () => {
        const client = new Client({ connectionString: config.databaseUrl });
        await client.connect();
        try {
          await client.query(`begin; lock ${tableName(table)} in row exclusive mode`);
          const first = await start();
          await expect.poll(() => created(first)).toBe(1);
          expect(await first.stop()).toBe(0);
          await client.query('commit');
        } finally {
          await client.end();
        }
        await start();
        await expect.poll(isValid).toEqual([{ indisvalid: true }]);
      },
    );
  },
);
