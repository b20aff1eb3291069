import { beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { Table } from '#server/database/records/collection.ts';
import { listOptions } from '#server/modules/records/list-options.service.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

/** As long as a key shows them, the same; the second half decides. */
const LONG = ['ä', 'b'].map((end) => 'Long '.repeat(100) + end);
const TEXTS = ['b', 'B', 'b', 'x\u0001y', 'x\u0001y', 'a', '', null, ...LONG, ...LONG, LONG[1]];

describeOnBothDatabases('values in use', (open) => {
  let database: Database;
  let table: Table;
  beforeAll(async () => {
    database = await open();
    table = await buildTable(database, [{ name: 'text' }]);
    await buildRecords(
      database,
      table,
      TEXTS.map((text) => [text ?? null]),
    );
  });
  const options = (q: string) => database.read((db) => listOptions(db, table, 0, null, q));

  it('are counted, most used first, whatever their length and characters', async () => {
    expect(await options('')).toEqual([
      { value: LONG[1], count: 3 },
      { value: 'b', count: 2 },
      { value: LONG[0], count: 2 },
      { value: 'x\u0001y', count: 2 },
      { value: 'a', count: 1 },
      { value: 'B', count: 1 },
    ]);
  });

  it('are narrowed by a part', async () => {
    expect(await options('A')).toEqual([
      { value: LONG[0], count: 2 },
      { value: 'a', count: 1 },
    ]);
    expect(await options('g b')).toEqual([{ value: LONG[1], count: 3 }]);
    expect(await options('\u0001')).toEqual([{ value: 'x\u0001y', count: 2 }]);
  });
});
