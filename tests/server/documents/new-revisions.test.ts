import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { readDocumentForm } from '#server/modules/documents/document-form.ts';
import { changeRevision } from '#server/modules/documents/documents.service.ts';
import { createDocument } from '#server/modules/documents/new-revision.service.ts';
import { historyAnswer, revisionDetailAnswer, revisionsAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildWriter, rightOn } from '#tests/support/builders.ts';
import { blockedWrites, describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf, type FormFile } from '#tests/support/forms.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

type Parts = readonly (readonly [string, string | FormFile])[];

describeOnOneDatabase('new documents and revisions', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  let documents: string;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(
      t.database,
      [
        { name: 'NO', required: true },
        { name: 'AMOUNT', type: 'decimal' },
        { name: 'AT', type: 'datetime' },
      ],
      ['SUBJECT', 'PLACE'],
    );
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    await buildUser(t.database, { username: 'holder', rights: [rightOn(archive, 'write')] });
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    await buildUser(t.database, { username: 'reading', rights: [rightOn(archive, 'read')] });
    clerk = await t.signedIn('clerk');
    documents = `${archivePath(archive)}/documents`;
  });
  const send = (path: string, parts: Parts, headers: Record<string, string> = {}, by = clerk) => {
    const form = formOf(parts);
    return by.post(path, form.body, { headers: { ...form.headers, ...headers } });
  };
  const field = (at: number, name: string, value: string): Parts => [
    [`indexFields[${at}][name]`, name],
    [`indexFields[${at}][value]`, value],
  ];
  const created = (body: unknown) => {
    const [revision] = revisionsAnswer.parse(body).archivedocumentrevisions;
    if (!revision) throw new Error('No revision');
    return revision;
  };
  const detailOf = async (id: string) =>
    revisionDetailAnswer.parse((await clerk.get(`${documents}/${id}`)).body)
      .archivedocumentrevisions[0];

  it('a new revision takes over what breaks a rule that is newer, and is refused with what is sent alone', async () => {
    const older = await buildArchive(t.database, [{ name: 'NO' }, { name: 'NOTE' }]);
    const path = `${archivePath(older)}/documents`;
    const admin = await t.signedIn('admin');
    const { revisionId } = created((await send(path, field(0, 'NOTE', 'a'), {}, admin)).body);
    const changed = await new ArchiveAdministration(admin, older.name).put(
      [
        { name: 'NO', type: 'text', required: true },
        { name: 'NOTE', type: 'text', maxLength: 5 },
      ],
      { onMisfit: 'keep' },
    );
    expect(changed.status).toBe(200);
    const added = await send(`${path}/${revisionId}`, field(0, 'NOTE', 'b'), {}, admin);
    expect(added.status).toBe(201);
    expect(created(added.body).indexFields).toEqual([
      { name: 'NO', value: null },
      { name: 'NOTE', value: 'b' },
    ]);
    const refused = await send(`${path}/${revisionId}`, field(0, 'NO', ''), {}, admin);
    expect(refused).toMatchObject({ status: 422 });
    const first = await send(path, field(0, 'NOTE', 'c'), {}, admin);
    expect(Object.keys(errorBodySchema.parse(first.body).errors)).toEqual(['indexFields.NO']);
  });

  it('a form makes a document with its first revision', async () => {
    const answer = await send(documents, [
      ...field(0, 'no', 'R-1'),
      ...field(7, 'AMOUNT', ''),
      ...field(1, 'AT', '2024-01-01T00:00:00+01:00'),
      ['keywordFields[0][name]', 'subject'],
      ['keywordFields[0][value]', 'a, b'],
      ['keywordFields[1][name]', 'SUBJECT'],
      ['keywordFields[1][value]', 'c'],
      ['keywordFields[2][name]', 'PLACE'],
      ['keywordFields[2][keywords]', 'Bonn, Köln'],
      ['files[0]', { name: 'scan “1”.pdf', type: 'application/pdf', bytes: '%PDF-1' }],
      ['files', { name: 'b.txt', type: 'text/plain', bytes: 'text' }],
      ['files[]', { name: 'c.bin', bytes: '' }],
    ]);
    expect(answer.status).toBe(201);
    const revision = created(answer.body);
    expect(answer.body).toEqual({
      archivedocumentrevisions: [
        {
          revisionId: revision.revisionId,
          indexFields: [
            { name: 'NO', value: 'R-1' },
            { name: 'AMOUNT', value: null },
            { name: 'AT', value: '2024-01-01T00:00:00+01:00' },
          ],
          keywordFields: [
            { name: 'SUBJECT', value: 'a, b' },
            { name: 'SUBJECT', value: 'c' },
            { name: 'PLACE', value: 'Bonn' },
            { name: 'PLACE', value: 'Köln' },
          ],
        },
      ],
      meta: { findings: [] },
    });
    const read = await clerk.get(`${documents}/${revision.revisionId}`);
    expect(answer.headers['etag']).toBe(read.headers['etag']);
    expect(read.body).toEqual({
      archivedocumentrevisions: [
        {
          ...revision,
          documentId: revision.revisionId,
          revision: 1,
          createdAt: expect.any(String),
          changedAt: expect.any(String),
          changedBy: 'clerk',
          locked: null,
          files: [
            {
              fileId: expect.any(String),
              name: 'scan “1”.pdf',
              contentType: 'application/pdf',
              size: 6,
            },
            { fileId: expect.any(String), name: 'b.txt', contentType: 'text/plain', size: 4 },
            {
              fileId: expect.any(String),
              name: 'c.bin',
              contentType: 'text/plain',
              size: 0,
            },
          ],
        },
      ],
      meta: { findings: [] },
    });
    const { history } = historyAnswer.parse(
      (await clerk.get(`${documents}/${revision.revisionId}/history`)).body,
    );
    expect(history).toHaveLength(1);
    expect(history[0]?.changes).toContainEqual({
      name: 'document.files',
      before: [],
      after: ['scan “1”.pdf', 'b.txt', 'c.bin'],
    });
  });

  it('a new revision of a document takes over what is not sent', async () => {
    const first = created(
      (
        await send(documents, [
          ...field(0, 'NO', 'R-2'),
          ...field(1, 'AMOUNT', '12.50'),
          ['keywordFields[0][name]', 'SUBJECT'],
          ['keywordFields[0][value]', 'kept'],
          ['keywordFields[1][name]', 'PLACE'],
          ['keywordFields[1][value]', 'emptied'],
          ['files', { name: 'one.txt', type: 'text/plain', bytes: 'one' }],
        ])
      ).body,
    );
    const answer = await send(`${documents}/${first.revisionId}`, [
      ...field(0, 'AMOUNT', ''),
      ['keywordFields[0][name]', 'PLACE'],
      ['keywordFields[0][keywords]', ''],
    ]);
    expect(answer.status).toBe(201);
    const second = created(answer.body);
    expect(second).toEqual({
      revisionId: expect.any(String),
      indexFields: [
        { name: 'NO', value: 'R-2' },
        { name: 'AMOUNT', value: null },
        { name: 'AT', value: null },
      ],
      keywordFields: [{ name: 'SUBJECT', value: 'kept' }],
    });
    expect(second.revisionId).not.toBe(first.revisionId);
    expect(await detailOf(second.revisionId)).toMatchObject({
      documentId: first.revisionId,
      revision: 2,
      files: [{ name: 'one.txt', contentType: 'text/plain', size: 3 }],
    });
    const { history } = historyAnswer.parse(
      (await clerk.get(`${documents}/${second.revisionId}/history`)).body,
    );
    expect(history[0]?.changes).toEqual([
      { name: 'NO', before: null, after: 'R-2' },
      { name: 'keyword.SUBJECT', before: [], after: ['kept'] },
      { name: 'document.documentId', before: null, after: first.revisionId },
      { name: 'document.revision', before: null, after: 2 },
      { name: 'document.files', before: [], after: ['one.txt'] },
    ]);

    // Files that are sent stand instead of the old ones; the revision of the address is the one taken over.
    const third = created(
      (
        await send(`${documents}/${first.revisionId}`, [
          ['files', { name: 'two.txt', type: 'text/plain', bytes: 'two' }],
        ])
      ).body,
    );
    expect(await detailOf(third.revisionId)).toMatchObject({
      documentId: first.revisionId,
      revision: 3,
      indexFields: [{}, { name: 'AMOUNT', value: 12.5 }, {}],
      files: [{ name: 'two.txt' }],
    });
    expect((await detailOf(first.revisionId))?.revision).toBe(1);
    // Nothing at all is a copy.
    expect((await send(`${documents}/${second.revisionId}`, [])).status).toBe(201);
  });

  it('heeds If-Match of the revision that is taken over', async () => {
    const first = created((await send(documents, field(0, 'NO', 'R-3'))).body);
    const path = `${documents}/${first.revisionId}`;
    const stale = await send(path, [], { 'if-match': '"0"' });
    expect([stale.status, stale.body]).toMatchObject([
      412,
      { code: 'changed_meanwhile', current: first },
    ]);
    const tag = String((await clerk.get(path)).headers['etag']);
    expect((await send(path, [], { 'if-match': tag })).status).toBe(201);
    expect((await send(`${documents}/99999`, [])).status).toBe(404);
  });

  it('reports what is wrong with the form, its files and its values together', async () => {
    const answer = await send(documents, [
      ...field(0, 'AMOUNT', 'much'),
      ['unknown', 'x'],
      ['files[0]', { name: 'a.txt', bytes: 'x' }],
      ['files[1]', { name: '', bytes: 'x' }],
      ['attachment', { name: 'b.txt', bytes: 'x' }],
    ]);
    expect([
      answer.status,
      Object.keys(errorBodySchema.parse(answer.body).errors).toSorted(),
    ]).toEqual([422, ['-', 'files.1', 'files.2', 'indexFields.AMOUNT', 'indexFields.NO']]);
  });

  it('reports the same again when the transaction is repeated', async () => {
    const wrong = readDocumentForm({ fields: [['unknown', 'x']], files: [] });
    const create = () =>
      t.database.write((db) => createDocument(db, archive, buildWriter(), { ...wrong, files: [] }));
    const messages = { '-': [expect.anything()], 'indexFields.NO': [expect.anything()] };
    await expect(create()).rejects.toMatchObject({ messages });
    await expect(create()).rejects.toMatchObject({ messages });
  });

  it('names a file by the last component of the path that a client sends', async () => {
    const answer = await send(documents, [
      ...field(0, 'NO', 'with a path'),
      ['files[0]', { name: '/home/anna/scans/letter.txt', bytes: 'x' }],
      ['files[1]', { name: 'C:\\Scans\\page 2.txt', bytes: 'y' }],
    ]);
    expect(answer.status).toBe(201);
    expect(await detailOf(created(answer.body).revisionId)).toMatchObject({
      files: [{ name: 'letter.txt' }, { name: 'page 2.txt' }],
    });
  });

  it('copies what another user has saved while it waited, and refuses a stale If-Match', async () => {
    const first = created((await send(documents, field(0, 'NO', 'R-4'))).body);
    const path = `${documents}/${first.revisionId}`;
    const tag = String((await clerk.get(path)).headers['etag']);
    const changed = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const other = t.database.write(
      async (db) => {
        const indexFields = [{ name: 'AMOUNT', value: '7' }];
        await changeRevision(db, archive, buildWriter(), {
          mode: 'PATCH',
          revisionId: Number(first.revisionId),
          body: { indexFields },
          ifMatch: null,
        });
        changed.resolve();
        await commit.promise;
      },
      { isolation: 'read committed' },
    );
    await changed.promise;
    const withTag = send(path, [], { 'if-match': tag });
    const without = send(path, []);
    await expect
      .poll(() => blockedWrites(t.database))
      .toBeGreaterThanOrEqual(2)
      .finally(commit.resolve);
    await other;
    const stale = await withTag;
    expect([stale.status, stale.body]).toMatchObject([
      412,
      { code: 'changed_meanwhile', current: { indexFields: [{}, { value: 7 }, {}] } },
    ]);
    expect([(await without).status, created((await without).body)]).toMatchObject([
      201,
      { indexFields: [{ name: 'NO', value: 'R-4' }, { name: 'AMOUNT', value: 7 }, {}] },
    ]);
  });

  it('makes revisions of one document one after the other', async () => {
    const first = created((await send(documents, field(0, 'NO', 'R-5'))).body);
    const second = created((await send(`${documents}/${first.revisionId}`, [])).body);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        send(`${documents}/${(i % 2 === 0 ? first : second).revisionId}`, []),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const details = await Promise.all(
      answers.map(({ body }) => detailOf(created(body).revisionId)),
    );
    expect(details.map((detail) => detail?.revision).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 3),
    );
  });

  it('is refused while another user has locked the revision, as PATCH is', async () => {
    const first = created((await send(documents, field(0, 'NO', 'R-6'))).body);
    const path = `${documents}/${first.revisionId}`;
    const holder = await t.signedIn('holder');
    expect((await holder.patch(path, { locked: true })).status).toBe(200);
    const refused = await send(path, field(0, 'AMOUNT', 'no number'), { 'if-match': '"0"' });
    const patched = await clerk.patch(`${path}/indexdata`, {
      indexFields: [{ name: 'AMOUNT', value: 'no number' }],
    });
    expect([refused.status, patched.status]).toEqual([423, 423]);
    const { code, errors } = errorBodySchema.parse(refused.body);
    expect([code, Object.keys(errors).sort()]).toEqual(['locked', ['-', 'indexFields.AMOUNT']]);
    expect(errors['-']).toEqual([
      expect.stringContaining('holder'),
      expect.stringContaining('changed meanwhile'),
    ]);
    const admin = await t.signedIn('admin');
    expect((await send(path, [], {}, holder)).status).toBe(201);
    expect((await send(path, [], {}, admin)).status).toBe(201);
  });

  it('refuses values as PATCH does, and forms of another shape', async () => {
    for (const [parts, ...places] of [
      [[], 'indexFields.NO'],
      [field(0, 'NO', ''), 'indexFields.NO'],
      [[...field(0, 'NO', 'x'), ...field(1, 'AMOUNT', '1.234')], 'indexFields.AMOUNT'],
      [
        [...field(0, 'NO', 'x'), ...field(1, 'NOPE', '1'), ...field(2, 'no', 'y')],
        'indexFields.NO',
        'indexFields.NOPE',
      ],
      [[...field(0, 'NO', 'x'), ['more', '1']], '-'],
      [[...field(0, 'NO', 'x'), ['indexFields[1][name]', 'AMOUNT']], '-'],
      [[...field(0, 'NO', 'x'), ['indexFields[1][value]', '1']], '-'],
      [[...field(0, 'NO', 'x'), ['indexFields[0][value]', 'y']], '-'],
      [[...field(0, 'NO', 'x'), ['indexFields', '[]']], '-'],
      [
        [
          ...field(0, 'NO', 'x'),
          ['keywordFields[0][name]', 'SUBJECT'],
          ['keywordFields[0][value]', 'a'],
          ['keywordFields[0][keywords]', 'b'],
        ],
        '-',
      ],
      [[...field(0, 'NO', 'x'), ['file', { name: 'a.txt', bytes: 'x' }]], 'files.0'],
      [
        [
          ...field(0, 'NO', 'x'),
          ['files', { name: 'a', bytes: 'x' }],
          ['files', { name: '../', bytes: 'x' }],
        ],
        'files.1',
      ],
      [[...field(0, 'NO', 'x'), ['files', { name: '..', bytes: 'x' }]], 'files.0'],
    ] as [Parts, ...string[]][]) {
      const answer = await send(documents, parts);
      expect([
        answer.status,
        Object.keys(errorBodySchema.parse(answer.body).errors).sort(),
      ]).toEqual([422, places]);
    }
    const json = await clerk.post(documents, { indexFields: [] });
    expect([json.status, json.body]).toMatchObject([415, { code: 'unsupported_media_type' }]);
    const reading = await t.signedIn('reading');
    expect((await send(documents, field(0, 'NO', 'x'), {}, reading)).status).toBe(403);
  });

  it('an idempotency key makes one document of forms of equal parts', async () => {
    const parts: Parts = [
      ...field(0, 'NO', 'once'),
      ['files', { name: 'a.txt', type: 'text/plain', bytes: 'a' }],
    ];
    const key = { 'idempotency-key': 'form-1' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(documents, parts, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(
      (await clerk.get(`${archivePath(archive)}/index/count?where[NO][eq]=once`)).body,
    ).toEqual({
      count: 1,
    });
    const other = await send(documents, field(0, 'NO', 'once'), key);
    expect([other.status, other.body]).toMatchObject([409, { code: 'conflict' }]);
  });
});
