/** @module-tag slow */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { Database } from '#server/database/database.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { changeUser } from '#server/modules/accounts/users.service.ts';
import { buildUser, openApp, type TestAnswer, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  BUILDER,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import {
  describeOnOneDatabase,
  testDatabases,
  type TestDatabases,
} from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';

/** So many that they are planned before their transaction. */
const RECORDS = 60;
const FIELDS = [{ name: 'A' }, { name: 'B' }];

async function openDesk(open: TestDatabases['open']) {
  /** what is done before the next large transactions begin */
  const meanwhile: (() => Promise<unknown>)[] = [];
  let database: Database | undefined;
  const t = await openApp(async () => {
    const inner = await open();
    database = inner;
    return wrapDatabase(inner, {
      async write(work, options) {
        if (options?.weight === 'large') await meanwhile.shift()?.();
        return inner.write(work, options);
      },
    });
  });
  if (!database) throw new Error('No database was opened');
  const archive = await buildArchive(database, FIELDS, ['K']);
  const table = await buildTable(database, [{ name: 'A', unique: true }, { name: 'B' }]);
  const rows = Array.from({ length: RECORDS }, (_, i) => [`a${i + 1}`, `b${i + 1}`]);
  await buildRecords(database, archive, rows, () => [['k']]);
  await buildRecords(database, table, rows);
  const warn = [{ name: 'SHORT', rule: 'length(NAME) < 3' }];
  const firms = await buildTable(database, [{ name: 'NAME' }, { name: 'CITY' }], 'FIRMS', {
    checks: warn,
  });
  await buildRecords(database, firms, [['Acme', 'Berlin']]);
  const checks = [{ name: 'KNOWN', rule: 'FIRM in FIRMS.NAME', severity: 'block' }];
  const staff = await buildTable(database, [{ name: 'FIRM' }], 'STAFF', { checks });
  const rights = [archive, table, firms, staff].map((one) => rightOn(one, 'manage'));
  const annasAccount = await buildUser(database, { username: 'anna', rights });
  await buildUser(database, { username: 'bert', rights });
  const [anna, bert] = [await t.signedIn('anna'), await t.signedIn('bert')];
  // The first count of checks is large writes as well: they must not take what is meant for the batches.
  const tables = [table, firms, staff].map((one) => datasetsPath(one).replace(/\/datasets$/, ''));
  for (const place of [archivePath(archive), ...tables]) {
    const counts = async () =>
      checksAnswer.parse((await anna.get(`${place}/checks`)).body).checks.map(({ count }) => count);
    await expect.poll(counts).not.toContain(null);
  }
  return { database, archive, table, firms, staff, anna, bert, annasAccount, meanwhile };
}
type Desk = Awaited<ReturnType<typeof openDesk>>;

const everyId = Array.from({ length: RECORDS }, (_, i) => i + 1);
const etagOf = (answer: TestAnswer, id: number): unknown =>
  Reflect.get(Reflect.get(Reflect.get(Object(answer.body), 'meta'), 'etags'), String(id));

function patchAll({ archive, anna }: Desk, field: string, ifMatch?: string): Promise<TestAnswer> {
  return anna.patch(`${archivePath(archive)}/indexdata`, {
    revisions: everyId.map((revisionId) => ({
      revisionId,
      indexFields: [{ name: field, value: 'batch' }],
      ...(ifMatch === undefined ? {} : { ifMatch }),
    })),
  });
}
const saveOne = ({ archive, bert }: Desk, field: string, value: string) =>
  bert.patch(`${archivePath(archive)}/documents/5/indexdata`, {
    indexFields: [{ name: field, value }],
  });
const historyOf = async (client: TestClient, archive: Archive) =>
  (await client.get(`${archivePath(archive)}/documents/5/history`)).body;

describeOnOneDatabase('a batch that is planned before its transaction', (open) => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await openDesk(open);
  });

  it('keeps what another person has saved meanwhile', async () => {
    desk.meanwhile.push(() => saveOne(desk, 'A', 'theirs'));
    const answer = await patchAll(desk, 'B');
    expect(answer.status).toBe(200);
    expect([4, 5].map((id) => etagOf(answer, id))).toEqual(['"2"', '"3"']);
    const read = await desk.bert.get(`${archivePath(desk.archive)}/documents/5`);
    expect(read.text).toContain('"value":"theirs"');
    expect(read.text).toContain('"value":"batch"');
    expect(await historyOf(desk.bert, desk.archive)).toMatchObject({
      history: [
        { user: 'anna', changes: [{ name: 'B', before: 'b5', after: 'batch' }] },
        { user: 'bert', changes: [{ name: 'A', before: 'a5', after: 'theirs' }] },
      ],
    });
  });

  it('tells the value before it that another person has saved meanwhile, however often', async () => {
    for (let n = 0; n < 5; n++) desk.meanwhile.push(() => saveOne(desk, 'B', `theirs ${n}`));
    expect((await patchAll(desk, 'B')).status).toBe(200);
    // After some attempts it is planned in its transaction.
    expect(desk.meanwhile.length).toBeLessThanOrEqual(4);
    const last = `theirs ${4 - desk.meanwhile.length}`;
    expect(await historyOf(desk.bert, desk.archive)).toMatchObject({
      history: expect.arrayContaining([
        expect.objectContaining({ changes: [{ name: 'B', before: last, after: 'batch' }] }),
      ]),
    });
  });

  it('is refused where what it looks up was deleted by then', async () => {
    const { anna, bert, firms, staff, meanwhile } = desk;
    meanwhile.push(() => bert.delete(datasetsPath(firms), { datasets: [{ jrid: 1 }] }));
    const datasets = everyId.map(() => ({ FIRM: 'Acme' }));
    expect(await anna.post(datasetsPath(staff), { datasets })).toMatchObject({
      status: 422,
      body: { errors: { 'datasets.0.FIRM': [expect.stringContaining('KNOWN')] } },
    });
  });

  it('is planned once if nothing has changed that it looks up', async () => {
    const { anna, bert, firms, staff, meanwhile } = desk;
    const again = () => Promise.reject(new Error('It was planned again.'));
    const reason = { reason: 'This is its name' };
    meanwhile.push(() => bert.put(`${datasetsPath(firms)}/1/exceptions/SHORT`, reason), again);
    const datasets = everyId.map(() => ({ FIRM: 'Acme' }));
    expect((await anna.post(datasetsPath(staff), { datasets })).status).toBe(200);
    expect(meanwhile).toEqual([again]);
    const moved = { dataset: { CITY: 'Bern' } };
    meanwhile.unshift(() => bert.put(`${datasetsPath(firms)}/1`, moved));
    const removed = { datasets: everyId.map((jrid) => ({ jrid })) };
    expect((await anna.delete(datasetsPath(staff), removed)).status).toBe(204);
    expect(meanwhile).toEqual([again]);
  });

  it('is refused where a record has another version by then, and nothing changes', async () => {
    desk.meanwhile.push(() => saveOne(desk, 'A', 'theirs'));
    const answer = await patchAll(desk, 'B', '"1"');
    expect(answer.status).toBe(412);
    expect(answer.body).toMatchObject({
      errors: { 'revisions.5': [expect.stringContaining('changed meanwhile, last by bert')] },
      current: { '5': { revisionId: '5' } },
    });
    const list = await desk.bert.get(`${archivePath(desk.archive)}/index/count?where[B][eq]=batch`);
    expect(list.body).toEqual({ count: 0 });
  });

  it('is carried out where another person has given a lock up meanwhile', async () => {
    const lock = `${archivePath(desk.archive)}/documents/5`;
    await desk.bert.patch(lock, { locked: true });
    desk.meanwhile.push(() => desk.bert.patch(lock, { locked: false }));
    expect((await patchAll(desk, 'B')).status).toBe(200);
  });

  it('heeds a lock that another person has taken meanwhile', async () => {
    const lock = `${archivePath(desk.archive)}/documents/5`;
    desk.meanwhile.push(() => desk.bert.patch(lock, { locked: true }));
    expect((await patchAll(desk, 'B')).status).toBe(423);
  });

  it('is not done for a user who was disabled meanwhile', async () => {
    desk.meanwhile.push(() =>
      desk.database.write((db) => changeUser(db, desk.annasAccount, { active: false }, BUILDER)),
    );
    expect((await patchAll(desk, 'B')).status).toBe(401);
    expect((await desk.bert.get(`${archivePath(desk.archive)}/documents/5`)).text).toContain('b5');
  });

  it('is done once for one key, although the first answer comes while the second is planned', async () => {
    const { anna, table } = desk;
    const body = { datasets: everyId.map((n) => ({ A: `new ${n}`, B: null })) };
    const send = () =>
      anna.post(datasetsPath(table), body, { headers: { 'idempotency-key': 'k' } });
    let first: TestAnswer | undefined;
    desk.meanwhile.push(async () => {
      first = await send();
    });
    const second = await send();
    expect(second.status).toBe(200);
    expect(second.text).toBe(first?.text);
    expect((await anna.get(`${datasetsPath(table)}/count`)).body).toEqual({ count: 2 * RECORDS });
  });

  describe('with unique values', () => {
    const change = ({ bert, table }: Desk, id: number, values: object) =>
      bert.put(`${datasetsPath(table)}/${id}`, { dataset: values });
    const renameLater = ({ anna, table }: Desk, count = RECORDS - 10) =>
      anna.put(datasetsPath(table), {
        datasets: everyId.slice(10, 10 + count).map((jrid) => ({ jrid, A: `renamed ${jrid}` })),
      });

    it('is refused where another record has taken one meanwhile', async () => {
      desk.meanwhile.push(() => change(desk, 1, { A: 'renamed 20' }));
      const answer = await renameLater(desk);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        errors: { 'datasets.9.A': ['The value is already in record 1; it must be unique.'] },
      });
    });

    it('is carried out where another record has given one up meanwhile', async () => {
      await change(desk, 1, { A: 'renamed 20' });
      desk.meanwhile.push(() => change(desk, 1, { A: 'another' }));
      expect((await renameLater(desk)).status).toBe(200);
    });

    it('creates none where another record has taken one meanwhile', async () => {
      desk.meanwhile.push(() => change(desk, 1, { A: 'new 7' }));
      const answer = await desk.anna.post(datasetsPath(desk.table), {
        datasets: everyId.map((n) => ({ A: `new ${n}` })),
      });
      expect(answer.status).toBe(409);
      expect((await desk.anna.get(`${datasetsPath(desk.table)}/count`)).body).toEqual({
        count: RECORDS,
      });
    });

    it('deletes none where one was deleted meanwhile', async () => {
      const remove = (client: TestClient, jrids: readonly number[]) =>
        client.delete(datasetsPath(desk.table), { datasets: jrids.map((jrid) => ({ jrid })) });
      desk.meanwhile.push(() => remove(desk.bert, [30]));
      expect((await remove(desk.anna, everyId)).status).toBe(404);
      expect((await desk.anna.get(`${datasetsPath(desk.table)}/count`)).body).toEqual({
        count: RECORDS - 1,
      });
    });
  });
});

describe('the transaction of a large batch on SQLite', () => {
  const databases = testDatabases('sqlite');
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The statements that run on the connection that writes, from now on. */
  function watchWriter(): string[] {
    const statements: string[] = [];
    const owners = new WeakMap<StatementSync, DatabaseSync>();
    const writers = new WeakSet<DatabaseSync>();
    const { prepare } = DatabaseSync.prototype;
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
      this: DatabaseSync,
      ...given: Parameters<typeof prepare>
    ) {
      const statement = prepare.apply(this, given);
      owners.set(statement, this);
      if (given[0] === 'BEGIN IMMEDIATE') writers.add(this);
      return statement;
    });
    const note = (statement: StatementSync) => {
      const owner = owners.get(statement);
      if (owner && writers.has(owner)) statements.push(statement.sourceSQL);
    };
    const { all, run } = StatementSync.prototype;
    vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (
      this: StatementSync,
      ...given: Parameters<typeof all>
    ) {
      note(this);
      return all.apply(this, given);
    });
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (
      this: StatementSync,
      ...given: Parameters<typeof run>
    ) {
      note(this);
      return run.apply(this, given);
    });
    return statements;
  }

  const bodies: Readonly<
    Record<string, (archive: Archive, table: Table, anna: TestClient) => Promise<TestAnswer>>
  > = {
    'PATCH of revisions': (archive, _table, anna) =>
      anna.patch(`${archivePath(archive)}/indexdata`, {
        revisions: everyId.map((revisionId) => ({
          revisionId,
          indexFields: [{ name: 'A', value: 'x' }],
        })),
      }),
    'POST of datasets': (_archive, table, anna) =>
      anna.post(datasetsPath(table), { datasets: everyId.map((n) => ({ A: `new ${n}` })) }),
    'DELETE of datasets': (_archive, table, anna) =>
      anna.delete(datasetsPath(table), { datasets: everyId.map((jrid) => ({ jrid })) }),
    'PUT of revisions': (archive, _table, anna) =>
      anna.put(`${archivePath(archive)}/indexdata`, {
        revisions: everyId.map((revisionId) => ({
          revisionId,
          indexFields: FIELDS.map(({ name }) => ({ name, value: 'y' })),
        })),
      }),
    'PUT of datasets': (_archive, table, anna) =>
      anna.put(datasetsPath(table), { datasets: everyId.map((jrid) => ({ jrid, B: 'x' })) }),
  };

  it.each(sampled(3, Object.keys(bodies)))('reads no record: %s', async (name) => {
    const statements = watchWriter();
    const { archive, table, anna } = await openDesk(databases.open);
    statements.length = 0;
    const answer = await bodies[name]?.(archive, table, anna);
    expect(answer?.status).toBeLessThan(300);
    const tables = [tableName(archive), tableName(table)];
    const ofRecords = statements.filter((text) => tables.some((one) => text.includes(`"${one}"`)));
    expect(ofRecords.length).toBeGreaterThan(0);
    expect(ofRecords.filter((text) => /^\s*select\b/i.test(text))).toEqual([]);
  });
});
