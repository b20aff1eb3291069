import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { testDatabases } from '#tests/support/databases.ts';

const { open } = testDatabases('sqlite');

it('A column is added to a SQLite table without a check of its rows', async () => {
  const database = await open();
  await database.write(async (db) => {
    const { strict } = db.adapter.columnTypes;
    await sql`create table probe (a text check (a <> 'wrong')) ${strict}`.execute(db.k);
    // SQLite would find this row if it looked at the rows.
    await sql`pragma ignore_check_constraints = on`.execute(db.k);
    await sql`insert into probe values ('wrong')`.execute(db.k);
    await sql`pragma ignore_check_constraints = off`.execute(db.k);
    await db.adapter.addColumns(db, 'probe', [sql`${sql.ref('b')} text`]);
    await sql`update probe set b = 'stored'`.execute(db.k);
    const { rows } = await sql`select b from probe`.execute(db.k);
    expect(rows).toEqual([{ b: 'stored' }]);
  });
});
