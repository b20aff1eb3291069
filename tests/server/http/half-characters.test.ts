import { expect, it } from 'vitest';
import { hasHalfCharacter } from '#messages/values.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const { open } = testDatabases('sqlite');
const HALF = 'a\ud800b';

it('half a character is refused in every text that is kept, and said plainly', async () => {
  const t = await openApp(open);
  const archive = await buildArchive(t.database, [{ name: 'NAME' }], ['K']);
  const table = await buildTable(t.database, [{ name: 'name' }]);
  await buildRecords(t.database, archive, [['one']], () => [[]]);
  await buildRecords(t.database, table, [['one']]);
  await buildUser(t.database, { rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')] });
  const clerk = await t.signedIn('clerk');
  const [path, datasets] = [archivePath(archive), datasetsPath(table)];
  const indexFields = [{ name: 'NAME', value: HALF }];
  const edit = (step: object) => ({
    selection: { filter: '' },
    edits: [{ field: 'NAME', ...step }],
  });
  const sent: (readonly ['POST' | 'PUT' | 'PATCH', string, object])[] = [
    ['PATCH', `${path}/documents/1/indexdata`, { indexFields }],
    ['PUT', `${path}/documents/1/indexdata`, { indexFields }],
    ['PATCH', `${path}/indexdata`, { revisions: [{ revisionId: 1, indexFields }] }],
    ['PATCH', `${path}/documents/1/indexdata`, { keywordFields: [{ name: 'K', value: HALF }] }],
    ['PATCH', `${path}/documents/1/indexdata`, { keywordFields: [{ name: 'K', keywords: HALF }] }],
    ['POST', datasets, { dataset: { name: HALF } }],
    ['POST', datasets, { datasets: [{ name: HALF }] }],
    ['PUT', `${datasets}/1`, { dataset: { name: HALF } }],
    ['POST', `${path}/bulkedits`, edit({ do: 'set', value: HALF })],
    ['POST', `${path}/bulkedits`, edit({ do: 'append', text: HALF })],
    ['POST', `${path}/bulkedits`, edit({ do: 'prepend', text: HALF })],
    ['POST', `${path}/bulkedits`, edit({ do: 'replace', find: HALF, with: '' })],
    ['POST', `${path}/bulkedits`, edit({ do: 'replace', find: 'a', with: HALF })],
    ['POST', `${path}/bulkedits`, edit({ do: 'replacePattern', pattern: HALF, with: '' })],
    ['POST', `${path}/bulkedits`, edit({ do: 'replacePattern', pattern: 'a', with: HALF })],
    ['POST', `${path}/queues`, { name: HALF, filter: '' }],
    ['POST', `${path}/queues`, { filter: `q=${HALF}` }],
    ['PUT', `${path}/documents/1/flag`, { note: HALF }],
    ['POST', `${path}/views`, { name: HALF, shared: false, search: '' }],
    ['POST', `${path}/views`, { name: 'a', shared: false, search: HALF }],
    ['PUT', `${path}/lastview`, { search: HALF }],
    ['PUT', 'application/users/clerk/password', { current: '-', password: `${HALF} long enough` }],
    ['POST', 'application/sessions', { username: HALF, password: 'a' }],
    ['POST', 'application/sessions', { username: 'clerk', password: HALF }],
  ];
  for (const [method, at, body] of sent) {
    const answer = await clerk.send(method, at, body);
    expect([method, at, body, answer.status]).toEqual([method, at, body, 422]);
    expect(answer.text).toContain(hasHalfCharacter.message);
  }
});
