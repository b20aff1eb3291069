import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { searchTable } from '#server/database/records/columns.ts';
import { fillSearch } from '#server/database/sqlite/search-index.ts';
import { insertRecords } from '#server/database/records/write-records.ts';
import { buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const { open } = testDatabases('sqlite');

async function problemsOf(database: Database): Promise<string[]> {
  const found: string[] = [];
  await database.adapter.checkIntegrity(database, false, {
    progress: () => undefined,
    attempt: async (_, check) => {
      found.push(...(await check()));
    },
  });
  return found;
}

it('A full-text index that was merged between two checks of a SQLite database is no problem', async () => {
  const database = await open();
  const table = await buildTable(database, [{ name: 'A' }]);
  const insert = (value: string) =>
    database.write(async (db) => {
      const record = { id: null, version: 1, values: [value], keywords: [], document: null };
      await insertRecords(db, table, [record], { at: 1, by: 'builder' });
      await fillSearch(db, table);
    });
  await insert('one');
  await insert('two');
  expect(await problemsOf(database)).toEqual([]);
  const search = searchTable(table);
  await database.write((db) =>
    sql`insert into ${sql.table(search)} (${sql.ref(search)}) values ('optimize')`.execute(db.k),
  );
  expect(await problemsOf(database)).toEqual([]);
});
