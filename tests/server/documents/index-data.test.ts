import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { historyAnswer, revisionsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

const FIELDS = [
  { name: 'InvoiceNo', required: true, maxLength: 10 },
  { name: 'AMOUNT', type: 'decimal' },
  { name: 'PAID', type: 'boolean' },
];

describeOnBothDatabases('index data of one revision', (open) => {
  let t: TestApp;
  let archive: Archive;
  /** its records break its definition */
  let old: Archive;
  let clerk: TestClient;
  /** the next revision that no test has used */
  let next = 1;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, FIELDS, ['SUBJECT', 'Place']);
    await buildRecords(
      t.database,
      archive,
      Array.from({ length: 40 }, (_, i) => [`R-${i + 1}`, 1.5, null]),
      () => [['paper', 'ink'], []],
    );
    old = await buildArchive(t.database, [
      { name: 'CODE', required: true, options: ['a', 'b'] },
      { name: 'N', type: 'integer', min: 0 },
    ]);
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    clerk = await t.signedIn('clerk');
  });
  const fresh = () => String(next++);
  const at = (id: string, of: string = archivePath(archive)) => `${of}/documents/${id}/indexdata`;
  const revision = (id: string, values: unknown[], keywords: [string, string][]) => ({
    revisionId: id,
    indexFields: FIELDS.map(({ name }, i) => ({ name, value: values[i] })),
    keywordFields: keywords.map(([name, value]) => ({ name, value })),
  });
  const UNCHANGED: [string, string][] = [
    ['SUBJECT', 'paper'],
    ['SUBJECT', 'ink'],
  ];
  const errorsOf = (body: unknown) => Object.keys(errorBodySchema.parse(body).errors).sort();
  const historyOf = async (id: string) =>
    historyAnswer.parse((await clerk.get(`${archivePath(archive)}/documents/${id}/history`)).body)
      .history;

  it('PATCH changes the named fields alone and answers all, in the order of the definition', async () => {
    const id = fresh();
    const answer = await clerk.patch(at(id), { indexFields: [{ name: 'amount', value: '2.25' }] });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    // As text, so that the order of the keys is seen too.
    expect(answer.text).toBe(
      JSON.stringify({
        archivedocumentrevisions: [revision(id, [`R-${id}`, 2.25, null], UNCHANGED)],
        meta: { findings: [] },
      }),
    );
  });

  it('PUT replaces all index fields, in any order, null counting as provided', async () => {
    const id = fresh();
    const answer = await clerk.put(at(id), {
      indexFields: [
        { name: 'PAID', value: 1 },
        { name: 'AMOUNT', value: null },
        { name: 'invoiceno', value: 'new' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      archivedocumentrevisions: [revision(id, ['new', null, true], UNCHANGED)],
      meta: { findings: [] },
    });
  });

  it('PUT names every missing index field and changes nothing', async () => {
    const id = fresh();
    const answer = await clerk.put(at(id), { indexFields: [{ name: 'InvoiceNo', value: 'new' }] });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'validation_failed' });
    expect(errorsOf(answer.body)).toEqual(['indexFields.AMOUNT', 'indexFields.PAID']);
    for (const body of [{}, { indexFields: [] }, { keywordFields: [] }]) {
      const refused = await clerk.put(at(id), body);
      expect(refused.status).toBe(422);
      expect(errorsOf(refused.body)).toHaveLength(3);
    }
    expect(await historyOf(id)).toEqual([]);
  });

  it('finds the archive by GUID or table name and fields by name, without regard to case', async () => {
    const id = fresh();
    const body = { indexFields: [{ name: 'INVOICENO', value: 'x' }] };
    for (const name of [
      archive.guid.toUpperCase(),
      archive.guid,
      archive.name.toLowerCase(),
      archive.name,
    ]) {
      const answer = await clerk.patch(at(id, `application/archiveapp/archives/${name}`), body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        archivedocumentrevisions: [revision(id, ['x', 1.5, null], UNCHANGED)],
        meta: { findings: [] },
      });
    }
  });

  it('refuses names given twice, unknown names, an empty list and entries of another shape', async () => {
    const id = fresh();
    const twice = await clerk.patch(at(id), {
      indexFields: [
        { name: 'AMOUNT', value: 1 },
        { name: 'amount', value: 2 },
        { name: 'NOPE', value: 2 },
        { name: '__proto__', value: 2 },
      ],
      keywordFields: [{ name: 'nope', value: 'x' }],
    });
    expect(twice.status).toBe(422);
    expect(errorsOf(twice.body)).toEqual([
      'indexFields.AMOUNT',
      'indexFields.NOPE',
      'indexFields.__proto__',
      'keywordFields.nope',
    ]);
    expect(twice.body).toMatchObject({
      errors: {
        'indexFields.NOPE': ['There is no index field NOPE.'],
        'keywordFields.nope': ['There is no keyword field nope.'],
      },
    });
    for (const body of [
      {},
      { indexFields: [] },
      { indexFields: [], keywordFields: [] },
      [],
      'null',
      '7',
      '"text"',
      { indexFields: {} },
      { indexFields: [{ name: 'AMOUNT' }] },
      { indexFields: [{ value: 1 }] },
      { indexFields: [{ name: 7, value: 1 }] },
      { indexFields: [{ name: 'AMOUNT', value: 1, more: 1 }] },
      { indexFields: [{ name: 'AMOUNT', value: 1 }], more: 1 },
      { indexFields: [{ name: 'AMOUNT', value: 1 }], revisionId: id },
      { keywordFields: [{ name: 'SUBJECT' }] },
      { keywordFields: [{ name: 'SUBJECT', value: 'a', keywords: 'b' }] },
    ]) {
      const answer = await clerk.patch(at(id), body);
      expect([body, answer.status, errorsOf(answer.body)]).toEqual([body, 422, ['-']]);
    }
    expect(await historyOf(id)).toEqual([]);
  });

  it('refuses lists and objects as values', async () => {
    for (const value of [[1], { a: 1 }, []]) {
      const answer = await clerk.patch(at('1'), { indexFields: [{ name: 'AMOUNT', value }] });
      expect(answer.status).toBe(422);
      expect(errorsOf(answer.body)).toEqual(['indexFields.AMOUNT']);
    }
  });

  it('reports all errors of the body together', async () => {
    const answer = await clerk.put(at(fresh()), {
      indexFields: [
        { name: 'InvoiceNo', value: 'far too long a number' },
        { name: 'AMOUNT', value: 'many' },
      ],
      keywordFields: [{ name: 'SUBJECT', value: 'x'.repeat(256) }],
    });
    expect(answer.status).toBe(422);
    expect(errorsOf(answer.body)).toEqual([
      'indexFields.AMOUNT',
      'indexFields.InvoiceNo',
      'indexFields.PAID',
      'keywordFields.SUBJECT',
    ]);
    for (const [message] of Object.values(errorBodySchema.parse(answer.body).errors)) {
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
  });

  describe('keyword fields', () => {
    it('are replaced where they are named, by value entries or a comma list, in PATCH and PUT', async () => {
      const id = fresh();
      const patched = await clerk.patch(at(id), {
        keywordFields: [
          { name: 'subject', value: 'one' },
          { name: 'SUBJECT', value: 'two' },
          { name: 'SUBJECT', value: 'one' },
        ],
      });
      expect(patched.status).toBe(200);
      expect(patched.body).toEqual({
        archivedocumentrevisions: [
          revision(
            id,
            [`R-${id}`, 1.5, null],
            [
              ['SUBJECT', 'one'],
              ['SUBJECT', 'two'],
            ],
          ),
        ],
        meta: { findings: [] },
      });
      const put = await clerk.put(at(id), {
        indexFields: FIELDS.map(({ name }) => ({ name, value: name === 'InvoiceNo' ? 'p' : null })),
        keywordFields: [{ name: 'PLACE', keywords: ' Bonn , Köln,,Bonn' }],
      });
      expect(put.body).toEqual({
        archivedocumentrevisions: [
          revision(
            id,
            ['p', null, null],
            [
              ['SUBJECT', 'one'],
              ['SUBJECT', 'two'],
              ['Place', 'Bonn'],
              ['Place', 'Köln'],
            ],
          ),
        ],
        meta: { findings: [] },
      });
    });

    it('are emptied by an empty list, and keep what is not named', async () => {
      const id = fresh();
      for (const [entry, left] of [
        [{ name: 'Place', keywords: '' }, UNCHANGED],
        [{ name: 'SUBJECT', keywords: '' }, []],
      ] as const) {
        const answer = await clerk.patch(at(id), { keywordFields: [entry] });
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({
          archivedocumentrevisions: [revision(id, [`R-${id}`, 1.5, null], [...left])],
          meta: { findings: [] },
        });
      }
      const [entry, ...more] = await historyOf(id);
      expect(more).toEqual([]);
      expect(entry?.changes).toEqual([
        { name: 'keyword.SUBJECT', before: ['paper', 'ink'], after: [] },
      ]);
    });

    it('keep a comma in a value entry', async () => {
      const id = fresh();
      const answer = await clerk.patch(at(id), {
        keywordFields: [{ name: 'SUBJECT', value: 'a, b' }],
      });
      expect(revisionsAnswer.parse(answer.body).archivedocumentrevisions[0]?.keywordFields).toEqual(
        [{ name: 'SUBJECT', value: 'a, b' }],
      );
    });
  });

  it.each(['patch', 'put'] as const)(
    'gives a revision whose keywords alone a %s changes a new ETag',
    async (method) => {
      const id = fresh();
      const path = `${archivePath(archive)}/documents/${id}`;
      const etag = async () => String((await clerk.get(path)).headers['etag']);
      const before = await etag();
      const { indexFields } =
        revisionsAnswer.parse((await clerk.get(path)).body).archivedocumentrevisions[0] ?? {};
      const changed = await clerk[method](at(id), {
        ...(method === 'put' ? { indexFields } : {}),
        keywordFields: [{ name: 'SUBJECT', keywords: 'paper' }],
      });
      expect([changed.status, changed.headers['etag']]).toEqual([200, await etag()]);
      expect(changed.headers['etag']).not.toBe(before);
      const late = await clerk.patch(
        at(id),
        { keywordFields: [{ name: 'SUBJECT', keywords: 'ink' }] },
        { headers: { 'if-match': before } },
      );
      expect([late.status, late.body]).toMatchObject([412, { code: 'changed_meanwhile' }]);
      expect(await historyOf(id)).toMatchObject([{ changes: [{ name: 'keyword.SUBJECT' }] }]);
    },
  );

  it('answers a call that changes nothing with 200, no history and the same ETag', async () => {
    const id = fresh();
    const first = await clerk.patch(at(id), { indexFields: [{ name: 'AMOUNT', value: 3 }] });
    expect(first.headers['etag']).toMatch(/^"[^"]+"$/);
    const again = await clerk.patch(at(id), {
      indexFields: [
        { name: 'AMOUNT', value: '3.00' },
        { name: 'PAID', value: '' },
      ],
      keywordFields: [{ name: 'SUBJECT', keywords: 'paper,ink' }],
    });
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect(await historyOf(id)).toHaveLength(1);
  });

  it('tells what is not there: revision, archive, ids that are none', async () => {
    const body = { indexFields: [{ name: 'AMOUNT', value: 1 }] };
    for (const id of ['999', '0', '-1', 'abc', '1.5', '9'.repeat(30), '01', '%00', '%20']) {
      for (const answer of [
        await clerk.patch(at(id), body),
        await clerk.get(`${archivePath(archive)}/documents/${id}`),
      ]) {
        expect([id, answer.status, answer.body]).toMatchObject([id, 404, { code: 'not_found' }]);
      }
    }
    expect((await clerk.patch(at('1', 'application/archiveapp/archives/NOPE'), body)).status).toBe(
      404,
    );
  });

  it('leaves an old value alone that breaks the definition of today, until it is named', async () => {
    await buildRecords(t.database, old, [
      ['z', -5],
      [null, -5],
    ]);
    await buildUser(t.database, { username: 'other', rights: [rightOn(old, 'write')] });
    const other = await t.signedIn('other');
    for (const id of ['1', '2']) {
      const patched = await other.patch(at(id, archivePath(old)), {
        indexFields: [{ name: 'N', value: 3 }],
      });
      expect(patched.status).toBe(200);
      const put = await other.put(at(id, archivePath(old)), {
        indexFields: [
          { name: 'CODE', value: id === '1' ? 'z' : null },
          { name: 'N', value: 4 },
        ],
      });
      expect(put.status).toBe(422);
      expect(errorsOf(put.body)).toEqual(['indexFields.CODE']);
    }
  });

  it('needs a right to write, and without any right there is no such archive', async () => {
    await buildUser(t.database, { username: 'reading', rights: [rightOn(archive, 'read')] });
    await buildUser(t.database, {
      username: 'reader',
      role: 'reader',
      rights: [rightOn(archive, 'manage')],
    });
    await buildUser(t.database, { username: 'nobody' });
    const body = { indexFields: [{ name: 'AMOUNT', value: 1 }] };
    for (const [user, status] of [
      ['reading', 403],
      ['reader', 403],
      ['nobody', 404],
    ] as const) {
      const client = await t.signedIn(user);
      expect((await client.patch(at('1'), body)).status).toBe(status);
      expect((await client.put(at('1'), 'not JSON')).status).toBe(status);
      expect((await client.get(`${archivePath(archive)}/documents/1`)).status).toBe(
        status === 403 ? 200 : 404,
      );
    }
  });
});
