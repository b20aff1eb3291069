import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { requireValidBody } from '#server/http/body-validation.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import type { Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildTable } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';

/** Fewer show the same, and none is looked at one by one. */
const SHARE = IS_LONG_RUN ? 1 : 10;

describeOnOneDatabase('bodies', (open) => {
  let t: TestApp;
  let table: Table;
  let client: TestClient;
  let datasets: string;

  beforeAll(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [{ name: 'name', maxLength: 2_000 }]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    client = await t.signedIn('admin');
    datasets = `application/dataapp/tables/${table.guid}/datasets`;
  });

  it('refuses what is not JSON', async () => {
    const bodies: (string | Buffer)[] = [
      '{',
      'nothing',
      '{"dataset": {"name": "a"}} x',
      '{"dataset": {"name": "a", "name": "b"}}',
      "{'dataset': {}}",
      '{"dataset": {"name": NaN}}',
      '{"dataset": {"name": 01}}',
      '{"dataset": {"name": "\u0001"}}',
      '{"dataset": {"name": "\\x"}}',
      '['.repeat(20_000),
      '['.repeat(20_000) + ']'.repeat(20_000),
      '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
      Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
      Buffer.concat([
        Buffer.from('{"dataset": {"name": "'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}}'),
      ]),
    ];
    for (const body of bodies) {
      const answer = await client.post(datasets, body);
      expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), 400]);
      expect(answer.body).toMatchObject({
        code: 'malformed',
        errors: { '-': [expect.any(String)] },
      });
    }
  });

  it('refuses very many faults without counting them', { tags: ['slow'] }, async () => {
    const many = (entry: string, count: number) =>
      Array.from({ length: count / SHARE }, () => entry).join(',');
    for (const body of [
      `{"datasets": [${many('1', 2_000_000)}]}`,
      `{"datasets": [${many('{"name":"a"}', 100 * SHARE)}, ${many('1', 1_000_000)}]}`,
      `{"datasets": [{"name": [${many('1', 1_000_000)}]}]}`,
      `{"dataset": {${Array.from({ length: 200_000 / SHARE }, (_, i) => `"k${i}":0`).join(',')}}}`,
      `{${Array.from({ length: 200_000 / SHARE }, (_, i) => `"k${i}":0`).join(',')}}`,
    ]) {
      const answer = await client.post(datasets, body);
      expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), 422]);
      expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
    }
  });

  it(
    'holds as many values as 10,000 revisions of 100 index fields',
    { tags: ['long'] },
    async () => {
      const field = '{"name":"F","value":"x"}';
      const revision = `{"revisionId":"1","indexFields":[${Array.from({ length: 100 }, () => field).join()}]}`;
      const revisions = Array.from({ length: 10_000 }, () => revision).join();
      const answer = await client.post(datasets, `{"surplus":[${revisions}]}`);
      expect(answer.status).toBe(422);
      expect(answer.text).not.toContain('The body is too complex');
    },
  );

  it('is looked at after the query where it holds too much', async () => {
    const keys = Array.from({ length: 10_001 }, (_, i) => `"k${i}":0`).join();
    const answer = await client.post(`${datasets}?surplus=1`, `{${keys}}`);
    expect(answer.status).toBe(400);
    expect(Object.keys(errorBodySchema.parse(answer.body).errors)).toEqual(['surplus', '-']);
  });

  it('is not held by 30 MiB of tiny values', { tags: ['long'] }, async () => {
    const size = 30 * 1024 * 1024;
    const refusing = async (list: string) => {
      const startedAt = cpuTime();
      const answer = await client.post(datasets, `{"datasets":[${list}1]}`);
      expect(answer.status).toBe(422);
      return { text: answer.text, took: cpuTime() - startedAt };
    };
    const deep = `${'['.repeat(60)}${']'.repeat(60)},`;
    // One text of the same size, which is read to its end.
    const { took: least } = await refusing(`"${'x'.repeat(size)}",`);
    for (const entry of ['{},', deep]) {
      const { text, took } = await refusing(entry.repeat(Math.floor(size / entry.length)));
      expect(text).toContain('The body is too complex');
      // Twice as long; the last, read to its end, took thirty times as long.
      expect(took).toBeLessThan(10 * least);
    }
  });

  it('names the entry of a batch that is faulty by its place in the whole', async () => {
    const list = [...Array.from({ length: 45 }, () => ({ name: 'a' })), 7];
    const answer = await client.post(datasets, { datasets: list });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('datasets[45]');
  });

  it('takes JSON with a byte order mark, and a charset that says UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from('{"dataset":{"name":"ä"}}'),
    ]);
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
    ]) {
      const answer = await client.post(datasets, body, { headers: { 'content-type': type } });
      expect([type, answer.status]).toEqual([type, 200]);
    }
  });

  it('names a key that is missing once, whatever it may hold', async () => {
    const { guid } = await buildArchive(t.database, [{ name: 'NO' }]);
    const answer = await client.post(`application/archiveapp/archives/${guid}/bulkedits`, {
      edits: [{ field: 'NO', do: 'trim' }],
    });
    expect(answer.body).toMatchObject({
      errors: { '-': ['In the body, the key “selection” is missing.'] },
    });
    // A key of an object inside is named with the whole way to it.
    const part = (key: string) =>
      z.strictObject({
        a: z.strictObject({ [key]: z.string() }),
      });
    const entries = z.strictObject({ list: z.array(z.union([part('b'), part('c')])) });
    await expect(requireValidBody(entries, { list: [{ a: {} }] })).rejects.toMatchObject({
      messages: { '-': [{ message: 'In “list[0]”: one of the keys “a.b” and “a.c” is needed.' }] },
    });
    const alike = z.strictObject({ list: z.array(z.union([part('b'), part('b')])) });
    await expect(requireValidBody(alike, { list: [{ a: {} }] })).rejects.toMatchObject({
      messages: { '-': [{ message: 'In “list[0].a”: the key “b” is missing.' }] },
    });
    expect((await client.post('application/sessions', {})).body).toMatchObject({
      errors: { '-': ['In the body, one of the keys “username” and “challenge” is needed.'] },
    });
  });

  it('tells what is wrong with the shape, under -', async () => {
    const messages: string[] = [];
    const bodies = [
      'null',
      '[]',
      '7',
      '"text"',
      '{}',
      '{"dataset": []}',
      '{"dataset": {}, "surplus": 1}',
      '{"__proto__": {"dataset": {}}}',
      '{"dataset": {}, "__proto__": {}}',
      '{"datasets": []}',
      '{"datasets": [1]}',
    ];
    for (const body of bodies) {
      const answer = await client.post(datasets, body);
      expect([body, answer.status]).toEqual([body, 422]);
      const { code, errors } = errorBodySchema.parse(answer.body);
      expect(code).toBe('validation_failed');
      expect(Object.keys(errors)).toEqual(['-']);
      messages.push(`${body}: ${(errors['-'] ?? []).join(' ')}`);
    }
    expect(messages).toMatchInlineSnapshot(`
      [
        "null: The body must be an object.",
        "[]: The body must be an object.",
        "7: The body must be an object.",
        ""text": The body must be an object.",
        "{}: In the body, one of the keys “dataset” and “datasets” is needed.",
        "{"dataset": []}: In “dataset”: An object of column values is needed.",
        "{"dataset": {}, "surplus": 1}: In the body, the key “surplus” is not known. The keys here are: dataset.",
        "{"__proto__": {"dataset": {}}}: In the body, one of the keys “dataset” and “datasets” is needed.",
        "{"dataset": {}, "__proto__": {}}: In the body, the key “__proto__” is not known. The keys here are: dataset.",
        "{"datasets": []}: In “datasets”: At least one dataset is needed.",
        "{"datasets": [1]}: In “datasets[0]”: An object of column values is needed.",
      ]
    `);
  });

  it('tells in sentences what is too short, too long, too small or too large', async () => {
    const column = (more: object) => ({
      table: { name: 'T', label: '', columns: [{ name: 'a', type: 'text', ...more }] },
    });
    const calls: (readonly [method: 'post' | 'put', path: string, body: unknown])[] = [
      ['post', `${datasets}/undo`, { historyIds: [] }],
      ['put', `${datasets}/1/exceptions/X`, { reason: '' }],
      ['put', `${datasets}/1/exceptions/X`, { reason: 'x'.repeat(2_001) }],
      ['put', `${datasets}/1/exceptions/X`, { reason: 'x', with: Array(101).fill(1) }],
      ['post', 'configuration/tables', { table: { name: 'T', label: '', columns: [] } }],
      ['post', 'configuration/tables', column({ maxLength: 0 })],
      ['post', 'configuration/tables', column({ maxLength: 1_000_001 })],
    ];
    const messages: string[] = [];
    for (const [method, path, body] of calls) {
      const answer = await client[method](path, body);
      expect([path, answer.status]).toEqual([path, 422]);
      messages.push(...(errorBodySchema.parse(answer.body).errors['-'] ?? []));
    }
    expect(messages).toMatchInlineSnapshot(`
      [
        "In “historyIds”: It needs at least one entry.",
        "In “reason”: It needs at least one character.",
        "In “reason”: It has more than 2,000 characters.",
        "In “with”: It has more than 100 entries.",
        "In “table.columns”: It needs at least one entry.",
        "In “table.columns[0].maxLength”: It must be at least 1.",
        "In “table.columns[0].maxLength”: It must be at most 1000000.",
      ]
    `);
  });

  it('keeps __proto__ from doing harm', async () => {
    const answer = await client.post(datasets, '{"dataset": {"__proto__": {"name": "x"}}}');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('"dataset.__proto__"');
    expect(Reflect.get({}, 'name')).toBeUndefined();
    for (const path of ['__proto__', 'constructor', 'toString']) {
      expect((await client.get(`application/dataapp/tables/${path}`)).status).toBe(404);
      expect((await client.get(`${datasets}?${path}=1`)).status).toBe(400);
      expect((await client.get(`application/sessions?${path}=1`)).status).toBe(400);
    }
  });

  it('refuses bodies that are too large, known length or not', async () => {
    const answer = await client.post(datasets, Buffer.alloc(33 * 1024 * 1024, 'x'));
    expect(answer).toMatchObject({ status: 413, body: { code: 'too_large' } });
  });

  it('refuses broken addresses with the decided body', async () => {
    for (const path of [
      'application/dataapp/tables/%zz',
      'application/dataapp/tables/%ff',
      `application/dataapp/tables/${'x'.repeat(9_000)}`,
      'application//sessions/../nothing',
    ]) {
      const answer = await client.get(path);
      expect([path.slice(0, 60), answer.status]).toEqual([path.slice(0, 60), 404]);
      expect(errorBodySchema.parse(answer.body).code).toBe('not_found');
    }
    for (const query of ['%zz=1', 'a=%ff', 'a=%']) {
      const answer = await client.get(`${datasets}?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      expect(errorBodySchema.parse(answer.body).code).toBe('malformed');
    }
    expect((await t.client().get('application/dataapp/tables/%zz')).status).toBe(401);
    expect((await t.client().get('/api/rest/v1/%zz')).body).toMatchObject({
      code: 'unknown_version',
    });
  });

  it('takes a doubled slash after the base path and one at the end', async () => {
    expect((await client.get('/api/rest/v2//application/sessions/')).status).toBe(200);
    expect(
      (await client.get(`/api/rest/v2//application/dataapp/tables/${table.guid}/nothing`)).status,
    ).toBe(404);
  });

  it('takes an empty object, but nothing else, where no body is needed', async () => {
    const other = await t.signedIn('admin');
    expect((await other.delete('application/sessions', { surplus: 1 })).status).toBe(422);
    expect((await other.delete('application/sessions', [])).status).toBe(422);
    expect((await other.delete('application/sessions', {})).status).toBe(204);
  });

  it('answers HEAD as GET, without the body', async () => {
    const get = await client.get('application/sessions');
    const head = await client.send('HEAD', 'application/sessions');
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  });

  it(
    'of very many values let others be answered while they are read',
    { tags: ['slow'] },
    async () => {
      const body = `{"dataset":[${'1,'.repeat(800_000)}1]}`;
      let answered = 0;
      const large = client
        .send('POST', `application/dataapp/tables/${table.guid}/datasets`, body)
        .then(({ status }) => ({ status, answered }));
      for (; answered < 5; answered += 1) {
        expect((await client.get('application/sessions')).status).toBe(200);
      }
      // One part of the body takes a thousandth of the whole.
      expect(await large).toEqual({ status: 422, answered: 5 });
    },
  );
});
