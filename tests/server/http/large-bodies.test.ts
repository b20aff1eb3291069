import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('large JSON bodies', (open) => {
  let t: TestApp;
  let table: Table;

  beforeAll(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [{ name: 'NAME' }]);
    await buildUser(t.database, { rights: [rightOn(table, 'write')] });
  });

  it('are all answered, those that are refused and those that are not JSON, too', async () => {
    const clerk = await t.signedIn('clerk');
    const NAME = 'x'.repeat(900_000);
    const large = { datasets: [{ NAME }, { NAME }] };
    const bodies = [
      large,
      JSON.stringify(large).slice(0, -1),
      { ...large, other: 1 },
      large,
      large,
    ];
    const answers = await Promise.all(bodies.map((body) => clerk.post(datasetsPath(table), body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 422, 200, 200]);
    expect((await clerk.post(datasetsPath(table), large)).status).toBe(200);
  });
});
