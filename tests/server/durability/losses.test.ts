/** @module-tag long */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { WAIT_LIMIT } from '#tests/support/effort.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { Clerks, type Attempt } from './clerks.ts';
import { ARCHIVE, prepareLedger, USERNAME } from './ledger-content.ts';
import { lossesAndDoubles } from './losses.ts';

/*
 * Whether what the other tests here trust in would find what they look for: each damage is done past the service, to
 * an installation in which nothing is wrong before.
 */

const { prepare } = testDatabases('sqlite');
let service: ServiceProcess;
let client: ServiceClient;
let clerks: Clerks;
let files = '';
let database: DatabaseSync;
beforeAll(async () => {
  const config = await prepare();
  await prepareLedger(config);
  service = await startService({ ...config, args: ['--empty'] });
  client = new ServiceClient(service.url);
  await client.signIn(USERNAME, PASSWORD);
  clerks = new Clerks(client);
  await clerks.write(120);
  files = join(config.dataDir, 'files');
  database = new DatabaseSync(join(config.dataDir, SQLITE_FILE), { timeout: WAIT_LIMIT });
  database.exec('drop trigger history_keeps_all');
});
afterAll(async () => {
  database?.close();
  await service?.kill();
});

const found = () => lossesAndDoubles(client, clerks.attempts);
/** An answered write that no other test takes. */
const taken = new Set<string>();
function take(kind: Attempt['kind'], size: number): { attempt: Attempt; ids: readonly string[] } {
  const attempt = clerks.attempts.find(
    (one) => one.kind === kind && one.size === size && one.ids && !taken.has(one.token),
  );
  if (!attempt?.ids) throw new Error(`Nothing of ${size} was written by ${kind}.`);
  taken.add(attempt.token);
  return { attempt, ids: attempt.ids };
}
/** Makes it as if a dataset had never been there. */
function forget(jrid: string): void {
  const { id } = database.prepare('select id from data_tables').get() ?? {};
  database.exec(`delete from table_${String(id)} where _id = ${jrid}`);
  database.exec(`delete from history where scope = 'table' and row_id = ${jrid}`);
}
const withoutKey = ({ request }: Attempt) => client.send({ ...request(), headers: {} });

it('finds nothing where nothing is wrong', async () => {
  expect(await found()).toEqual([]);
});

it('finds a write that was answered and is lost', async () => {
  const { ids } = take('create', 1);
  forget(ids[0] ?? '');
  expect(await found()).toContain(`create answered for ${ids[0]}:  are there`);
});

it('finds a write that was done twice', async () => {
  const { attempt, ids } = take('create', 1);
  await withoutKey(attempt);
  expect((await found()).join('\n')).toMatch(
    new RegExp(`create answered for ${ids[0]}: (?:${ids[0]},[0-9]+|[0-9]+,${ids[0]}) are there`),
  );
  // To the same record, where another write came between.
  const again = take('revision', 1);
  const path = `${ARCHIVE}/documents/${again.ids[0]}/indexdata`;
  const indexFields = [{ name: 'TOKEN', value: 'of nobody' }];
  await client.send({ method: 'PATCH', path, json: { indexFields } });
  await withoutKey(again.attempt);
  expect(await found()).toEqual(
    expect.arrayContaining(['revision was done twice', 'nobody wrote of nobody']),
  );
});

it('finds a batch of which one part is missing, answered or not', async () => {
  const { attempt, ids } = take('create', 20);
  forget(ids[7] ?? '');
  const rest = ids.filter((_, i) => i !== 7);
  expect((await found()).join('\n')).toMatch(
    new RegExp(`create answered for ${ids.join()}: .*${rest[0]}.* are there`),
  );
  attempt.ids = null;
  expect(await found()).toContain('create of 20, not answered: 19 are there');
});

it('finds an entry of a history that is lost', async () => {
  const { ids } = take('revision', 1);
  database.exec(
    `delete from history where id = (select min(id) from history where kind = 'change'
      and scope = 'archive' and row_id = ${ids[0]})`,
  );
  const path = `application/archiveapp/archives/LEDGER/documents/${ids[0]}: version`;
  expect((await found()).join('\n')).toContain(path);
});

it('finds a file that is not what was sent', async () => {
  const { ids } = take('document', 1);
  const row = database.prepare('select location from files where row_id = ?').get(ids[0] ?? '');
  const path = join(files, String(row?.['location']));
  await writeFile(path, 'x'.repeat((await stat(path)).size));
  expect(await found()).toContain(`the file of ${ids[0]} is not as it was sent`);
});
