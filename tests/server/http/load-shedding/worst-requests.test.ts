/** @module-tag long */
/** @module-tag slow */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { openDatabase } from '#server/database/open-database.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { queuesAnswer } from '#shared/contract/workspace-answers.ts';
import { MAX_CONDITIONS, MAX_SEARCH_WORDS, MAX_SORT_KEYS } from '#shared/rules/limits.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const FIELDS = Array.from({ length: 12 }, (_, i) => ({ name: `F${i}` }));
const RECORDS = 3_000;

/** Everything that a filter may ask for at once, none of which an index answers alone. */
const CONDITIONS = Array.from(
  { length: MAX_CONDITIONS },
  (_, i) => `where[F${i % FIELDS.length}][${i % 2 === 0 ? 'ne' : 'like'}]=a${i % 2 === 0 ? i : ''}`,
).join('&');
const WORDS = `q=${Array.from({ length: MAX_SEARCH_WORDS }, (_, i) => 'va'.slice(0, 1 + (i % 2))).join('+')}`;
const SORT = `sort=${FIELDS.slice(0, MAX_SORT_KEYS)
  .map(({ name }) => `-${name}`)
  .join()}`;
const FILTER = `${CONDITIONS}&${WORDS}`;
/** Finds nothing, so that all records are read. */
const RULE = { rule: "F0 <> 'nothing'" };

describe('the worst request of each call that reads', () => {
  const databases = testDatabases('sqlite');
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let anna: TestClient;
  let bert: TestClient;
  let queueId: string;
  beforeAll(async () => {
    const { dataDir } = await databases.prepare();
    const database = await openDatabase({ dataDir });
    t = await openApp(() => Promise.resolve(database));
    archive = await buildArchive(t.database, FIELDS, ['SUBJECT']);
    table = await buildTable(t.database, FIELDS);
    const rows = Array.from({ length: RECORDS }, (_, n) =>
      FIELDS.map((_, i) => `value ${(n * 7919 + i) % 97} a of ${i}`),
    );
    await buildRecords(t.database, archive, rows, () => [['paper', 'ink']]);
    await buildRecords(t.database, table, rows);
    for (const username of ['anna', 'bert']) {
      await buildUser(t.database, {
        username,
        rights: [rightOn(archive, 'write'), rightOn(table, 'write')],
      });
    }
    [anna, bert] = [await t.signedIn('anna'), await t.signedIn('bert')];
    const made = await anna.post(`${archivePath(archive)}/queues`, { filter: SORT });
    queueId = queuesAnswer.parse(made.body).queues[0]?.queueId ?? '';
    return () => database.close();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const ofArchive = (path: string) => `${archivePath(archive)}/${path}`;
  const ofTable = (path: string) => `${datasetsPath(table)}${path}`;
  /** By what is asked; each at all of its limits. */
  const requests: Readonly<Record<string, () => Promise<TestAnswer>>> = {
    index: () => anna.get(ofArchive(`index?${FILTER}&${SORT}&limit=1000&offset=1000`)),
    documents: () => anna.get(ofArchive(`documents?${FILTER}&${SORT}&limit=1000`)),
    'index/ids': () => anna.get(ofArchive(`index/ids?${FILTER}&${SORT}`)),
    'index/count': () => anna.get(ofArchive(`index/count?${FILTER}`)),
    listoptions: () => anna.get(ofArchive('indices/F0/listoptions?q=a')),
    suggestions: () =>
      anna.get(
        ofArchive(
          `indices/F0/suggestions?q=value&${FIELDS.slice(1)
            .map(({ name }, i) => `given[${name}]=value ${i} a of ${i + 1}`)
            .join('&')}`,
        ),
      ),
    'clusters of values': () => anna.get(ofArchive(`indices/F0/clusters?distance=2&${FILTER}`)),
    'a revision’s history': () => anna.get(ofArchive('documents/1/history')),
    queues: () => anna.get(ofArchive('queues')),
    'a queue': () => anna.get(ofArchive(`queues/${queueId}`)),
    'a new queue': () => anna.post(ofArchive('queues'), { filter: `${CONDITIONS}&${SORT}` }),
    archives: () => anna.get('application/users/anna/archives'),
    tables: () => anna.get(ofTable('').replace(/\/[^/]*\/datasets$/, '')),
    datasets: () => anna.get(ofTable(`?${FILTER}&${SORT}&limit=1000`)),
    'datasets/ids': () => anna.get(ofTable(`/ids?${FILTER}&${SORT}`)),
    'datasets/count': () => anna.get(ofTable(`/count?${FILTER}`)),
    'datasets/position': () => anna.get(ofTable(`/position?jrid=1&${FILTER}&${SORT}`)),
    'datasets/facts': () => anna.get(ofTable(`/facts?${FILTER}`)),
    'facts of rows': () => anna.get(ofTable(`/facts?${SORT}&limit=100000`)),
    'facts by ids': () =>
      anna.post(ofTable('/facts'), { jrids: Array.from({ length: RECORDS }, (_, i) => i + 1) }),
    'datasets/groups': () => anna.get(ofTable(`/groups?by=F0,F1&like=a&${FILTER}`)),
    'datasets/deleted': () => anna.get(ofTable('/deleted?limit=1000')),
    'a dataset’s history': () => anna.get(ofTable('/1/history')),
    'a rule of an archive': () => anna.post(ofArchive('checks/try'), RULE),
    'a rule of a table': () => anna.post(ofTable('').replace(/datasets$/, 'checks/try'), RULE),
  };

  it.each(Object.keys(requests))(
    '%s runs none of its statements on the event loop',
    async (name) => {
      const statements: string[] = [];
      const { prepare } = DatabaseSync.prototype;
      vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
        this: DatabaseSync,
        ...given: Parameters<typeof prepare>
      ) {
        statements.push(given[0]);
        return prepare.apply(this, given);
      });
      const answer = await requests[name]?.();
      expect(answer?.status).toBeLessThan(300);
      const names = [tableName(archive), tableName(table)];
      // One record by its id is read at once.
      const onLoop = statements.filter(
        (text) => names.some((one) => text.includes(one)) && !/where _id = \?/.test(text),
      );
      expect(onLoop).toEqual([]);
    },
  );

  it('lets what another user sends after it be answered before it', async () => {
    const order: string[] = [];
    const done = (what: string) => (answer: TestAnswer) => {
      expect([what, answer.status]).toEqual([what, 200]);
      order.push(what);
    };
    const list = () => bert.get(ofArchive('index?limit=10'));
    const count = (n: number) =>
      anna.get(ofArchive(`index/count?${CONDITIONS.replace(/a0(?=&)/, `a0${n}`)}`));
    // All threads are begun.
    await Promise.all([...Array.from({ length: 10 }, (_, n) => count(n)), list()]);
    const counts = Array.from({ length: 200 }, (_, n) => count(10 + n).then(done('count')));
    const save = bert.patch(ofArchive('documents/1/indexdata'), {
      indexFields: [{ name: 'F0', value: 'saved' }],
    });
    await Promise.all([...counts, save.then(done('save')), list().then(done('list'))]);
    expect(order.indexOf('save')).toBeLessThan(counts.length / 2);
    expect(order.indexOf('list')).toBeLessThan(counts.length / 2);
  });
});

describe('the worst request of each call that writes many records', () => {
  const databases = testDatabases('sqlite');
  let archive: Archive;
  let table: Table;
  let anna: TestClient;
  let bert: TestClient;
  beforeAll(async () => {
    const t = await openApp(databases.open, { maxBatch: RECORDS });
    archive = await buildArchive(t.database, FIELDS, ['SUBJECT']);
    table = await buildTable(
      t.database,
      FIELDS.map((field) => ({ ...field, unique: true })),
    );
    const rows = Array.from({ length: RECORDS + 1 }, (_, n) =>
      FIELDS.map((_, i) => `value ${n} of ${i}`),
    );
    await buildRecords(t.database, archive, rows, () => [['paper', 'ink']]);
    await buildRecords(t.database, table, rows);
    for (const username of ['anna', 'bert']) {
      await buildUser(t.database, {
        username,
        rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')],
      });
    }
    [anna, bert] = [await t.signedIn('anna'), await t.signedIn('bert')];
  });

  const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);
  const values = (of: string) =>
    Object.fromEntries(FIELDS.map(({ name }) => [name, `${of}, ${name}`]));
  const indexFields = (of: string) =>
    Object.entries(values(of)).map(([name, value]) => ({ name, value }));
  const revisions = (of: string) => ({
    revisions: ids.map((revisionId) => ({
      revisionId,
      indexFields: indexFields(`${of} ${revisionId}`),
      keywordFields: [{ name: 'SUBJECT', keywords: 'pen,wood' }],
    })),
  });
  const indexData = (query = '') => `${archivePath(archive)}/indexdata${query}`;
  const written = z.object({
    datasets: z.array(z.object({ jrid: z.coerce.number() })),
    meta: z.object({ historyIds: z.record(z.string(), z.string()) }),
  });
  let count = 0;
  const newDatasets = () => {
    count += 1;
    return { datasets: ids.map((n) => values(`new ${count} ${n}`)) };
  };
  const create = async () => {
    const { body } = await anna.post(datasetsPath(table), newDatasets());
    const { datasets, meta } = written.parse(body);
    return { jrids: datasets.map(({ jrid }) => jrid), historyIds: Object.values(meta.historyIds) };
  };
  const changes = (jrids: readonly number[]) => ({
    datasets: jrids.map((jrid) => ({ jrid, ...values(`changed ${jrid}`) })),
  });
  const undo = (historyIds: readonly string[]) =>
    anna.post(`${datasetsPath(table)}/undo`, { historyIds });
  /** What each needs, and the request itself, with as many records and values as are allowed. */
  const requests: Readonly<Record<string, () => Promise<() => Promise<TestAnswer>>>> = {
    'PATCH of revisions': async () => () => anna.patch(indexData(), revisions('patched')),
    'PATCH of revisions with a receipt': async () => () =>
      anna.patch(indexData('?receipt=true'), revisions('receipt')),
    'PUT of revisions': async () => () => anna.put(indexData(), revisions('put')),
    'POST of datasets': async () => () => anna.post(datasetsPath(table), newDatasets()),
    'PUT of datasets': async () => {
      const { jrids } = await create();
      return () => anna.put(datasetsPath(table), changes(jrids));
    },
    'undo of created datasets': async () => {
      const { historyIds } = await create();
      return () => undo(historyIds);
    },
    'undo of changed datasets': async () => {
      const { jrids } = await create();
      const { body } = await anna.put(datasetsPath(table), changes(jrids));
      const historyIds = Object.values(written.parse(body).meta.historyIds);
      return () => undo(historyIds);
    },
    'DELETE of datasets': async () => {
      const { jrids } = await create();
      return () => anna.delete(datasetsPath(table), { datasets: jrids.map((jrid) => ({ jrid })) });
    },
  };

  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Resolves when records are read for the first time from now on. */
  function firstReading(): Promise<void> {
    const read = Promise.withResolvers<void>();
    const names = [tableName(archive), tableName(table)];
    const { all } = StatementSync.prototype;
    vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (
      this: StatementSync,
      ...given: Parameters<typeof all>
    ) {
      const text = this.sourceSQL;
      if (/^\s*select\b/i.test(text) && names.some((name) => text.includes(`"${name}"`))) {
        read.resolve();
      }
      return all.apply(this, given);
    });
    return read.promise;
  }

  it.each(Object.keys(requests))(
    '%s is answered after what another user saves while it reads its records',
    async (name) => {
      const order: string[] = [];
      const ended = (what: string) => (answer: TestAnswer) => {
        expect(answer.status).toBeLessThan(300);
        order.push(what);
      };
      const request = await requests[name]?.();
      const begun = firstReading();
      const worst = request?.().then(ended('batch'));
      await begun;
      const saved = bert
        .patch(`${archivePath(archive)}/documents/${RECORDS + 1}/indexdata`, {
          indexFields: [{ name: 'F0', value: `saved beside ${name}` }],
        })
        .then(ended('save'));
      await Promise.all([worst, saved]);
      expect(order).toEqual(['save', 'batch']);
    },
  );
});

describe('queries of a user that wait for PostgreSQL', { tags: ['postgres'] }, () => {
  const databases = testDatabases('postgres');

  it('let reads and saves of others through', async () => {
    const config = await databases.prepare();
    const t = await openApp(() => databases.open(config));
    const [locked, other] = [
      await buildArchive(t.database, FIELDS),
      await buildArchive(t.database, FIELDS),
    ];
    for (const archive of [locked, other]) {
      await buildRecords(t.database, archive, [FIELDS.map(({ name }) => name)]);
    }
    for (const username of ['anna', 'bert']) {
      const rights = [rightOn(locked, 'write'), rightOn(other, 'write')];
      await buildUser(t.database, { username, rights });
    }
    const [anna, bert] = [await t.signedIn('anna'), await t.signedIn('bert')];
    await anna.get(`${archivePath(other)}/index`);
    const client = new Client({ connectionString: config.databaseUrl });
    await client.connect();
    try {
      await client.query(`begin; lock table ${tableName(locked)} in access exclusive mode`);
      const counts = Array.from({ length: 20 }, () =>
        anna.get(`${archivePath(locked)}/index/count?${CONDITIONS}`),
      );
      // None of the counts can be answered before.
      const saved = await bert.patch(`${archivePath(other)}/documents/1/indexdata`, {
        indexFields: [{ name: 'F0', value: 'saved' }],
      });
      expect(saved.status).toBe(200);
      expect((await bert.get(`${archivePath(other)}/index`)).status).toBe(200);
      await client.query('rollback');
      for (const { status } of await Promise.all(counts)) expect(status).toBe(200);
    } finally {
      await client.end();
    }
  });
});
