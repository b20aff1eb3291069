import { buildUser, openApp } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import type { TestDatabases } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

const FIELDS = [
  { name: 'Text' },
  { name: 'N', type: 'integer' },
  { name: 'D', type: 'decimal', scale: 14 },
  { name: 'B', type: 'boolean' },
  { name: 'DAY', type: 'date' },
  { name: 'AT', type: 'datetime' },
];
const TEXTS = [
  'Ärger',
  'arger',
  'ﬁ',
  'Straße',
  'strasse',
  '',
  null,
  '𝒳',
  '\u{ffff}',
  'a_b',
  'a%b',
  "o'n",
  'Z',
  'a',
];
const ROWS = TEXTS.map((text, i) => [
  text,
  i % 3 === 0 ? null : i - 5,
  [0.1, -1e-14, 123_456_789_012.345, 1e14, null][i % 5] ?? null,
  [true, false, null][i % 3] ?? null,
  ['2024-02-29', '0001-01-01', null][i % 3] ?? null,
  ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00.000+01:00', '2023-12-31T23:59:59.9-14:00', null][
    i % 4
  ] ?? null,
]);

const QUERIES = [
  ...FIELDS.flatMap(({ name }) => [`sort=${name}&limit=5`, `sort=-${name}&offset=3&limit=100`]),
  'sort=B,-Text,DAY',
  'where[Text][like]=A',
  'where[Text][gt]=a&sort=Text',
  'where[Text][ne]=arger',
  'where[D][lt]=0.1',
  'where[D][eq]=100000000000000',
  'where[AT][eq]=2024-01-01T00:00:00Z',
  'where[DAY][lte]=2024-02-29',
  'where[keyword.K][in]=x,y',
  'where[changedBy][eq]=builder&where[revisionId][gt]=3',
  'where[changedAt][gt]=2024-01-01T00:00:00Z',
  'q=ss',
  'q=a_',
  'q=fi',
  'where[Text][eq]=%00&limit=x',
  'sort=nope',
];

/** Runs everything that the calls about records can do; the answers, but for what must differ. */
export async function answersOfAllCalls(open: TestDatabases['open']): Promise<string[]> {
  const t = await openApp(open);
  const { database } = t;
  const archive = await buildArchive(database, FIELDS, ['K']);
  const table = await buildTable(database, [
    ...FIELDS,
    { name: 'U', unique: true },
    { name: 'REQ', required: true, default: 'd' },
  ]);
  await buildRecords(database, archive, ROWS, (row) => [row % 2 === 0 ? ['x', 'Y'] : ['y']]);
  await buildUser(database, { rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')] });
  const clerk = await t.signedIn('clerk');
  const answers: string[] = [];
  const hide = (text: string) =>
    text
      .replaceAll(archive.name, 'ARCHIVE')
      .replaceAll(archive.guid, 'GUID')
      .replaceAll(table.name, 'TABLE')
      .replaceAll(table.guid, 'GUID')
      // Refusals take ids of the history, too, as soon as they are written in the background.
      .replaceAll(/"historyIds":\{[^}]*\}/g, (ids) => ids.replaceAll(/:"\d+"/g, ':""'))
      .replaceAll(/"(historyId|requestId)":"[^"]*"/g, '"$1":""')
      .replaceAll(/"(at|createdAt|changedAt)":"202[5-9][^"]*"/g, '"$1":""')
      .replaceAll(/at 20\d\d-[0-9T:.-]+Z/g, 'at TIME');
  const call = async (...[method, path, body, options]: Parameters<typeof clerk.send>) => {
    const answer = await clerk.send(method, path, body, options);
    const headers = ['content-type', 'etag', 'content-disposition', 'allow'].map(
      (name) => answer.headers[name],
    );
    answers.push(
      hide(`${method} ${path}\n${answer.status} ${JSON.stringify(headers)}\n${answer.text}`),
    );
    return answer;
  };
  const one = (id: number | string) => `${archivePath(archive)}/documents/${id}`;
  const datasets = datasetsPath(table);

  for (const query of QUERIES) {
    for (const path of ['index', 'documents', 'index/ids', 'index/count']) {
      await call('GET', `${archivePath(archive)}/${path}?${query}`);
    }
  }
  for (const { name } of FIELDS)
    await call('GET', `${archivePath(archive)}/indices/${name}/listoptions`);
  await call('GET', 'application/users/clerk/archives');
  await call('GET', `application/users/clerk/archives/${archive.name}`);
  await call('GET', `application/dataapp/tables/${table.guid}`);

  for (const [i, row] of ROWS.entries()) {
    const values = (from: unknown[]) => FIELDS.map(({ name }, at) => ({ name, value: from[at] }));
    await call('PUT', `${one(i + 1)}/indexdata`, { indexFields: values(ROWS.at(-1 - i) ?? []) });
    await call('POST', datasets, {
      dataset: Object.fromEntries(FIELDS.map(({ name }, at) => [name, row[at]])),
    });
  }
  await call('PATCH', `${archivePath(archive)}/indexdata`, {
    revisions: [
      {
        revisionId: 3,
        indexFields: [{ name: 'd', value: '0.30' }],
        keywordFields: [{ name: 'k', keywords: 'b,a' }],
      },
      { revisionId: 1, indexFields: [{ name: 'TEXT', value: 'neu\r\n' }], ifMatch: '*' },
    ],
  });
  await call('PATCH', `${archivePath(archive)}/indexdata`, {
    revisions: [
      { revisionId: 3, indexFields: [{ name: 'D', value: 'x' }], ifMatch: '"1"' },
      { revisionId: 999, indexFields: [] },
      { revisionId: 3, indexFields: [{ name: 'D', value: 1 }] },
    ],
  });
  await call(
    'PATCH',
    `${one(4)}/indexdata`,
    { indexFields: [{ name: 'N', value: 1 }] },
    { headers: { 'if-match': '"9"' } },
  );
  const form = formOf([
    ['indexFields[0][name]', 'Text'],
    ['indexFields[0][value]', 'form'],
    ['files', { name: 'ä.txt', type: 'text/plain', bytes: 'ä' }],
  ]);
  await call('POST', `${archivePath(archive)}/documents`, form.body, { headers: form.headers });
  await call('POST', one(2), form.body, { headers: form.headers });
  await call('GET', one(16));
  await call('GET', `${one(16)}/file`);
  await call('PATCH', one(2), { locked: true });
  await call('DELETE', one(5));
  for (const id of [1, 2, 3, 5, 15, 16, 99]) await call('GET', `${one(id)}/history`);

  await call('POST', datasets, { datasets: [{ U: 'a' }, { U: 'b', REQ: null }, { U: 'a', x: 1 }] });
  await call('POST', datasets, { datasets: [{ U: 'a' }, { U: 'b' }] });
  await call('PUT', datasets, {
    datasets: [
      { jrid: 15, U: 'b' },
      { jrid: 16, U: 'a' },
    ],
  });
  await call('POST', datasets, { dataset: { U: 'a' } });
  await call('PUT', `${datasets}/15`, { dataset: { D: '0.10', AT: '', jrid: '15' } });
  await call('DELETE', datasets, { datasets: [{ jrid: 15 }, { jrid: 3 }] });
  const { body } = await call('GET', `${datasets}/15/history`);
  await call('POST', `${datasets}/undo`, { historyIds: [Object(body).history[0].historyId] });
  await call('GET', `${datasets}/15/history`);
  await call('GET', `${datasets}?sort=-jrid&limit=4`);
  await call('GET', `${datasets}/ids?where[U][null]=false&sort=-U`);
  return answers;
}
