/** @module-tag slow */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { datasetsPageInWorker } from '#server/modules/datasets/datasets.reads.ts';
import { countRecordsInWorker } from '#server/modules/records/records.reads.ts';
import type { Database } from '#server/database/database.ts';
import { isJsonBytes } from '#server/workers/json-bytes.ts';
import { openDatabase } from '#server/database/open-database.ts';
import { createDataset } from '#server/modules/datasets/datasets.service.ts';
import { datasetsPage } from '#server/modules/datasets/datasets-lists.ts';
import { datasetListAnswer } from '#shared/contract/answers.ts';
import type { Table } from '#server/database/records/collection.ts';
import { buildRecords, buildTable, buildWriter } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

/** A page as it is answered; what is asked for while the database's size is looked at is read here. */
const readPage = (page: string | Uint8Array) =>
  datasetListAnswer.parse(
    JSON.parse(typeof page === 'string' ? page : new TextDecoder().decode(page)),
  );

describe('threads that read', () => {
  const databases = testDatabases('sqlite');
  let database: Database;
  let table: Table;
  beforeEach(async () => {
    const { dataDir } = await databases.prepare();
    database = await openDatabase({ dataDir, limits: { workersFrom: 0 } });
    table = await buildTable(database, [{ name: 'name' }]);
    await buildRecords(database, table, [['Bern'], ['Graz'], ['Lyon']]);
    return () => database.close();
  });
  const names = async (parameters: [string, string][] = []) => {
    const page = await database.read((db) => datasetsPageInWorker(db, false, table, parameters));
    return readPage(typeof page === 'string' ? page : page.bytes).datasets.map(({ name }) => name);
  };

  it('answer and refuse what is read here, and see each write that was answered before', async () => {
    const parameters: [string, string][] = [['sort', '-name']];
    const here = await database.write((db) => datasetsPage(db, table, parameters));
    const there = await database.read((db) => {
      expect(db.runInReadWorker).not.toBeNull();
      return datasetsPageInWorker(db, false, table, parameters);
    });
    expect(there).toMatchObject({ isGzipped: false });
    expect(typeof there === 'string' || readPage(there.bytes)).toEqual(here);
    for (const name of ['Porto', 'Turku']) {
      await database.write((db) => createDataset(db, table, buildWriter(), { name }));
      expect(await names([['where[name][eq]', name]])).toEqual([name]);
    }
    await expect(names([['sort', 'street']])).rejects.toMatchObject({
      code: 'malformed',
      messages: { sort: [{ message: expect.any(String) }] },
    });
  });

  it(
    'start for as long as it takes, which no query is cancelled for',
    { tags: ['long'] },
    async () => {
      await database.close();
      const { dataDir } = await databases.prepare();
      const limited = await openDatabase({
        dataDir,
        limits: { workersFrom: 0, query: 10_000 },
      });
      onTestFinished(() => limited.close());
      const own = await buildTable(limited, [{ name: 'name' }]);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const count = () =>
        limited.read((db) => countRecordsInWorker(db, own, { where: [], q: 'bern' }), {
          owner: () => 1,
        });
      // More than run for one user at the same time.
      const counts = Promise.all(Array.from({ length: 6 }, count));
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await counts).toEqual([0, 0, 0, 0, 0, 0]);
    },
  );

  it('end after 10 seconds without a call, but for one', { tags: ['long'] }, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const started: Worker[] = [];
    const onStart = (worker: Worker) => started.push(worker);
    process.on('worker', onStart);
    onTestFinished(() => void process.off('worker', onStart));
    expect(await Promise.all([names(), names()])).toHaveLength(2);
    expect(started).toHaveLength(2);
    const ended = Promise.race(started.map((worker) => once(worker, 'exit')));
    vi.advanceTimersByTime(10_000);
    expect(await ended).toEqual([0]);
    expect(await names()).toEqual(['Bern', 'Graz', 'Lyon']);
    expect(started).toHaveLength(2);
  });

  it(
    'compress what they answer, where it is long enough and the client takes that',
    { tags: ['long'] },
    async () => {
      const page = async (takesGzip: boolean) => {
        const answer = await database.read((db) => datasetsPageInWorker(db, takesGzip, table, []));
        if (typeof answer === 'string') throw new Error('It was read here.');
        return answer;
      };
      expect((await page(true)).isGzipped).toBe(false);
      const many = Array.from({ length: 40 }, (_, at) => [`Zürich ${at}`]);
      await buildRecords(database, table, many);
      const [plain, compressed] = [await page(false), await page(true)];
      expect([plain.isGzipped, compressed.isGzipped]).toEqual([false, true]);
      expect(readPage(gunzipSync(compressed.bytes))).toEqual(readPage(plain.bytes));
      // Only then the thread transfers their bytes without a copy.
      expect([compressed, plain].map(isJsonBytes)).toEqual([true, true]);
    },
  );

  it('do not hold up what is asked for at the same time', { tags: ['long'] }, async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => names()));
    expect(all).toEqual(all.map(() => ['Bern', 'Graz', 'Lyon']));
    expect(database.load().connections.waiting).toBe(0);
  });

  it('finish what they do before the database is closed', async () => {
    const reading = names();
    await database.close();
    expect(await reading).toHaveLength(3);
    await expect(names()).rejects.toThrow('The database is closed.');
  });

  it('forget an archive or table that is used no more', { tags: ['long'] }, async () => {
    const starting = once(process, 'worker');
    await names();
    const [thread]: Worker[] = await starting;
    if (!thread) throw new Error('No thread was started.');
    const count = (name: string) =>
      database.read((db) => countRecordsInWorker(db, { ...table, name }, { where: [], q: '' }));
    for (let at = 1; at <= 10; at += 1) expect(await count(`used as number ${at} of ten`)).toBe(3);
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    if (typeof gc !== 'function') throw new Error('Garbage cannot be collected.');
    await vi.waitFor(async () => {
      gc();
      const memory = await text(await thread.getHeapSnapshot());
      expect(memory.includes('used as number 1 of ten')).toBe(false);
    });
  });

  it('are not begun for a small database', async () => {
    const small = await databases.open();
    expect(await small.read((db) => Promise.resolve(db.runInReadWorker))).toBeNull();
  });
});
