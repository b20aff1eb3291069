// @vitest-environment node
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scalar } from '#shared/values.ts';
import { CallError } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { Chunk, PasteJob } from '#web/features/data-grid/paste/journal.ts';
import { pasteJournal } from '#web/features/data-grid/paste/journal.ts';
import type { PasteCalls, Written } from '#web/features/data-grid/paste/paste.calls.ts';
import { createRunner } from '#web/features/data-grid/paste/runner.ts';

type Values = Readonly<Record<string, Scalar>>;

/** What the service does, as far as a paste needs it: batches all or none, each key once. */
function buildService(fails: () => boolean) {
  const rows = new Map<string, { values: Record<string, Scalar>; version: number }>();
  const answered = new Map<string, unknown>();
  const undone = new Map<string, string>();
  let next = 1;
  const put = (values: Values) => {
    const jrid = String(next++);
    rows.set(jrid, { values: { ...values }, version: 1 });
    return jrid;
  };
  const written = (jrid: string): Written => {
    const historyId = `h${jrid}`;
    undone.set(historyId, jrid);
    return { jrid, etag: `"${rows.get(jrid)?.version}"`, historyId };
  };
  const refuse = (places: readonly number[]) => {
    const errors = Object.fromEntries(places.map((at) => [`datasets.${at}.a`, ['No.']]));
    throw new CallError({
      kind: 'api',
      status: 412,
      code: 'changed_meanwhile',
      errors,
      requestId: 'r',
      retryAfter: null,
    });
  };
  /** The way there and the way back may each be cut. */
  const once = async <T>(key: string, work: () => T): Promise<T> => {
    if (fails()) throw new CallError({ kind: 'unreachable' });
    if (!answered.has(key)) answered.set(key, work());
    if (fails()) throw new CallError({ kind: 'unreachable' });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key belongs to one call
    return answered.get(key) as T;
  };
  const calls: PasteCalls = {
    change: (changes, key) =>
      once(key, () => {
        const stale = changes.flatMap(({ jrid, ifMatch }, at) =>
          ifMatch === `"${rows.get(jrid)?.version}"` ? [] : [at],
        );
        if (stale.length > 0) refuse(stale);
        return changes.map(({ jrid, values }) => {
          const row = rows.get(jrid);
          if (row)
            rows.set(jrid, { values: { ...row.values, ...values }, version: row.version + 1 });
          return written(jrid);
        });
      }),
    create: (sent, key) =>
      once(key, () => {
        const taken = sent.flatMap(({ a }, at) => (a === 'taken' ? [at] : []));
        if (taken.length > 0) refuse(taken);
        return sent.map((values) => written(put(values)));
      }),
    undo: (ids, key) =>
      once(key, () => {
        const changed = ids.flatMap((id, at) =>
          rows.get(undone.get(id) ?? '')?.version === 1 ? [] : [at],
        );
        if (changed.length > 0) refuse(changed);
        for (const id of ids) rows.delete(undone.get(id) ?? '');
      }),
    creationOf: async (jrid) => `h${jrid}`,
  };
  const valuesOf = () => [...rows.values()].map(({ values }) => values['a']);
  return { calls, put, rows, valuesOf };
}

const journal = pasteJournal();

async function begin(chunks: readonly Pick<Chunk, 'changes' | 'creations'>[]): Promise<PasteJob> {
  const id = newIdempotencyKey();
  const rows = chunks.map(({ changes, creations }) => changes.length + creations.length);
  const job: PasteJob = {
    id,
    username: 'anna',
    guid: 'table',
    at: 1,
    rows: rows.reduce((sum, each) => sum + each, 0),
    rowsDone: 0,
    chunks: chunks.length,
    chunksDone: 0,
    is: 'going',
  };
  await journal.begin(
    job,
    chunks.map((chunk, number) => ({
      ...chunk,
      job: id,
      number,
      rows: rows[number] ?? 0,
      left: [],
      changeKey: newIdempotencyKey(),
      createKey: newIdempotencyKey(),
      sent: false,
      changed: null,
      created: null,
    })),
  );
  return job;
}

const running = () => new AbortController().signal;

/** The job as another tab finds it. */
async function found(id: string): Promise<PasteJob> {
  const job = (await journal.unfinished('anna', 'table')).find((job) => job.id === id);
  if (!job) throw new Error('The job is not in the journal.');
  return job;
}

describe('a large paste', () => {
  test('is done once and wholly, however often the way to the server or the tab breaks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
        async (breaks, sizes) => {
          const ahead = [...breaks];
          const service = buildService(() => ahead.shift() ?? false);
          const old = sizes.map(() => service.put({ a: 'old' }));
          const { id } = await begin(
            sizes.map((size, number) => ({
              creations: Array.from({ length: size }, (_, i) => ({ a: `${number}.${i}` })),
              changes: [
                {
                  jrid: old[number] ?? '',
                  values: { a: `new ${number}` },
                  before: { a: 'old' },
                  ifMatch: '"1"',
                },
              ],
            })),
          );
          const expected = [
            ...sizes.map((_, number) => `new ${number}`),
            ...sizes.flatMap((size, number) =>
              Array.from({ length: size }, (_, i) => `${number}.${i}`),
            ),
          ];
          // Each failure ends the tab; the next begins with what the journal has.
          const untilDone = async <T>(act: (job: PasteJob) => Promise<T>): Promise<T> => {
            for (;;) {
              try {
                return await act(await found(id));
              } catch (error) {
                if (!(error instanceof CallError)) throw error;
              }
            }
          };
          const paste = (job: PasteJob) =>
            createRunner(journal, service.calls, job, () => {}).go(running());
          const takeBack = (job: PasteJob) =>
            createRunner(journal, service.calls, job, () => {}).takeBack(running());
          expect(await untilDone(paste)).toEqual({ left: [], renamed: new Map() });
          expect(service.valuesOf()).toEqual(expected);
          const first = [...service.rows.keys()].slice(sizes.length);
          expect(await untilDone(takeBack)).toEqual([]);
          expect(service.valuesOf()).toEqual(sizes.map(() => 'old'));

          const again = await untilDone(paste);
          expect(again?.left).toEqual([]);
          expect(service.valuesOf()).toEqual(expected);
          const second = [...service.rows.keys()].slice(sizes.length);
          expect(again?.renamed).toEqual(new Map(first.map((jrid, i) => [jrid, second[i]])));
          expect(await untilDone(takeBack)).toEqual([]);
          expect(service.valuesOf()).toEqual(sizes.map(() => 'old'));
          await journal.forget(await found(id));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('hands over what somebody else changed and what is refused, and writes the rest', async () => {
    const service = buildService(() => false);
    const [mine, theirs] = [service.put({ a: 'old' }), service.put({ a: 'old' })];
    service.rows.set(theirs, { values: { a: 'theirs' }, version: 2 });
    const change = (jrid: string) => ({
      jrid,
      values: { a: 'new' },
      before: { a: 'old' },
      ifMatch: '"1"',
    });
    const job = await begin([
      { changes: [change(theirs), change(mine)], creations: [{ a: 'taken' }, { a: 'free' }] },
    ]);
    const left = await createRunner(journal, service.calls, job, () => {}).go(running());
    expect(left?.left).toEqual([
      { jrid: theirs, typed: {}, values: { a: 'new' }, before: { a: 'old' } },
      { jrid: null, typed: {}, values: { a: 'taken' }, before: {} },
    ]);
    expect(service.valuesOf()).toEqual(['new', 'theirs', 'free']);
  });

  test('is not taken back where somebody has changed a row since', async () => {
    const service = buildService(() => false);
    const job = await begin([{ changes: [], creations: [{ a: 'one' }, { a: 'two' }] }]);
    const jobs: PasteJob[] = [];
    const runner = createRunner(journal, service.calls, job, (now) => jobs.push(now));
    await runner.go(running());
    service.rows.set('1', { values: { a: 'theirs' }, version: 2 });
    expect(await runner.takeBack(running())).toEqual(['1']);
    expect(service.valuesOf()).toEqual(['theirs']);
    expect(jobs.map(({ rowsDone }) => rowsDone)).toEqual([2, 0]);
    // What stayed is not done twice.
    expect((await runner.go(running()))?.renamed).toEqual(new Map([['2', '3']]));
    expect(service.valuesOf()).toEqual(['theirs', 'two']);
  });

  test('stops between two chunks', async () => {
    const service = buildService(() => false);
    const job = await begin([
      { changes: [], creations: [{ a: 'one' }] },
      { changes: [], creations: [{ a: 'two' }] },
    ]);
    const stop = new AbortController();
    const runner = createRunner(journal, service.calls, job, () => stop.abort());
    expect(await runner.go(stop.signal)).toBeNull();
    expect(service.valuesOf()).toEqual(['one']);
    expect(await found(job.id)).toMatchObject({ chunksDone: 1, rowsDone: 1, is: 'going' });
  });
});
