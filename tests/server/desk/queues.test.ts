import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { revisionIdsAnswer } from '#shared/contract/answers.ts';
import {
  openQueuesAnswer,
  queueRevisionsAnswer,
  queuesAnswer,
  type Queue,
} from '#shared/contract/workspace-answers.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import { MAX_BATCH } from '#shared/rules/limits.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { repeated } from '#tests/support/effort.ts';

describeOnOneDatabase('queues', (open) => {
  let t: TestApp;
  let archive: Archive;
  let anna: TestClient;
  let bert: TestClient;
  let queues: string;
  let ids: string;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }, { name: 'SUPPLIER' }]);
    await buildRecords(
      t.database,
      archive,
      Array.from({ length: 2_500 }, (_, i) => [
        `R-${(i * 7919) % 2_500}`,
        i % 3 === 0 ? null : 'ACME',
      ]),
    );
    for (const username of ['anna', 'bert']) {
      await buildUser(t.database, { username, rights: [rightOn(archive, 'manage')] });
    }
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
    queues = `${archivePath(archive)}/queues`;
    ids = `${archivePath(archive)}/index/ids`;
  });

  const one = (answer: TestAnswer): Queue => {
    const [queue] = queuesAnswer.parse(answer.body).queues;
    if (!queue) throw new Error(answer.text);
    return queue;
  };
  const make = async (body: object) => {
    const answer = await anna.post(queues, body);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return one(answer);
  };
  const wholeOf = async ({ queueId, total }: Queue) => {
    const revisions = [];
    for (let offset = 0; offset < total; offset += 700) {
      const page = await anna.get(`${queues}/${queueId}/revisions?offset=${offset}&limit=700`);
      revisions.push(...queueRevisionsAnswer.parse(page.body).revisions);
    }
    return revisions;
  };
  const matching = async (filter: string) =>
    revisionIdsAnswer.parse((await anna.get(`${ids}?${filter}`)).body).revisionIds;

  it('hold what matches when they are made, in its order', async () => {
    const filter = 'where[SUPPLIER][eq]=ACME&sort=-NO';
    const expected = await matching(filter);
    expect(expected.length).toBeGreaterThan(1_500);
    const queue = await make({ name: 'ACME', filter, field: 'indexFields.NO' });
    expect(queue).toMatchObject({
      name: 'ACME',
      filter,
      total: expected.length,
      position: 0,
      field: 'indexFields.NO',
      counts: { corrected: 0, unchanged: 0, skipped: 0, gone: 0 },
    });
    expect(await wholeOf(queue)).toEqual(
      expected.map((revisionId, position) => ({ position, revisionId, state: 'open' })),
    );
    const page = await anna.get(`${queues}/${queue.queueId}/revisions?offset=998&limit=4`);
    expect(page.body).toMatchObject({
      revisions: expected.slice(998, 1_002).map((revisionId) => ({ revisionId })),
      meta: { pagination: { total: expected.length, limit: 4, offset: 998 } },
    });
    const without = await anna.get(`${queues}/${queue.queueId}/revisions?limit=4&total=false`);
    expect(without.body).toHaveProperty('meta', { pagination: { limit: 4, offset: 0 } });
  });

  it('hold the same whatever others edit, add or delete; places and states survive', async () => {
    const edit = fc.record({
      at: fc.nat(40),
      what: fc.constantFrom('edit', 'empty', 'delete', 'correct', 'pass', 'skip', 'reopen', 'move'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 15 }), async (edits) => {
        const filter = 'where[SUPPLIER][null]=true&sort=NO';
        const before = await matching(filter);
        const queue = await make({ filter });
        const states = new Map<string, string>();
        let position = 0;
        for (const { at, what } of edits) {
          const revisionId = before[at] ?? '';
          const document = `${archivePath(archive)}/documents/${revisionId}`;
          const path = `${queues}/${queue.queueId}`;
          const value = what === 'edit' ? `S-${at}` : null;
          if (what === 'edit' || what === 'empty') {
            await bert.patch(`${document}/indexdata`, {
              indexFields: [{ name: 'SUPPLIER', value }],
            });
          } else if (what === 'delete') {
            await bert.delete(document);
            states.set(revisionId, 'gone');
          } else if (what === 'move') {
            position = at;
            expect((await anna.patch(path, { position, field: 'NO' })).status).toBe(200);
          } else {
            const state = {
              correct: 'corrected',
              pass: 'unchanged',
              skip: 'skipped',
              reopen: 'open',
            }[what];
            const answer = await anna.patch(path, { states: [{ revisionId, state }] });
            expect(answer.status).toBe(200);
            if (states.get(revisionId) !== 'gone') states.set(revisionId, state);
          }
        }
        const expected = before.map((revisionId, i) => ({
          position: i,
          revisionId,
          state: states.get(revisionId) ?? 'open',
        }));
        expect(await wholeOf(queue)).toEqual(expected);
        const count = (state: string) => expected.filter((one) => one.state === state).length;
        expect(one(await anna.get(`${queues}/${queue.queueId}`))).toMatchObject({
          position,
          total: before.length,
          counts: {
            corrected: count('corrected'),
            unchanged: count('unchanged'),
            skipped: count('skipped'),
            gone: count('gone'),
          },
        });
      }),
      { numRuns: repeated(8) },
    );
  });

  it('may be made of named revisions, each once, those that are there', async () => {
    // Those without a supplier may have been deleted above.
    const queue = await make({ revisionIds: ['9', 6, '9', '999999', '8'] });
    const whole = await wholeOf(queue);
    expect(whole.map(({ revisionId }) => revisionId)).toEqual(['9', '6', '8']);
    expect(queue.filter).toBeNull();
  });

  it(
    'count revisions that are gone as gone, whatever state is given to them',
    { tags: ['slow'] },
    async () => {
      // The test before deletes revisions at random.
      const [open = '', skipped = '', deleted = ''] = (await matching('')).slice(-3);
      const queue = await make({ revisionIds: [deleted, skipped, open] });
      const path = `${queues}/${queue.queueId}`;
      await anna.patch(path, { states: [{ revisionId: deleted, state: 'corrected' }] });
      expect((await anna.delete(`${archivePath(archive)}/documents/${deleted}`)).status).toBe(204);
      const counts = { corrected: 0, unchanged: 0, skipped: 1, gone: 1 };
      const changed = await anna.patch(path, {
        states: [
          { revisionId: deleted, state: 'unchanged' },
          { revisionId: skipped, state: 'skipped' },
        ],
      });
      expect(one(changed).counts).toEqual(counts);
      expect(one(await anna.get(path)).counts).toEqual(counts);
      const many = Array.from({ length: MAX_BATCH + 1 }, () => ({
        revisionId: skipped,
        state: 'open',
      }));
      expect((await anna.patch(path, { states: many })).body).toMatchObject({
        code: 'validation_failed',
        errors: { states: ['At most 10,000 states can be sent at once.'] },
      });
    },
  );

  it('take thousands of names and states at once', async () => {
    const all = await matching('');
    const queue = await make({ revisionIds: all });
    expect(queue.total).toBe(all.length);
    const states = all.map((revisionId) => ({ revisionId, state: 'corrected' }));
    const changed = one(
      await anna.patch(`${queues}/${queue.queueId}`, { states, position: all.length }),
    );
    expect(changed).toMatchObject({ position: all.length, counts: { corrected: all.length } });
  });

  it('refuse what is wrong', async () => {
    for (const [body, status] of [
      [{}, 422],
      [{ filter: '', revisionIds: ['1'] }, 422],
      [{ filter: 'where[NO][eq]=nothing' }, 422],
      [{ revisionIds: [] }, 422],
      [{ filter: 'where[NOTHING][eq]=1' }, 400],
      [{ filter: '', name: 'a\u0000' }, 422],
    ] as const) {
      expect([body, (await anna.post(queues, body)).status]).toEqual([body, status]);
    }
    const { queueId } = await make({ revisionIds: ['1', '2'] });
    for (const body of [
      { position: 3 },
      { position: -1 },
      { position: '1' },
      { states: [{ revisionId: '3', state: 'skipped' }] },
      { states: [{ revisionId: '1', state: 'gone' }] },
    ]) {
      expect([body, (await anna.patch(`${queues}/${queueId}`, body)).status]).toEqual([body, 422]);
    }
    expect((await anna.get(`${queues}/${queueId}/revisions?limit=0`)).status).toBe(400);
    const wrong = await anna.get(`${queues}/${queueId}/revisions?total=never`);
    expect(wrong.status).toBe(400);
    expect(wrong.body).toHaveProperty('errors.total', ['This must be true or false.']);
  });

  it('are seen by their user alone, and deleted by him', async () => {
    const { queueId } = await make({ revisionIds: ['1', '2'] });
    const path = `${queues}/${queueId}`;
    for (const answer of [
      await bert.get(path),
      await bert.get(`${path}/revisions`),
      await bert.patch(path, { position: 1 }),
      await bert.delete(path),
      await anna.get(`${queues}/x`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect(queuesAnswer.parse((await bert.get(queues)).body).queues).toEqual([]);
    expect((await anna.delete(path)).status).toBe(204);
    expect((await anna.get(path)).status).toBe(404);
  });

  it('are offered of all archives at once, as long as they are not at their end', async () => {
    const other = await buildArchive(t.database, [{ name: 'NO' }]);
    await buildRecords(t.database, other, [['1'], ['2'], ['3']]);
    const username = 'carla';
    const { id } = await buildUser(t.database, {
      username,
      rights: [rightOn(archive, 'read'), rightOn(other, 'write')],
    });
    const carla = await t.signedIn(username);
    const offered = async () =>
      openQueuesAnswer.parse((await carla.get('application/queues')).body).queues;
    expect(await offered()).toEqual([]);
    const there = `${archivePath(other)}/queues`;
    const first = one(await carla.post(queues, { revisionIds: ['5', '6'] }));
    const second = one(await carla.post(there, { name: 'Letters', filter: '' }));
    await carla.patch(`${there}/${second.queueId}`, { position: 2 });
    expect(await offered()).toMatchObject([
      { archive: other.name, queueId: second.queueId, name: 'Letters', position: 2, total: 3 },
      { archive: archive.name, queueId: first.queueId, name: '', position: 0, total: 2 },
    ]);
    await carla.patch(`${there}/${second.queueId}`, { position: 3 });
    expect((await offered()).map(({ queueId }) => queueId)).toEqual([first.queueId]);
    await t.database.write((db) =>
      db.k
        .deleteFrom('user_rights')
        .where('user_id', '=', id)
        .where('thing_id', '=', archive.id)
        .execute(),
    );
    expect(await offered()).toEqual([]);
    expect((await bert.get('application/queues?x=1')).status).toBe(400);
  });

  it('keep fifty, last used first; the finished go first', { tags: ['slow'] }, async () => {
    // Others may have deleted any of them in the tests before.
    const { revisionIds } = revisionIdsAnswer.parse((await anna.get(ids)).body);
    const [first = '', second = ''] = revisionIds;
    const kept = await make({ name: 'unfinished', revisionIds: [first, second] });
    const finished = await make({ name: 'finished', revisionIds: [first, second] });
    await anna.patch(`${queues}/${finished.queueId}`, { position: 2 });
    for (let i = 0; i < 49; i++) await make({ revisionIds: [first] });
    const listed = queuesAnswer.parse((await anna.get(queues)).body).queues;
    expect(listed).toHaveLength(50);
    expect(listed.map(({ queueId }) => queueId)).not.toContain(finished.queueId);
    expect(listed.map(({ queueId }) => queueId)).toContain(kept.queueId);
    await anna.patch(`${queues}/${kept.queueId}`, { position: 1 });
    expect(one(await anna.get(queues)).queueId).toBe(kept.queueId);
  });
});
