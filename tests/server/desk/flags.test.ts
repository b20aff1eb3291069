import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { flagsAnswer } from '#shared/contract/workspace-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('flags for later', (open) => {
  let t: TestApp;
  let archive: Archive;
  let anna: TestClient;
  let bert: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }]);
    await buildRecords(t.database, archive, [['1'], ['2'], ['3']]);
    for (const username of ['anna', 'bert']) {
      await buildUser(t.database, { username, rights: [rightOn(archive, 'manage')] });
    }
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
  });
  const flagged = async (client: TestClient) =>
    flagsAnswer
      .parse((await client.get(`${archivePath(archive)}/flags`)).body)
      .flags.map(({ revisionId, note }) => [revisionId, note]);
  const flagOf = (id: number) => `${archivePath(archive)}/documents/${id}/flag`;

  it('are set, noted, taken off, by user; those of deleted revisions disappear', async () => {
    const set = await anna.put(flagOf(2), { note: 'Ask Eve' });
    expect([set.status, set.body]).toMatchObject([
      200,
      { flags: [{ revisionId: '2', note: 'Ask Eve' }] },
    ]);
    await anna.put(flagOf(1), { note: '' });
    await anna.put(flagOf(2), { note: 'Asked' });
    await anna.put(flagOf(3), { note: 'Later' });
    expect(await flagged(anna)).toEqual([
      ['2', 'Asked'],
      ['1', ''],
      ['3', 'Later'],
    ]);
    expect(await flagged(bert)).toEqual([]);
    expect((await anna.delete(flagOf(1))).status).toBe(204);
    expect((await anna.delete(flagOf(1))).status).toBe(204);
    await bert.delete(`${archivePath(archive)}/documents/3`);
    expect(await flagged(anna)).toEqual([['2', 'Asked']]);
    expect((await anna.put(flagOf(3), { note: '' })).status).toBe(404);
    expect((await anna.put(flagOf(1), {})).status).toBe(422);
  });

  it('of one user are neither changed nor removed by another', async () => {
    const notes = async () => [await flagged(anna), await flagged(bert)];
    await anna.put(flagOf(1), { note: 'Anna’s' });
    await anna.delete(flagOf(2));
    expect((await bert.delete(flagOf(1))).status).toBe(204);
    expect(await notes()).toEqual([[['1', 'Anna’s']], []]);
    await bert.put(flagOf(1), { note: 'Bert’s' });
    expect(await notes()).toEqual([[['1', 'Anna’s']], [['1', 'Bert’s']]]);
    await anna.delete(flagOf(1));
    expect(await notes()).toEqual([[], [['1', 'Bert’s']]]);
  });
});
