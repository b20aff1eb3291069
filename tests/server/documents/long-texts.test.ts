/** @module-tag long */
import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { indexAnswer, revisionIdsAnswer, revisionsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

const LENGTH = 1_000_000;
const long = (start: string, end: string) =>
  start + 'ä '.repeat((LENGTH - start.length - end.length) / 2) + end;
/** In the order of a list sorted by them; all of the first three share their first half million characters. */
const TEXTS = [long('aa', 'AA'), long('aa', 'bb'), long('aa', 'zz'), 'ab', long('bb', 'needle2')];

describeOnBothDatabases('texts of 1,000,000 characters', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'TEXT' }, { name: 'N', type: 'integer' }]);
    await buildRecords(t.database, archive, [...TEXTS.map((_, i) => ['', i]), [null, 9]]);
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    clerk = await t.signedIn('clerk');
    // Stored backwards, so that the order of the ids is not the order of the texts.
    const answer = await clerk.patch(`${archivePath(archive)}/indexdata`, {
      revisions: TEXTS.map((value, i) => ({
        revisionId: TEXTS.length - i,
        indexFields: [{ name: 'TEXT', value }],
      })),
    });
    if (answer.status !== 200) throw new Error(answer.text);
  });
  const index = (query: string) => `${archivePath(archive)}/index${query}`;
  const ids = async (query: string) =>
    revisionIdsAnswer.parse((await clerk.get(index(`/ids?${query}`))).body).revisionIds;

  it('are answered as they were sent, and one more character is refused', async () => {
    const { body } = await clerk.get(`${archivePath(archive)}/documents/5`);
    const value = revisionsAnswer.parse(body).archivedocumentrevisions[0]?.indexFields[0]?.value;
    expect(value === TEXTS[0]).toBe(true);
    const longer = await clerk.patch(`${archivePath(archive)}/documents/6/indexdata`, {
      indexFields: [{ name: 'TEXT', value: `${TEXTS[0]}x` }],
    });
    expect(longer.status).toBe(422);
    expect(longer.text).toContain('1,000,000');
  });

  it('are sorted', async () => {
    expect(await ids('sort=TEXT')).toEqual(['5', '4', '3', '2', '1', '6']);
    expect(await ids('sort=-TEXT')).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('are walked over by positions', async () => {
    const walked: string[] = [];
    let after: string | null = '';
    do {
      const query: string = after === '' ? '' : `&after=${after}`;
      const page = indexAnswer.parse((await clerk.get(index(`?sort=TEXT&limit=1${query}`))).body);
      walked.push(...page.archivedocuments.map(({ revisionId }) => revisionId));
      after = page.meta.pagination.next;
      // It goes into an address.
      expect(after?.length ?? 0).toBeLessThan(4_000);
    } while (after !== null);
    expect(walked).toEqual(['5', '4', '3', '2', '1', '6']);
  });

  it('are filtered and searched', async () => {
    const start = encodeURIComponent(TEXTS[1]?.slice(0, 2_000) ?? '');
    expect(await ids(`where[TEXT][gt]=${start}&sort=TEXT`)).toEqual(['5', '4', '3', '2', '1']);
    expect(await ids('where[TEXT][lte]=ab')).toEqual(['2', '3', '4', '5']);
    expect(await ids('where[TEXT][like]=NEEDLE')).toEqual(['1']);
    expect(await ids(`where[TEXT][like]=${encodeURIComponent('a bb')}`)).toEqual(['4']);
    expect(await ids('q=needle2')).toEqual(['1']);
    expect(await ids(`where[TEXT][eq]=${start}`)).toEqual([]);
    expect(await ids(`where[TEXT][ne]=ab`)).toEqual(['1', '3', '4', '5', '6']);
  });
});
