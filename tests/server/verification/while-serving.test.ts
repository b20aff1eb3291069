import { expect, it, vi } from 'vitest';
import { openDatabase } from '#server/database/open-database.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const CLIENTS = 4;
const VERIFICATIONS = 5;

describeOnOneDatabase('verify while the service works', (open, { prepare }) => {
  it('finds nothing', { tags: ['long'] }, async () => {
    const config = await prepare();
    const { dataDir } = config;
    const t = await openApp(() => open(config), { dataDir });
    const table = await buildTable(t.database, [{ name: 'A' }, { name: 'N', type: 'integer' }]);
    await buildUser(t.database, { rights: [rightOn(table, 'manage')] });
    const path = datasetsPath(table);
    const end = new AbortController();
    let writes = 0;
    const clerk = await t.signedIn('clerk');
    expect((await clerk.post(path, { dataset: { A: 'shared' } })).status).toBe(200);
    const work = async (client: number) => {
      const created = await clerk.post(path, { dataset: { A: `of ${client}` } });
      const { jrid } = Object(created.body).datasets[0];
      while (!end.signal.aborted) {
        const answers = [
          await clerk.put(`${path}/${jrid}`, { dataset: { N: writes } }),
          await clerk.put(`${path}/1`, { dataset: { A: `shared by ${client}`, N: -writes } }),
          await clerk.post(path, { dataset: { A: 'passing' } }),
        ];
        const passing = Object(answers[2]?.body).datasets[0].jrid;
        answers.push(await clerk.delete(path, { datasets: [{ jrid: passing }] }));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
        writes += answers.length;
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));

    const [said, found]: [string[], string[]] = [[], []];
    const report = {
      progress: () => undefined,
      info: (line: string) => said.push(line),
      fail: (line: string) => found.push(line),
    };
    const files = openFileStore({ dataDir, files: undefined });
    const options = { contents: false, deep: false, since: null };
    try {
      for (let i = 0; i < VERIFICATIONS; i++) {
        // Connections of its own, as each run of the command has.
        const database = await openDatabase(config);
        await verifyInstallation(database, config, files, options, report);
        await database.close();
        const before = writes;
        await Promise.race([clients, vi.waitFor(() => expect(writes).toBeGreaterThan(before))]);
      }
    } finally {
      end.abort();
    }
    await clients;
    expect(writes).toBeGreaterThan(VERIFICATIONS);
    expect(found).toEqual([]);
    expect(said.some((line) => /Chain: [1-9]/.test(line))).toBe(true);
  });
});
