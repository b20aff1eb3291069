import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { formBody } from '#server/http/form.ts';
import { defineRoute, definePreparedRoute } from '#server/http/route.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

/** Tells what a form held, the bytes included. */
const echo = definePreparedRoute({
  method: 'POST',
  path: 'test/forms',
  summary: 'Echo',
  target: 'none',
  access: 'read',
  body: formBody,
  answer: null,
  status: 200,
  async prepare(_database, { body }) {
    const files = await Promise.all(
      body.files.map(async ({ path, ...file }) => ({
        ...file,
        bytes: (await readFile(path)).toString('base64').slice(0, 100),
      })),
    );
    return () => Promise.resolve({ body: { fields: body.fields, files } });
  },
});

let runs = 0;
const counted = defineRoute({
  method: 'PUT',
  path: 'test/forms',
  summary: 'Count',
  target: 'none',
  access: 'read',
  body: formBody,
  answer: null,
  status: 200,
  handle: () => Promise.resolve({ body: { run: ++runs } }),
});

interface Part {
  readonly head: string;
  readonly body: string | Buffer;
}

const field = (name: string, body: string | Buffer): Part => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  body,
});
const file = (
  name: string,
  filename: string,
  body: string | Buffer,
  type = 'application/pdf',
): Part => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}`,
  body,
});

function multipart(parts: readonly Part[], boundary = 'xyz'): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ head, body }) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

interface SendOptions {
  readonly boundary?: string;
  readonly key?: string;
  readonly method?: 'POST' | 'PUT';
}

describeOnOneDatabase('forms', (open) => {
  let t: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    t = await openApp(open, {
      routes: [echo, counted],
      maxFileBytes: 100_000,
      maxBodyBytes: 50_000,
    });
    await buildUser(t.database);
    client = await t.signedIn('clerk');
  });

  const send = (body: Buffer, { boundary = 'xyz', key = '', method = 'POST' }: SendOptions = {}) =>
    client.send(method, 'test/forms', body, {
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...(key === '' ? {} : { 'idempotency-key': key }),
      },
    });
  const left = async () => readdir(join(t.config.dataDir, 'files', 'incoming')).catch(() => []);

  it('refuses a value that is longer than a file may be, instead of cutting it', async () => {
    const small = await openApp(open, {
      routes: [echo],
      maxFileBytes: 1_000,
      maxBodyBytes: 50_000,
    });
    await buildUser(small.database);
    const answer = await (
      await small.signedIn('clerk')
    ).post('test/forms', multipart([field('indexFields[0][value]', 'x'.repeat(1_001))]), {
      headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
    });
    expect(answer).toMatchObject({ status: 413, text: expect.stringContaining('1,000') });
  });

  it('receives fields and files in their order, and removes the files afterwards', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 256));
    const answer = await send(
      multipart([
        field('indexFields[0][name]', 'NO'),
        file('files[0]', 'Rechnung Ä.pdf', bytes),
        field('indexFields[0][value]', 'line 1\r\nline 2 ä𝒶'),
        field('indexFields[0][value]', ''),
        file('files', 'b.txt', '', 'text/plain'),
      ]),
    );
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      fields: [
        ['indexFields[0][name]', 'NO'],
        ['indexFields[0][value]', 'line 1\r\nline 2 ä𝒶'],
        ['indexFields[0][value]', ''],
      ],
      files: [
        {
          field: 'files[0]',
          name: 'Rechnung Ä.pdf',
          contentType: 'application/pdf',
          size: 70_000,
          sha256: createHash('sha256').update(bytes).digest('hex'),
          bytes: bytes.toString('base64').slice(0, 100),
        },
        {
          field: 'files',
          name: 'b.txt',
          contentType: 'text/plain',
          size: 0,
          sha256: createHash('sha256').digest('hex'),
          bytes: '',
        },
      ],
    });
    await expect.poll(left).toEqual([]);
  });

  it('takes fields for UTF-8, whatever character set their parts name', async () => {
    const types = ['text/plain; charset=utf-8', 'text/plain; charset=iso-8859-1', 'text/plain'];
    const parts = (body: string | Buffer) =>
      types.map((type) => ({
        ...field('f', body),
        head: `${field('f', '').head}\r\nContent-Type: ${type}`,
      }));
    const answer = await send(multipart(parts('é\ufffd')));
    expect(answer.body).toMatchObject({ fields: types.map(() => ['f', 'é\ufffd']) });
    for (const part of parts(Buffer.from([0xe9]))) {
      expect((await send(multipart([part]))).status).toBe(400);
    }
  });

  it('takes the last component of a file name that holds a path', async () => {
    const names = [
      ['/var/www/uploads/scan.pdf', 'scan.pdf'],
      ['../up.pdf', 'up.pdf'],
      ['C:\\Users\\anna\\Rechnung Ä.pdf', 'Rechnung Ä.pdf'],
      // As RFC 9110 escapes a backslash within quotes.
      ['C:\\\\Users\\\\anna\\\\a.pdf', 'a.pdf'],
      ['C:\\mixed/b.pdf', 'b.pdf'],
      // As browsers send a name that ends in a backslash.
      ['notes\\', 'notes'],
      ['C:\\mixed/b.pdf\\', 'b.pdf'],
      ['tab\tin\u0085.pdf', 'tabin.pdf'],
      [`${'ä'.repeat(128)}.pdf`, `${'ä'.repeat(125)}.pdf`],
      [`/x/${'𝒶'.repeat(64)}`, '𝒶'.repeat(63)],
      [`a.${'b'.repeat(300)}`, `a.${'b'.repeat(253)}`],
    ] as const;
    const answer = await send(multipart(names.map(([name]) => file('files', name, 'x'))));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ files: names.map(([, name]) => ({ name })) });
  });

  it('leaves nothing of file names that name no file', async () => {
    const names = ['', '..', 'a/', 'a/.', 'c:\\\\', '\\', '\t\u007f'];
    const answer = await send(multipart(names.map((name) => file('files', name, 'x'))));
    expect(answer.body).toMatchObject({ files: names.map(() => ({ name: '' })) });
    await expect.poll(left).toEqual([]);
  });

  it('refuses what is too large', async () => {
    const large = file('files', 'a.bin', Buffer.alloc(100_001));
    expect(await send(multipart([file('files', 'a.txt', 'x'), large]))).toMatchObject({
      status: 413,
      body: { code: 'too_large', errors: { 'files.1': [expect.stringContaining('100,000')] } },
    });
    expect((await send(multipart([file('files', 'a.bin', Buffer.alloc(100_000))]))).status).toBe(
      200,
    );
    const fields = Array.from({ length: 6 }, (_, i) => field(`f${i}`, 'x'.repeat(10_000)));
    expect((await send(multipart(fields))).status).toBe(413);
    expect((await send(multipart(fields.slice(1)))).status).toBe(200);
    const many = Array.from({ length: 201 }, () => file('files', 'a', 'x'));
    expect((await send(multipart(many))).status).toBe(413);
    await expect.poll(left).toEqual([]);
  });

  it('refuses what is no complete form', async () => {
    const whole = multipart([file('files', 'a.bin', 'x'.repeat(1000)), field('f', 'x')]);
    const bodies = [
      whole.subarray(0, 500),
      whole.subarray(0, whole.length - 10),
      Buffer.from('nothing of the kind'),
      multipart([
        { head: 'Content-Disposition: form-data; name="f"', body: Buffer.from([0xff, 0xfe]) },
      ]),
      multipart([field('__proto__', 'x')]),
      multipart([file('constructor', 'a', 'x')]),
      multipart([field('f'.repeat(2000), 'x')]),
    ];
    for (const body of bodies) {
      const answer = await send(body);
      expect([body.toString('latin1').slice(0, 90), answer.status]).toEqual([
        body.toString('latin1').slice(0, 90),
        400,
      ]);
      expect(answer.body).toMatchObject({ code: 'malformed' });
    }
    const missing = await client.post('test/forms', whole, {
      headers: { 'content-type': 'multipart/form-data' },
    });
    expect(missing.status).toBe(400);
    expect((await client.post('test/forms', {})).status).toBe(415);
    const nothing = await client.post('test/forms', undefined, {
      headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
    });
    expect(nothing.status).toBe(422);
    await expect.poll(left).toEqual([]);
  });

  it('compares forms by their parts for an idempotency key', async () => {
    const parts = [field('f', 'x'), file('files', 'a', 'bytes')];
    const put = (body: Buffer, boundary = 'xyz') =>
      send(body, { boundary, key: 'form', method: 'PUT' });
    const first = await put(multipart(parts));
    expect(first.status).toBe(200);
    const again = await put(multipart(parts, 'another'), 'another');
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await put(multipart([field('f', 'x'), file('files', 'a', 'Bytes')]))).status).toBe(409);
    expect((await put(multipart([field('f', 'y'), file('files', 'a', 'bytes')]))).status).toBe(409);
  });
});
