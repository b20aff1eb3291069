import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { revisionsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

const FIELDS = [
  { name: 'T' },
  { name: 'SHORT', maxLength: 3 },
  { name: 'I', type: 'integer' },
  { name: 'D', type: 'decimal' },
  { name: 'D14', type: 'decimal', scale: 14 },
  { name: 'B', type: 'boolean' },
  { name: 'DAY', type: 'date', min: '2000-01-01' },
  { name: 'AT', type: 'datetime' },
  { name: 'OPT', options: ['a', 'b'] },
  { name: 'REQ', required: true },
  { name: 'PAT', pattern: '[A-Z]{2}[0-9]+' },
];
const REFUSED = Symbol('refused');

/** field, the value's JSON as it is written, the answered value */
const CASES: [field: string, json: string, answered: unknown][] = [
  ['T', '"  a\\r\\nb\\t"', '  a\r\nb\t'],
  ['T', '"e\\u0301 \\ud83d\\ude00 \\ufb01"', 'e\u0301 😀 ﬁ'],
  ['T', '1.50', '1.50'],
  ['T', 'true', 'true'],
  ['T', '""', ''],
  ['T', 'null', null],
  ['T', '"a\\u0000b"', REFUSED],
  ['T', '"\\ud800"', REFUSED],
  ['SHORT', '"😀😀😀"', '😀😀😀'],
  ['SHORT', '"abcd"', REFUSED],
  ['I', '9007199254740991', 9007199254740991],
  ['I', '-9007199254740991', -9007199254740991],
  ['I', '9007199254740992', REFUSED],
  ['I', '1.0000000000000000001', REFUSED],
  ['I', '1.0', 1],
  ['I', '1e3', 1000],
  ['I', '-0', 0],
  ['I', '"+12"', 12],
  ['I', '"1e3"', REFUSED],
  ['I', '" 1"', REFUSED],
  ['I', '"1,5"', REFUSED],
  ['I', 'true', REFUSED],
  ['I', '""', null],
  ['D', '12.34', 12.34],
  ['D', '12.345', REFUSED],
  ['D', '12.340', 12.34],
  ['D', '0.1e-1', 0.01],
  ['D', '1234567890123.45', 1234567890123.45],
  ['D', '12345678901234.56', REFUSED],
  ['D', '"-0.10"', -0.1],
  ['D', '".5"', REFUSED],
  ['D14', '0.00000000000001', 1e-14],
  ['D14', '0.000000000000001', REFUSED],
  ['B', 'true', true],
  ['B', '"false"', false],
  ['B', '1', true],
  ['B', '0', false],
  ['B', '2', REFUSED],
  ['B', '"True"', REFUSED],
  ['B', '""', null],
  ['DAY', '"2024-02-29"', '2024-02-29'],
  ['DAY', '"2023-02-29"', REFUSED],
  ['DAY', '"1999-12-31"', REFUSED],
  ['DAY', '"2024-2-9"', REFUSED],
  ['DAY', '"2024-02-29T00:00:00Z"', REFUSED],
  ['DAY', '20240229', REFUSED],
  ['DAY', '""', null],
  ['AT', '"2024-02-29T23:59:59.120+05:30"', '2024-02-29T23:59:59.120+05:30'],
  ['AT', '"2024-02-29T00:00:00Z"', '2024-02-29T00:00:00Z'],
  ['AT', '"2024-02-29T00:00:00-00:00"', '2024-02-29T00:00:00-00:00'],
  ['AT', '"2024-02-29T00:00:00"', REFUSED],
  ['AT', '"2024-02-29T24:00:00Z"', REFUSED],
  ['AT', '"2024-02-29t00:00:00z"', REFUSED],
  ['AT', '"2024-02-29T00:00:00+14:00"', '2024-02-29T00:00:00+14:00'],
  ['AT', '"2024-02-29T00:00:00+14:01"', REFUSED],
  ['AT', '"2024-02-29T00:00:00.1234Z"', REFUSED],
  ['AT', '""', null],
  ['OPT', '"b"', 'b'],
  ['OPT', '"B"', REFUSED],
  ['OPT', '""', null],
  ['REQ', '" "', ' '],
  ['REQ', '""', REFUSED],
  ['REQ', 'null', REFUSED],
  ['PAT', '"AB12"', 'AB12'],
  ['PAT', '"xAB12"', REFUSED],
  ['PAT', 'null', null],
];

describeOnBothDatabases('values of index fields', (open, { dialect }) => {
  // What is refused does not come to the database.
  const cases =
    dialect === 'sqlite' ? CASES : CASES.filter(([, , answered]) => answered !== REFUSED);
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, FIELDS);
    await buildRecords(t.database, archive, [FIELDS.map(() => null)]);
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    clerk = await t.signedIn('clerk');
  });
  const revision = () => `${archivePath(archive)}/documents/1`;

  it.each(cases)('%s takes or refuses %s', async (field, json, answered) => {
    const body = `{"indexFields":[{"name":"${field}","value":${json}}]}`;
    const answer = await clerk.patch(`${revision()}/indexdata`, body);
    if (answered === REFUSED) {
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({
        code: 'validation_failed',
        errors: { [`indexFields.${field}`]: [expect.stringMatching(/^[A-Z].*\.$/s)] },
      });
      return;
    }
    expect(answer.status).toBe(200);
    const read = revisionsAnswer.parse((await clerk.get(revision())).body);
    for (const { archivedocumentrevisions } of [revisionsAnswer.parse(answer.body), read]) {
      const found = archivedocumentrevisions[0]?.indexFields.find(({ name }) => name === field);
      expect(found?.value).toStrictEqual(answered);
    }
  });

  it('writes the number as it is, without an exponent of its own making on one database alone', async () => {
    await clerk.patch(
      `${revision()}/indexdata`,
      '{"indexFields":[{"name":"D14","value":0.00000000000001},{"name":"D","value":100}]}',
    );
    const { text } = await clerk.get(revision());
    expect(text).toContain('{"name":"D","value":100},{"name":"D14","value":1e-14}');
  });

  it('keeps the moment of a date-time apart from its text', async () => {
    const at = (value: string) => ({ indexFields: [{ name: 'AT', value }] });
    const first = await clerk.patch(`${revision()}/indexdata`, at('2024-01-01T12:00:00+01:00'));
    const same = await clerk.patch(`${revision()}/indexdata`, at('2024-01-01T11:00:00Z'));
    expect(same.headers['etag']).not.toBe(first.headers['etag']);
    for (const [op, value, count] of [
      ['eq', '2024-01-01T13:00:00%2B02:00', 1],
      ['gt', '2024-01-01T11:00:00.001Z', 0],
      ['gte', '2023-12-31T23:00:00-12:00', 1],
    ]) {
      const answer = await clerk.get(
        `${archivePath(archive)}/index/count?where[AT][${op}]=${value}`,
      );
      expect([op, answer.body]).toEqual([op, { count }]);
    }
  });
});
