import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { revisionDetailAnswer, type DocumentFile } from '#shared/contract/answers.ts';
import { insertFiles, readFiles } from '#server/modules/files/files.store.ts';
import { BASE, buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf, type FormFile } from '#tests/support/forms.ts';

const BYTES = Buffer.from(Array.from({ length: 1_000 }, (_, i) => (i * 7) % 256));
BYTES.write('%PDF-1.7\n');
const FILES: FormFile[] = [
  { name: 'scan.pdf', type: 'application/pdf', bytes: BYTES },
  { name: 'Über „100%" (a\'b);*.html', type: 'text/html', bytes: '<script>alert(1)</script>' },
  { name: 'a.txt', type: 'text/plain', bytes: 'first' },
  { name: 'A.txt', type: 'text/plain', bytes: 'second' },
  { name: 'a (2).txt', type: 'image/svg+xml', bytes: '<svg/>' },
  { name: 'empty', bytes: '' },
];

describeOnOneDatabase('files of revisions', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  let revision: string;
  let files: DocumentFile[];
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }]);
    await buildUser(t.database, { rights: [rightOn(archive, 'manage')] });
    await buildUser(t.database, { username: 'nobody' });
    clerk = await t.signedIn('clerk');
    const form = formOf(FILES.map((file) => ['files', file]));
    const documents = `${archivePath(archive)}/documents`;
    const created = await clerk.post(documents, form.body, { headers: form.headers });
    revision = `${documents}/${Object(created.body).archivedocumentrevisions[0].revisionId}`;
    files =
      revisionDetailAnswer.parse((await clerk.get(revision)).body).archivedocumentrevisions[0]
        ?.files ?? [];
  });
  /** With the bytes as they came. */
  const raw = (
    path: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) =>
    t.app.inject({
      method,
      url: BASE + path,
      headers: { cookie: [...clerk.cookies].map((pair) => pair.join('=')).join('; '), ...headers },
    });
  const pathOf = (i: number) => `${revision}/files/${files[i]?.fileId}`;

  it('come as they were given, with their type, length and tag', async () => {
    expect(files.map(({ name, contentType, size }) => [name, contentType, size])).toEqual(
      FILES.map(({ name, type = 'text/plain', bytes }) => [name, type, Buffer.byteLength(bytes)]),
    );
    for (const [i, { bytes }] of FILES.entries()) {
      const answer = await raw(pathOf(i));
      expect(answer.statusCode).toBe(200);
      expect(answer.rawPayload).toEqual(Buffer.from(bytes));
      expect(answer.headers).toMatchObject({
        'content-length': String(Buffer.byteLength(bytes)),
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
        etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^sandbox;.*default-src 'none'/),
      });
    }
    const first = await raw(`${revision}/file`);
    expect(first.rawPayload).toEqual(BYTES);
    const head = await raw(`${revision}/file`, {}, 'HEAD');
    expect([head.statusCode, head.rawPayload.length, head.headers['content-length']]).toEqual([
      200,
      0,
      '1000',
    ]);
  });

  it('are named for every reader, and never run as a page of the site', async () => {
    const dispositions = await Promise.all(
      FILES.map(async (_, i) => (await raw(pathOf(i))).headers['content-disposition']),
    );
    expect(dispositions).toEqual([
      `inline; filename="scan.pdf"; filename*=UTF-8''scan.pdf`,
      `attachment; filename="_ber _100__ (a'b);*.html"; filename*=UTF-8''%C3%9Cber%20%E2%80%9E100%25%22%20%28a%27b%29%3B%2A.html`,
      `inline; filename="a.txt"; filename*=UTF-8''a.txt`,
      `inline; filename="A.txt"; filename*=UTF-8''A.txt`,
      `attachment; filename="a (2).txt"; filename*=UTF-8''a%20%282%29.txt`,
      `inline; filename="empty"; filename*=UTF-8''empty`,
    ]);
    const html = await raw(pathOf(1));
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(html.headers['content-security-policy'])).not.toContain('allow-');
  });

  it('are displayed only where name and content fit the type', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    const cases: [FormFile, 'inline' | 'attachment'][] = [
      [{ name: 'a.png', type: 'image/png', bytes: png }, 'inline'],
      [{ name: 'scan', type: 'image/png', bytes: png }, 'inline'],
      [{ name: 'a.html', type: 'image/png', bytes: png }, 'attachment'],
      [{ name: 'a.jpg', type: 'image/jpeg', bytes: png }, 'attachment'],
      [{ name: 'a.pdf', type: 'application/pdf', bytes: '<script>1</script>' }, 'attachment'],
      [{ name: 'a.pdf', type: 'application/pdf', bytes: '' }, 'attachment'],
      [{ name: 'a.pdf', type: 'application/pdf', bytes: '\n%PDF-1.4\n%%EOF' }, 'inline'],
      [{ name: 'a.jpeg', type: 'image/jpeg', bytes: Buffer.from('ffd8ffe0', 'hex') }, 'inline'],
      [{ name: 'a.gif', type: 'image/gif', bytes: 'GIF89a' }, 'inline'],
      [{ name: 'a.webp', type: 'image/webp', bytes: 'RIFF\0\0\0\0WEBPVP8 ' }, 'inline'],
      [{ name: 'a.avif', type: 'image/avif', bytes: '\0\0\0\x1cftypavif' }, 'inline'],
    ];
    const form = formOf(cases.map(([file]) => ['files', file]));
    const documents = `${archivePath(archive)}/documents`;
    const created = await clerk.post(documents, form.body, { headers: form.headers });
    const id = Object(created.body).archivedocumentrevisions[0].revisionId;
    const detail = await clerk.get(`${documents}/${id}`);
    const stored = revisionDetailAnswer.parse(detail.body).archivedocumentrevisions[0]?.files ?? [];
    expect(stored).toHaveLength(cases.length);
    for (const [i, [{ bytes }, wanted]] of cases.entries()) {
      const path = `${documents}/${id}/files/${stored[i]?.fileId}`;
      for (const answer of [await raw(path), await raw(path, {}, 'HEAD')]) {
        const [kind] = String(answer.headers['content-disposition']).split(';');
        expect([i, kind]).toEqual([i, wanted]);
      }
      expect((await raw(path)).rawPayload).toEqual(Buffer.from(bytes));
    }
  });

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=990-', 990, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=995-5000', 995, 999],
    ['bytes=999-999', 999, 999],
  ])('a part of one by %s', async (range, first, last) => {
    const answer = await raw(pathOf(0), { range });
    expect(answer.statusCode).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${first}-${last}/1000`);
    expect(answer.headers['content-length']).toBe(String(last - first + 1));
    expect(answer.rawPayload).toEqual(BYTES.subarray(first, last + 1));
  });

  it('the whole where the range cannot be read, 416 where it begins behind the end', async () => {
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=0-1', 'bytes=a-b', 'bytes=-']) {
      const answer = await raw(pathOf(0), { range });
      expect([range, answer.statusCode, answer.rawPayload.length]).toEqual([range, 200, 1_000]);
    }
    for (const [i, range] of [
      [0, `bytes=${'9'.repeat(20)}-`],
      [0, 'bytes=1000-'],
      [0, 'bytes=-0'],
      [5, 'bytes=0-'],
    ] as const) {
      const answer = await raw(pathOf(i), { range });
      expect([range, answer.statusCode]).toEqual([range, 416]);
      expect(answer.headers['content-range']).toBe(`bytes */${files[i]?.size}`);
      expect(answer.json()).toMatchObject({ code: 'range_not_satisfiable' });
    }
  });

  it('by the tag that is known: nothing anew, or the part only where it is unchanged', async () => {
    const tag = String((await raw(pathOf(0))).headers.etag);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await raw(pathOf(0), { 'if-none-match': known });
      expect([known, answer.statusCode, answer.rawPayload.length]).toEqual([known, 304, 0]);
      expect(answer.headers.etag).toBe(tag);
    }
    expect((await raw(pathOf(0), { 'if-none-match': '"x"' })).statusCode).toBe(200);
    const part = { range: 'bytes=0-1' };
    expect((await raw(pathOf(0), { ...part, 'if-range': tag })).statusCode).toBe(206);
    for (const other of ['"x"', `W/${tag}`, new Date().toUTCString()]) {
      expect((await raw(pathOf(0), { ...part, 'if-range': other })).statusCode).toBe(200);
    }
  });

  it('all as a zip, under names that do not hide each other', { tags: ['slow'] }, async () => {
    const answer = await raw(`${revision}/files`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    const directory = mkdtempSync(join(tmpdir(), 'indexdesk-zip-'));
    try {
      writeFileSync(join(directory, 'all.zip'), answer.rawPayload);
      execFileSync('python3', ['-m', 'zipfile', '-e', 'all.zip', 'out'], { cwd: directory });
      const names = [
        'scan.pdf',
        FILES[1]?.name ?? '',
        'a.txt',
        'A (2).txt',
        'a (2) (2).txt',
        'empty',
      ];
      expect(names.map((name) => readFileSync(join(directory, 'out', name)))).toEqual(
        FILES.map(({ bytes }) => Buffer.from(bytes)),
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('all as a zip, also one whose name begins like a drive', async () => {
    const form = formOf([['files', { name: 'A: scan.pdf', bytes: 'scanned' }]]);
    const documents = `${archivePath(archive)}/documents`;
    const created = await clerk.post(documents, form.body, { headers: form.headers });
    const { revisionId } = Object(created.body).archivedocumentrevisions[0];
    const answer = await raw(`${documents}/${revisionId}/files`);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.toString('latin1')).toContain('A_ scan.pdf');
  });

  it('all as a zip of a known length, also in parts and not again if it is known', async () => {
    const whole = await raw(`${revision}/files`);
    const { etag, 'content-length': length } = whole.headers;
    expect(length).toBe(String(whole.rawPayload.length));
    const head = await raw(`${revision}/files`, {}, 'HEAD');
    expect(head.headers).toMatchObject({
      etag,
      'content-length': length,
      'accept-ranges': 'bytes',
    });
    for (const [range, first, last] of [
      ['bytes=0-1', 0, 1],
      ['bytes=500-1600', 500, 1_600],
      ['bytes=-30', Number(length) - 30, Number(length) - 1],
    ] as const) {
      const part = await raw(`${revision}/files`, { range });
      expect([part.statusCode, part.headers['content-range']]).toEqual([
        206,
        `bytes ${first}-${last}/${length}`,
      ]);
      expect(part.rawPayload).toEqual(whole.rawPayload.subarray(first, last + 1));
    }
    expect((await raw(`${revision}/files`, { 'if-none-match': String(etag) })).statusCode).toBe(
      304,
    );
  });

  it(
    'all as a zip of a known length also if its directory has more than 64 KB',
    { tags: ['long'] },
    async () => {
      const form = formOf([['files', { name: 'a.txt', bytes: 'x' }]]);
      const documents = `${archivePath(archive)}/documents`;
      const created = await clerk.post(documents, form.body, { headers: form.headers });
      const { revisionId } = Object(created.body).archivedocumentrevisions[0];
      // As `indexdesk load` attaches them; a form has at most 200.
      await t.database.write(async (db) => {
        const [first] = await readFiles(db, archive.id, [Number(revisionId)]);
        if (!first) throw new Error('The revision has no file.');
        const more = Array.from({ length: 300 }, (_, i) => ({
          ...first,
          position: i + 1,
          name: `${String(i).padEnd(250, 'x')}.txt`,
        }));
        await insertFiles(db, archive.id, more);
      });
      const answer = await raw(`${documents}/${revisionId}/files`);
      expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
    },
  );

  it('are there for those alone who may read the archive, as long as the revision is', async () => {
    const nobody = await t.signedIn('nobody');
    for (const path of [`${revision}/file`, pathOf(0), `${revision}/files`]) {
      expect((await nobody.get(path)).status).toBe(404);
      expect((await t.client().get(path)).status).toBe(401);
    }
    for (const path of [
      `${revision}/files/999`,
      `${revision}/files/x`,
      `${archivePath(archive)}/documents/99/file`,
    ]) {
      expect((await clerk.get(path)).status).toBe(404);
    }
    const form = formOf([
      ['indexFields[0][name]', 'NO'],
      ['indexFields[0][value]', 'x'],
    ]);
    const created = await clerk.post(revision, form.body, { headers: form.headers });
    const copy = `${archivePath(archive)}/documents/${Object(created.body).archivedocumentrevisions[0].revisionId}`;
    expect((await raw(`${copy}/file`)).rawPayload).toEqual(BYTES);
    // A file belongs to its revision.
    expect((await clerk.get(`${copy}/files/${files[0]?.fileId}`)).status).toBe(404);
    expect((await clerk.delete(copy)).status).toBe(204);
    expect((await clerk.get(`${copy}/file`)).status).toBe(404);
    expect((await raw(`${revision}/file`)).rawPayload).toEqual(BYTES);
  });

  it('that the store has lost are an error; in a zip that has begun they break it off', async () => {
    const lost = createHash('sha256').update('second').digest('hex');
    await rm(join(t.config.dataDir, 'files', lost.slice(0, 2), lost));
    const answer = await raw(pathOf(3));
    expect([answer.statusCode, answer.json()]).toMatchObject([500, { code: 'internal' }]);
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
    await expect(raw(`${revision}/files`)).rejects.toThrow('destroyed');
    expect((await raw(pathOf(2))).payload).toBe('first');
  });

  it('that were cut or have grown in the store are an error, or break the answer off at once', async () => {
    const damaged = createHash('sha256').update(BYTES).digest('hex');
    const path = join(t.config.dataDir, 'files', damaged.slice(0, 2), damaged);
    for (const bytes of [BYTES.subarray(1), Buffer.concat([BYTES, BYTES])]) {
      writeFileSync(path, bytes);
      const answer = await raw(pathOf(0)).then(
        ({ statusCode }) => statusCode,
        () => 'broken off',
      );
      // Where nothing has left yet it can still be told.
      expect([500, 'broken off']).toContain(answer);
    }
    writeFileSync(path, BYTES);
    expect((await raw(pathOf(0))).rawPayload).toEqual(BYTES);
  });
});
