import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { orderIndex } from '#server/database/records/record-tables.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { directoryStore } from '#server/modules/files/directory-store.ts';
import { loadDefinition } from '#server/modules/loading/loading.service.ts';
import { listPage } from '#server/modules/records/lists.service.ts';
import { describeOnBothDatabases, testDatabases } from '#tests/support/databases.ts';
import { buildFolder, loadFile, writeFiles } from '#tests/support/load.ts';

const GUID = 'cccccccc-0000-0000-0000-000000000016';
const folder = buildFolder();

interface Content {
  readonly columns: readonly object[];
  readonly datasets?: readonly object[];
}

async function definition({ columns, datasets = [] }: Content): Promise<string> {
  const name = `${randomUUID()}.json`;
  await writeFiles(folder, {
    [name]: { tables: [{ guid: GUID, name: 'FIRMS', columns, datasets }] },
  });
  return join(folder, name);
}

const NO = { name: 'no', type: 'integer' };
const CITY = { name: 'city', type: 'text' };
const BEFORE: Content = { columns: [NO], datasets: [{ no: 1 }, { no: 2 }, { no: 3 }] };

async function firms(database: Database) {
  const { tables } = await database.read(readDefinitions);
  const [table] = tables;
  if (!table) throw new Error('There is no table.');
  return table;
}

describeOnBothDatabases('a load that adds a column', (open, { onOneDatabase }) => {
  let database: Database;
  let dataDir: string;
  beforeEach(async () => {
    database = await open();
    dataDir = buildDataDir();
    await loadFile(database, dataDir, await definition(BEFORE));
  });

  it('adds it also where a row is bad, and no rows then', onOneDatabase, async () => {
    const datasets = [{ no: 4, city: 'Ulm' }, { no: 'x' }];
    const { result, failed, warned } = await loadFile(
      database,
      dataDir,
      await definition({ columns: [NO, CITY], datasets }),
    );
    expect(result?.complete).toBe(false);
    expect(warned).toEqual(['FIRMS: the column city is new.']);
    expect(failed.at(-1)).toBe('No rows of the table FIRMS were loaded.');
    const table = await firms(database);
    expect(table.fields.map(({ name }) => name)).toEqual(['no', 'city']);
    const { records } = await database.read((db) => listPage(db, table, []));
    expect(records).toHaveLength(3);
  });

  it('makes it sortable, for the rows that are loaded with it too', async () => {
    const datasets = [
      { no: 4, city: 'Ulm' },
      { no: 5, city: 'ähnlich' },
      { no: 6, city: 'Bern' },
    ];
    await loadFile(database, dataDir, await definition({ columns: [NO, CITY], datasets }));
    const table = await firms(database);
    const { records } = await database.read((db) => listPage(db, table, [['sort', 'city,-no']]));
    expect(records.map(({ values }) => values)).toEqual([
      [5, 'ähnlich'],
      [6, 'Bern'],
      [4, 'Ulm'],
      [3, null],
      [2, null],
      [1, null],
    ]);
  });
});

describe('on PostgreSQL a load that adds a text column', { tags: ['postgres'] }, () => {
  const { prepare, open } = testDatabases('postgres');
  let config: DatabaseConfig;
  let database: Database;
  beforeEach(async () => {
    config = await prepare();
    database = await open(config);
    await loadFile(database, config.dataDir, await definition(BEFORE));
  });
  const extended: Content = { ...BEFORE, columns: [NO, CITY] };

  /** The file in which PostgreSQL keeps the table: another one where it was rewritten. */
  const fileOf = async () => {
    const name = tableName(await firms(database));
    const { rows } = await database.read((db) =>
      sql<{ file: number }>`select pg_relation_filenode(${name}::regclass)::bigint as file`.execute(
        db.k,
      ),
    );
    return rows[0]?.file;
  };
  /** Each index of the column, with whether it is valid. */
  const indexesOf = async () => {
    const table = await firms(database);
    const name = orderIndex(table, table.fields[1]?.number ?? 0);
    const { rows } = await database.read((db) =>
      sql<{ name: string; valid: boolean }>`
        select class.relname as name, entry.indisvalid as valid
        from pg_index as entry join pg_class as class on class.oid = entry.indexrelid
        where entry.indrelid = ${tableName(table)}::regclass and starts_with(class.relname, ${name})
        order by class.relname`.execute(db.k),
    );
    return { name, rows };
  };

  it('does not rewrite the table', async () => {
    const before = await fileOf();
    await loadFile(database, config.dataDir, await definition(extended));
    expect((await firms(database)).fields).toHaveLength(2);
    expect(await fileOf()).toBe(before);
  });

  it('keeps nobody waiting behind it while the table is in use', async () => {
    const table = tableName(await firms(database));
    const [holder, reader] = [
      new Client({ connectionString: config.databaseUrl }),
      new Client({ connectionString: config.databaseUrl, statement_timeout: 20_000 }),
    ];
    await holder.connect();
    await reader.connect();
    try {
      await holder.query(`begin; select from ${table}`);
      const waited = Promise.withResolvers<void>();
      const report = {
        progress: (text: string) => {
          if (text === 'FIRMS: in use, waiting to add its fields') waited.resolve();
        },
        info: () => undefined,
        warn: () => undefined,
        fail: (line: string) => waited.reject(new Error(line)),
      };
      const files = directoryStore(join(config.dataDir, 'files'));
      const path = await definition(extended);
      const loading = loadDefinition(
        database,
        files,
        path,
        { skipBadRows: null, timeZone: 'UTC' },
        report,
      );
      await waited.promise;
      // Would wait behind a lock that is waited for until it was given.
      for (let i = 0; i < 3; i++) await reader.query(`select count(*) from ${table}`);
      await holder.query('commit');
      expect((await loading).complete).toBe(true);
      expect((await firms(database)).fields).toHaveLength(2);
    } finally {
      await holder.end();
      await reader.end();
    }
  });

  it('completes the indexes that an earlier one was cut off in', async () => {
    await loadFile(database, config.dataDir, await definition(extended));
    const whole = await indexesOf();
    expect(whole.rows).toEqual([
      { name: whole.name, valid: true },
      { name: `${whole.name}_long`, valid: true },
    ]);
    await database.write(async (db) => {
      await sql`drop index ${sql.ref(`${whole.name}_long`)}`.execute(db.k);
      // As PostgreSQL leaves one whose making failed.
      await sql`update pg_index set indisvalid = false where indexrelid = ${whole.name}::regclass`.execute(
        db.k,
      );
    });
    const broken = await indexesOf();
    expect(broken.rows).toEqual([{ name: whole.name, valid: false }]);
    await loadFile(database, config.dataDir, await definition(extended));
    expect(await indexesOf()).toEqual(whole);
  });
});

function buildDataDir(): string {
  return join(folder, randomUUID());
}
