// @vitest-environment jsdom
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { CallError } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { Chunk, PasteJob } from '#web/features/data-grid/paste/journal.ts';
import { localCipher } from '#tests/support/user-cipher.ts';
import { pasteJournal } from '#web/features/data-grid/paste/journal.ts';
import type { PasteCalls, Written } from '#web/features/data-grid/paste/paste.calls.ts';
import { createRunner } from '#web/features/data-grid/paste/runner.ts';
import { repeated } from '#tests/support/effort.ts';

type Values = Readonly<Record<string, Scalar>>;

/** What the service does, as far as a paste needs it: batches all or none, each key once. */
function buildService(fails: () => boolean) {
  const rows = new Map<string, { values: Record<string, Scalar>; version: number }>();
  /** newest first, also of rows that are gone */
  const histories = new Map<string, HistoryEntry[]>();
  const answered = new Map<string, unknown>();
  let next = 1;
  let entries = 0;
  const note = (jrid: string, user: string, call: string, before: Values, after: Values) => {
    const entry: HistoryEntry = {
      historyId: String(++entries),
      user,
      at: `2026-01-31T10:00:${String(entries % 60).padStart(2, '0')}.000Z`,
      call,
      changes: Object.keys(after).map((name) => ({
        name,
        before: before[name] ?? null,
        after: after[name] ?? null,
      })),
    };
    histories.set(jrid, [entry, ...(histories.get(jrid) ?? [])]);
  };
  const put = (values: Values) => {
    const jrid = String(next++);
    rows.set(jrid, { values: { ...values }, version: 1 });
    note(jrid, 'anna', 'POST /datasets', {}, values);
    return jrid;
  };
  /** Somebody changes a row by other means than the paste. */
  const edit = (jrid: string, values: Values, user: string) => {
    const row = rows.get(jrid);
    if (!row) return;
    note(jrid, user, `PUT /datasets/${jrid}`, row.values, values);
    rows.set(jrid, { values: { ...row.values, ...values }, version: row.version + 1 });
  };
  const remove = (jrid: string, user: string) => {
    rows.delete(jrid);
    note(jrid, user, `DELETE /datasets/${jrid}`, {}, {});
  };
  const etagOf = (jrid: string) => `"${rows.get(jrid)?.version}"`;
  const written = (jrid: string): Written => ({
    jrid,
    etag: etagOf(jrid),
    historyId: histories.get(jrid)?.[0]?.historyId ?? null,
  });
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
          ifMatch === etagOf(jrid) ? [] : [at],
        );
        if (stale.length > 0) refuse(stale);
        return changes.map(({ jrid, values }) => {
          edit(jrid, values, 'anna');
          return written(jrid);
        });
      }),
    create: (sent, key) =>
      once(key, () => {
        const taken = sent.flatMap(({ a }, at) => (a === 'taken' ? [at] : []));
        if (taken.length > 0) refuse(taken);
        return sent.map((values) => written(put(values)));
      }),
    undo: (ids, _jrids, key) =>
      once(key, () => {
        const wanted = new Set(ids);
        const jrids = new Map<string, number>();
        for (const [at, id] of ids.entries()) {
          for (const [jrid, history] of histories) {
            if (history.some(({ historyId }) => historyId === id) && !jrids.has(jrid)) {
              jrids.set(jrid, at);
            }
          }
        }
        const refused = [...jrids].flatMap(([jrid, at]) =>
          histories.get(jrid)?.every(({ historyId }) => wanted.has(historyId)) ? [] : [at],
        );
        if (refused.length > 0) refuse(refused);
        for (const jrid of jrids.keys()) remove(jrid, 'anna');
      }),
    several: async (jrids) =>
      new Map(
        jrids.flatMap((jrid) => {
          const row = rows.get(jrid);
          const stored = row && { dataset: { jrid, ...row.values }, etag: etagOf(jrid) };
          return stored ? [[jrid, stored]] : [];
        }),
      ),
    history: async (jrid) => histories.get(jrid) ?? [],
  };
  const valuesOf = () => [...rows.values()].map(({ values }) => values['a']);
  return { calls, put, edit, rows, valuesOf };
}

/** Each failure ends the tab. */
const atOnce = <T>(work: () => Promise<T>): Promise<T> => work();

const journal = pasteJournal(localCipher());

type Given = Pick<Chunk, 'changes' | 'creations'> & Partial<Pick<Chunk, 'left'>>;

async function begin(chunks: readonly Given[]): Promise<PasteJob> {
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
      left: [],
      ...chunk,
      job: id,
      number,
      rows: rows[number] ?? 0,
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
            createRunner(journal, service.calls, job, () => {}, atOnce).go(running());
          const takeBack = (job: PasteJob) =>
            createRunner(journal, service.calls, job, () => {}, atOnce).takeBack(running());
          expect(await untilDone(paste)).toEqual({ left: [], renamed: new Map() });
          expect(service.valuesOf()).toEqual(expected);
          const first = [...service.rows.keys()].slice(sizes.length);
          expect(await untilDone(takeBack)).toEqual({ count: 0, cells: [] });
          expect(service.valuesOf()).toEqual(sizes.map(() => 'old'));

          const again = await untilDone(paste);
          expect(again?.left).toEqual([]);
          expect(service.valuesOf()).toEqual(expected);
          const second = [...service.rows.keys()].slice(sizes.length);
          expect(again?.renamed).toEqual(new Map(first.map((jrid, i) => [jrid, second[i]])));
          expect(await untilDone(takeBack)).toEqual({ count: 0, cells: [] });
          expect(service.valuesOf()).toEqual(sizes.map(() => 'old'));
          await journal.forget(await found(id));
        },
      ),
      { numRuns: repeated(20) },
    );
  });

  test('hands over what somebody else changed and what is refused, and writes the rest', async () => {
    const service = buildService(() => false);
    const [mine, theirs] = [service.put({ a: 'old' }), service.put({ a: 'old' })];
    service.edit(theirs, { a: 'theirs' }, 'bernd');
    const change = (jrid: string) => ({
      jrid,
      values: { a: 'new' },
      before: { a: 'old' },
      ifMatch: '"1"',
    });
    const job = await begin([
      { changes: [change(theirs), change(mine)], creations: [{ a: 'taken' }, { a: 'free' }] },
    ]);
    const left = await createRunner(journal, service.calls, job, () => {}, atOnce).go(running());
    expect(left?.left).toEqual([
      { jrid: theirs, typed: {}, values: { a: 'new' }, before: { a: 'old' } },
      {
        jrid: null,
        typed: {},
        values: { a: 'taken' },
        before: {},
        refusal: { cells: { a: 'No.' }, row: null },
      },
    ]);
    expect(service.valuesOf()).toEqual(['new', 'theirs', 'free']);
  });

  test('is not undone where somebody has changed a row since', async () => {
    const service = buildService(() => false);
    const job = await begin([{ changes: [], creations: [{ a: 'one' }, { a: 'two' }] }]);
    const jobs: PasteJob[] = [];
    const runner = createRunner(journal, service.calls, job, (now) => jobs.push(now));
    await runner.go(running());
    service.edit('1', { a: 'theirs' }, 'bernd');
    expect(await runner.takeBack(running())).toEqual({
      count: 1,
      cells: [
        { jrid: '1', column: 'a', by: 'bernd', at: '2026-01-31T10:00:03.000Z', deleted: false },
      ],
    });
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

  test('is undone as far as it still stands, whoever has edited the rest since', async () => {
    const service = buildService(() => false);
    const old = ['own', 'own, undone', 'untouched', 'another column', 'theirs'].map((b) =>
      service.put({ a: 'old', b, c: 'old' }),
    );
    const [own = '', undone = '', , other = '', theirs = ''] = old;
    const job = await begin([
      {
        changes: old.map((jrid) => ({
          jrid,
          values: { a: 'new', c: 'new' },
          before: { a: 'old', c: 'old' },
          ifMatch: '"1"',
        })),
        creations: ['edited', 'undone', 'theirs', 'untouched'].map((a) => ({ a })),
      },
    ]);
    const runner = createRunner(journal, service.calls, job, () => {});
    await runner.go(running());
    service.edit(own, { a: 'later' }, 'anna');
    service.edit(undone, { a: 'later' }, 'anna');
    service.edit(undone, { a: 'new' }, 'anna');
    service.edit(other, { b: 'later' }, 'bernd');
    service.edit(theirs, { a: 'theirs', c: 'theirs' }, 'bernd');
    const [edited = '', undoneRow = '', theirRow = ''] = [...service.rows.keys()].slice(5);
    service.edit(edited, { b: 'later' }, 'anna');
    service.edit(undoneRow, { a: 'later' }, 'anna');
    service.edit(undoneRow, { a: 'undone' }, 'anna');
    // Back at what it was: it is theirs all the same, and the service lets nobody else take it back.
    service.edit(theirRow, { a: 'x' }, 'bernd');
    service.edit(theirRow, { a: 'theirs' }, 'bernd');

    const stay = await runner.takeBack(running());
    expect(stay?.cells.map(({ jrid, column, by }) => [jrid, column, by])).toEqual([
      [own, 'a', 'anna'],
      [theirs, 'a', 'bernd'],
      [theirs, 'c', 'bernd'],
      [edited, 'b', 'anna'],
      [theirRow, null, 'bernd'],
    ]);
    expect(stay?.count).toBe(5);
    expect([...service.rows.values()].map(({ values }) => values)).toEqual([
      { a: 'later', b: 'own', c: 'old' },
      { a: 'old', b: 'own, undone', c: 'old' },
      { a: 'old', b: 'untouched', c: 'old' },
      { a: 'old', b: 'later', c: 'old' },
      { a: 'theirs', b: 'theirs', c: 'theirs' },
      { a: 'edited', b: 'later' },
      { a: 'theirs' },
    ]);
    // What was undone is redone, and nothing else.
    await runner.go(running());
    expect([...service.rows.values()].map(({ values }) => [values['a'], values['c']])).toEqual([
      ['later', 'new'],
      ['new', 'new'],
      ['new', 'new'],
      ['new', 'new'],
      ['theirs', 'theirs'],
      ['edited', undefined],
      ['theirs', undefined],
      ['undone', undefined],
      ['untouched', undefined],
    ]);
  });

  test('goes on by itself where it was when the server is back, and can be stopped while it waits', async () => {
    let away = true;
    const service = buildService(() => away);
    const job = await begin([
      { changes: [], creations: [{ a: 'one' }] },
      { changes: [], creations: [{ a: 'two' }] },
    ]);
    const stop = new AbortController();
    const stopped = createRunner(journal, service.calls, job, () => {}).go(stop.signal);
    stop.abort();
    expect(await stopped).toBeNull();
    const runner = createRunner(journal, service.calls, await found(job.id), () => {});
    const pasted = runner.go(running());
    await new Promise((resolve) => setTimeout(resolve, 50));
    away = false;
    expect((await pasted)?.left).toEqual([]);
    expect(service.valuesOf()).toEqual(['one', 'two']);
  });

  test('is a whole one at the rows where it was left', async () => {
    let away = false;
    const service = buildService(() => away);
    const left = { jrid: null, typed: { a: 'x?' }, values: {}, before: {} };
    const job = await begin([
      { changes: [], creations: [{ a: 'one' }], left: [left] },
      { changes: [], creations: [{ a: 'two' }] },
      { changes: [], creations: [{ a: 'three' }] },
    ]);
    const stop = new AbortController();
    const go = createRunner(journal, service.calls, job, () => stop.abort()).go(stop.signal);
    expect(await go).toBeNull();
    // The answer to the second gets lost.
    away = true;
    const waiting = new AbortController();
    const again = createRunner(journal, service.calls, await found(job.id), () => {}, atOnce);
    await expect(again.go(waiting.signal)).rejects.toThrow(CallError);
    away = false;
    const { job: whole, pasted } = await again.leaveAt();
    expect(whole).toMatchObject({ rows: 1, rowsDone: 1, chunksDone: 1, chunks: 2, stoppedOf: 3 });
    expect(pasted.left).toEqual([left]);
    await journal.rest({ ...whole, is: 'done' });
    const done = await journal.job(job.id);
    if (!done) throw new Error('It is forgotten.');
    expect(await journal.chunk(job.id, 2)).toBeUndefined();
    // Whatever of the second got there is undone too.
    await createRunner(journal, service.calls, done, () => {}).takeBack(running());
    expect(service.valuesOf()).toEqual([]);
  });
});

describe('the journal', () => {
  test('keeps what steps of undo lead to, however many, and forgets the others', async () => {
    const jobs: PasteJob[] = [];
    for (let i = 0; i < 30; i++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as pastes are
      const job = await begin([{ changes: [], creations: [{ a: `${i}` }] }]);
      jobs.push({ ...job, is: 'done' });
      // oxlint-disable-next-line no-await-in-loop -- as above
      await journal.rest({ ...job, is: 'done' });
    }
    const kept = jobs.filter((_, i) => i !== 3);
    await journal.prune('anna', 'table', new Set(kept.map(({ id }) => id)));
    for (const { id } of kept) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await journal.job(id)).toMatchObject({ is: 'done' });
    }
    expect(await journal.job(jobs[3]?.id ?? '')).toBeUndefined();
    expect(await journal.chunk(jobs[3]?.id ?? '', 0)).toBeUndefined();
    const { creations } = (await journal.chunk(jobs[4]?.id ?? '', 0)) ?? {};
    expect(creations).toEqual([{ a: '4' }]);
  });
});
