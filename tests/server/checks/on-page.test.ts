/** @module-tag slow */
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf, type FormFile } from '#tests/support/forms.ts';
import { pdfOf } from '#tests/support/pdf.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

describeOnOneDatabase('values on the page', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  const FIELDS = [
    { name: 'NO', type: 'text', onPage: true },
    { name: 'TOTAL', type: 'decimal', onPage: true },
    { name: 'ISSUED', type: 'date', onPage: true },
    { name: 'NOTE', type: 'text' },
  ];
  const INVOICE = 'Rechnung RE-1001 vom 31. Januar 2026. Summe: 2.084,40 EUR';
  // The thread that reads PDFs begins once.
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
  });
  beforeEach(async () => {
    const { name } = await buildArchive(t.database, FIELDS);
    archive = new ArchiveAdministration(admin, name);
  });
  const pdf = (bytes: Buffer): FormFile => ({ name: 'a.pdf', type: 'application/pdf', bytes });
  const add = async (values: Readonly<Record<string, string>>, files: readonly FormFile[]) => {
    const fields = Object.entries(values).flatMap(([name, value], i) => [
      [`indexFields[${i}][name]`, name] as const,
      [`indexFields[${i}][value]`, value] as const,
    ]);
    const form = formOf([...fields, ...files.map((file) => ['files', file] as const)]);
    const answer = await admin.post(`${archive.records}/documents`, form.body, {
      headers: form.headers,
    });
    expect(answer.status).toBe(201);
  };
  const found = async (condition = 'eq]=_page') => {
    const { body } = await admin.get(`${archive.records}/index/ids?where[check][${condition}`);
    return z.object({ revisionIds: z.array(z.string()) }).parse(body).revisionIds;
  };
  const count = async () => {
    const { checks } = checksAnswer.parse((await admin.get(`${archive.records}/checks`)).body);
    return checks.find(({ name }) => name === '_page')?.count;
  };
  const counted = (expected: number) =>
    vi.waitFor(async () => {
      expect(await count()).toBe(expected);
      expect(await found()).toHaveLength(expected);
    });
  const save = (id: number, name: string, value: unknown) =>
    admin.patch(`${archive.records}/documents/${id}/indexdata`, { indexFields: [{ name, value }] });

  it('are findings where they are not there, until they are corrected', async () => {
    const file = pdf(await pdfOf('Deckblatt', INVOICE));
    await add({ NO: 're-1 001', TOTAL: '2084.40', ISSUED: '2026-01-31', NOTE: 'x' }, [file]);
    await add({ NO: 'RE-1002', TOTAL: '2048.40', ISSUED: '2026-01-31' }, [file]);
    const text = { name: 'a.txt', type: 'text/plain', bytes: 'No. 7\nTOTAL 12.50' };
    await add({ NO: '7', TOTAL: '12.5' }, [text, pdf(await pdfOf(''))]);
    await add({ NO: '8' }, [{ ...text, bytes: 'nothing' }, file]);
    await counted(2);
    expect(await found()).toEqual(['2', '4']);
    expect((await admin.get(`${archive.records}/documents/2`)).body).toMatchObject({
      meta: { findings: [{ check: '_page', severity: 'warn', fields: ['NO', 'TOTAL'] }] },
    });
    // The former value is no finding any more at once, another wrong one is soon.
    expect((await save(2, 'TOTAL', 2084.4)).body).toMatchObject({
      meta: { findings: [{ check: '_page', fields: ['NO'] }] },
    });
    await save(1, 'TOTAL', 2084.41);
    await save(4, 'NO', 're–1001');
    await counted(2);
    expect(await found()).toEqual(['1', '2']);
    const reason = { reason: 'handwritten' };
    await admin.put(`${archive.records}/documents/2/exceptions/_page`, reason);
    await counted(1);
    expect(await found('null]=true')).toEqual(['2', '3', '4']);
  });

  it(
    'are not looked for in documents without text or with files that cannot be read',
    { tags: ['long'] },
    async () => {
      await add({ NO: 'RE-1' }, [pdf(await pdfOf('', ''))]);
      await add({ NO: 'RE-1' }, [pdf(Buffer.from('%PDF-1.7 broken'))]);
      await add({ NO: 'RE-1' }, [{ name: 'a.png', type: 'image/png', bytes: 'other' }]);
      await add({ NO: 'RE-1' }, []);
      // The last one is known: all before it are.
      await add({ NO: 'RE-1' }, [pdf(await pdfOf('RE-2'))]);
      await counted(1);
      expect(await found()).toEqual(['5']);
    },
  );

  it('are looked for as soon as a field asks for it, and no more when it does not', async () => {
    const [no, ...others] = FIELDS.map(({ name, type }) => ({ name, type }));
    expect((await archive.put([{ ...no }, ...others])).status).toBe(200);
    await add({ NO: 'RE-1', TOTAL: '1' }, [pdf(await pdfOf('RE-2'))]);
    expect(await count()).toBeUndefined();
    const marked = [{ ...no, onPage: true }, ...others];
    expect((await archive.put(marked)).status).toBe(200);
    expect((await archive.get()).indexFields).toMatchObject([{ onPage: true }, {}, {}, {}]);
    await counted(1);
    expect((await archive.put(FIELDS)).status).toBe(200);
    await vi.waitFor(async () =>
      expect((await admin.get(`${archive.records}/documents/1`)).body).toMatchObject({
        meta: { findings: [{ check: '_page', fields: ['NO', 'TOTAL'] }] },
      }),
    );
    expect((await archive.put(FIELDS, { checksOff: ['_page'] })).status).toBe(200);
    expect(await count()).toBeUndefined();
    expect(await admin.get(`${archive.records}/documents/1`)).toMatchObject({
      body: { meta: { findings: [] } },
    });
    expect(await archive.put([{ name: 'NO', type: 'boolean', onPage: true }])).toMatchObject({
      status: 422,
      body: { errors: { '-': [expect.stringContaining('indexFields[0].onPage')] } },
    });
  });
});
