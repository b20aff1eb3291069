/** @module-tag slow */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { sequenceAllEntries } from '#server/modules/history/history.service.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildTable, datasetsPath } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';

const AUDIT = 'configuration/audit';
const SCRIPT = join(import.meta.dirname, '../../../scripts/verify-audit-export.js');

interface Verdict {
  readonly code: number | string;
  readonly text: string;
}

/** Runs the script on a file of these lines. */
async function check(lines: readonly string[], ...options: readonly string[]): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'audit-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'audit.jsonl');
  await writeFile(file, lines.join('\n'));
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, file, ...options], (error, out, err) =>
      resolve({ code: error?.code ?? 0, text: out + err }),
    );
  });
}

describeOnOneDatabase('an export of the audit', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: Archive;
  let table: Table;

  const exported = async (query = '') => {
    const answer = await admin.get(`${AUDIT}?format=jsonl${query}`);
    expect(answer.status).toBe(200);
    return answer.text.trimEnd().split('\n');
  };

  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }]);
    table = await buildTable(t.database, [{ name: 'city' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    admin = await t.signedIn('root', { remoteAddress: '10.1.2.3' });
    for (const city of ['Köln', '=1+1', 'a "b"\r\n\u2028c', '😀']) {
      await admin.post(datasetsPath(table), { dataset: { city } });
      // Several blocks, whose order an export has to prove.
      await sequenceAllEntries(t.database);
    }
    // Entries of the other subjects, which the script has to know.
    const token = { name: 'sync', expiresAt: '2999-01-01T00:00:00Z', right: 'read' };
    for (const [path, body] of [
      ['application/users/root/tokens', { token }],
      ['configuration/groups', { group: { name: 'CLERKS' } }],
      ['configuration/users', { user: { username: 'anna' } }],
    ] as const) {
      await admin.post(path, body);
    }
    const form = formOf([
      ['indexFields[0][name]', 'NO'],
      ['indexFields[0][value]', '@SUM(1)'],
    ]);
    await admin.send('POST', `${archivePath(archive)}/documents`, form.body, form);
  });

  it('is proven by the script, with and without a filter', async () => {
    const lines = await exported();
    const { entries } = Object((await admin.get(`${AUDIT}?limit=1000`)).body);
    const ids = lines.flatMap((text) => JSON.parse(text).historyId ?? []);
    const subjects = lines.map((text) => JSON.parse(text).subject);
    expect(subjects).toEqual(expect.arrayContaining(['token', 'group', 'user', 'session']));
    expect(ids).toEqual(entries.map((entry: { historyId: string }) => entry.historyId));
    const { code, text } = await check(lines);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/^PROVEN: \d+ entries .* blocks 1 to /),
    ]);
    const filtered = await check(await exported(`&archive=${archive.name}`));
    expect(filtered).toMatchObject({ code: 0, text: expect.stringContaining('PROVEN: 2 entries') });
    const none = await check(await exported('&user=nobody'));
    expect(none).toMatchObject({ code: 0, text: expect.stringContaining('PROVEN: 0 entries') });
  });

  it('is compared with a head that was stored elsewhere', async () => {
    const lines = await exported();
    const { head } = Object((await admin.get(AUDIT)).body).meta.chain;
    expect((await check(lines, '--head', head)).code).toBe(0);
    const other = head.replace(/[0-9a-f]{64}/, 'a'.repeat(64));
    expect(await check(lines, '--head', other)).toMatchObject({
      code: 1,
      text: expect.stringContaining('and was'),
    });
  });

  const forgeries: readonly [string, (lines: string[]) => string[], RegExp][] = [
    [
      'a readable value',
      (lines) => lines.map((line) => line.replace('"after":"Köln"', '"after":"Bonn"')),
      /Entry \d+: what it says is not what was hashed/,
    ],
    [
      'a value in both forms',
      (lines) => lines.map((line) => line.replaceAll('Köln', 'Bonn')),
      /Entry \d+ was altered/,
    ],
    [
      'an added entry',
      (lines) => [
        (lines[0] ?? '').replaceAll(/\b\d+(?=",|,)/g, (number) =>
          Number(number) < 1000 ? '900' : number,
        ),
        ...lines,
      ],
      /Entry 900/,
    ],
    ['a removed entry', (lines) => lines.toSpliced(1, 1), /missing|the file holds/],
    ['a cut end', (lines) => lines.slice(0, -1), /no seal/],
    [
      'a removed block',
      (lines) => {
        const at = lines.findIndex((line) => line.startsWith('{"block"'));
        return lines.toSpliced(at + 1, 1);
      },
      /does not follow/,
    ],
    [
      'a hash',
      (lines) =>
        lines.map((line) =>
          line.startsWith('{"block"') ? line.replace(/"hashes":\["./, '"hashes":["_') : line,
        ),
      /its hash is not that of its entries/,
    ],
  ];
  it.each(sampled(2, forgeries))(
    'with %s changed fails and names where',
    async (_what, change, finding) => {
      const { code, text } = await check(change(await exported()));
      expect([code, text]).toEqual([1, expect.stringMatching(finding)]);
    },
  );

  /** The lines with another text in the entries, but not in what was hashed of them. */
  const renamed = (lines: readonly string[], from: string, to: string) =>
    lines.map((line) => (line.startsWith('{"historyId"') ? line.replace(from, to) : line));

  it.each([
    ['archive', () => [`"archive":"${archive.name}"`, '"archive":"OTHERS"']],
    ['table', () => [`"table":"${table.guid}"`, `"table":"${randomUUID()}"`]],
    ['user', () => ['"action":"create","id":"root"', '"action":"create","id":"anna"']],
    ['group', () => ['"id":"CLERKS"', '"id":"READERS"']],
  ] as const)('with another name fails, of the kind %s', async (_what, texts) => {
    const [from = '', to = ''] = texts();
    const { code, text } = await check(renamed(await exported(), from, to));
    expect([code, text]).toEqual([1, expect.stringMatching(/(name ".*" is not one|says is not)/)]);
  });

  it('with another name fails also if a filter leaves out what gives the names', async () => {
    const lines = await exported('&kind=data');
    const untouched = await check(lines);
    expect(untouched.code).toBe(0);
    expect(untouched.text).toContain('Not proven are these names');
    expect(untouched.text).toContain(JSON.stringify(archive.name));
    const changed = await check(renamed(lines, archive.name, 'OTHERS'));
    expect(changed).toMatchObject({
      code: 1,
      text: expect.stringContaining('whose hash the seal'),
    });
    expect((await check(await exported())).text).not.toContain('Not proven are');
  });

  it('names the first bad entry first', async () => {
    const lines = await exported();
    const at = lines.findIndex((line) => line.includes('Köln'));
    const changed = lines.map((line) => line.replace('Köln', 'Bonn').replace('@SUM(1)', '@SUM(2)'));
    const [first = ''] = (await check(changed)).text.split('\n');
    expect(first).toMatch(/^Line 1: Entry \d+: what it says is not what was hashed\.$/);
    expect(at).toBeGreaterThan(1);
  });

  it('as CSV has a line for each entry and no formulas', async () => {
    const answer = await admin.get(`${AUDIT}?format=csv&kind=data`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('audit.csv'),
    });
    const [headers, ...lines] = answer.text.trimEnd().split('\r\n');
    expect(headers).toBe(
      '\ufeffhistoryId,at,user,kind,subject,action,archive,table,id,call,address,changes',
    );
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain(`root,data,archive,create,${archive.name},,`);
    expect(lines[0]).toContain('10.1.2.3');
    for (const line of lines) expect(line).not.toMatch(/(?:^|,)"?[=@+-]/);
    // It is for spreadsheets: the check asks for the other format.
    expect((await check([answer.text])).text).toMatch(/is the export as CSV, which proves nothing/);
  });
});
