import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { datasetsAnswer, historyAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { repeated } from '#tests/support/effort.ts';

describeOnOneDatabase('undo', (open) => {
  let t: TestApp;
  let table: Table;
  let other: Table;
  let anna: TestClient;
  let bert: TestClient;
  let all: string;
  beforeAll(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [
      { name: 'text' },
      { name: 'n', type: 'decimal', scale: 14 },
      { name: 'at', type: 'datetime' },
      { name: 'yes', type: 'boolean' },
      { name: 'no', unique: true },
    ]);
    other = await buildTable(t.database, [{ name: 'text' }]);
    await buildUser(t.database, {
      username: 'anna',
      rights: [rightOn(table, 'manage'), rightOn(other, 'manage')],
    });
    await buildUser(t.database, { username: 'bert', rights: [rightOn(table, 'write')] });
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
    all = datasetsPath(table);
  });
  const create = async (dataset: object, by = anna, at = all) => {
    const [created] = datasetsAnswer.parse((await by.post(at, { dataset })).body).datasets;
    if (!created) throw new Error('Not created');
    return created;
  };
  const change = async (jrid: string, dataset: object, by = anna) => {
    expect((await by.put(`${all}/${jrid}`, { dataset })).status).toBe(200);
  };
  const remove = async (...jrids: string[]) => {
    expect((await anna.delete(all, { datasets: jrids.map((jrid) => ({ jrid })) })).status).toBe(
      204,
    );
  };
  /** newest first */
  const history = async (jrid: string, at = all) =>
    historyAnswer.parse((await anna.get(`${at}/${jrid}/history`)).body).history;
  const ids = async (jrid: string, at = all) =>
    (await history(jrid, at)).map(({ historyId }) => historyId);
  const undo = (historyIds: unknown, by = anna, at = all) => by.post(`${at}/undo`, { historyIds });
  const told = (body: unknown) => Object.keys(errorBodySchema.parse(body).errors);

  it('takes back a batch of creations by the ids that its answer tells', async () => {
    const sent = [{ text: 'one' }, { text: 'two' }];
    const { body } = await bert.post(all, { datasets: sent });
    const { datasets, meta } = datasetsAnswer.parse(body);
    const told = datasets.map(({ jrid }) => meta?.historyIds?.[jrid]);
    expect(told).toEqual(await Promise.all(datasets.map(async ({ jrid }) => (await ids(jrid))[0])));
    expect((await undo(told, bert)).status).toBe(200);
    expect((await bert.get(`${all}/${datasets[0]?.jrid}`)).status).toBe(404);
  });

  it('takes back a batch of changes by the ids that its answer tells, none of what stayed as it was', async () => {
    const [one, two] = [await create({ text: 'one' }), await create({ text: 'two' })];
    const { body } = await anna.put(all, {
      datasets: [
        { jrid: one.jrid, text: 'changed' },
        { jrid: two.jrid, text: 'two' },
      ],
    });
    const { meta } = datasetsAnswer.parse(body);
    const [newest] = await ids(one.jrid);
    expect(meta?.historyIds).toEqual({ [one.jrid]: newest });
    expect((await undo([newest])).status).toBe(200);
    expect((await anna.get(`${all}/${one.jrid}`)).body).toEqual({
      datasets: [one],
      meta: { findings: [] },
    });
  });

  it('of two equal calls at the same time tells one alone what to take back', async () => {
    const tabs = [anna, await t.signedIn('anna')];
    const dataset = await create({ text: 'first' });
    const rounds = repeated(10);
    for (let round = 0; round < rounds; round += 1) {
      const body = { datasets: [{ jrid: dataset.jrid, text: `round ${round}` }] };
      const answers = await Promise.all(tabs.map((tab) => tab.put(all, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const told = answers.map((answer) => datasetsAnswer.parse(answer.body).meta?.historyIds);
      const [newest] = await ids(dataset.jrid);
      expect(told.filter((one) => one?.[dataset.jrid] === newest)).toHaveLength(1);
      expect(told).toContainEqual({});
    }
    expect(await history(dataset.jrid)).toHaveLength(rounds + 1);
  });

  it('of a deletion and its own undo together changes nothing, and leaves what can be taken back', async () => {
    const dataset = await create({ text: 'kept' });
    await remove(dataset.jrid);
    const [deletion] = await ids(dataset.jrid);
    expect((await undo([deletion])).status).toBe(200);
    const before = await ids(dataset.jrid);
    const [restoring] = before;
    const answer = await undo([restoring, deletion]);
    expect([answer.status, answer.body]).toEqual([
      200,
      { datasets: [dataset], meta: expect.anything() },
    ]);
    expect(await ids(dataset.jrid)).toEqual(before);
    expect((await undo([restoring])).status).toBe(200);
    expect((await anna.get(`${all}/${dataset.jrid}`)).status).toBe(404);
  });

  it('takes back a change, with a history entry and a version of its own', async () => {
    const before = await create({
      text: 'Ä\r\n',
      n: 1e-14,
      at: '2024-01-01T00:00:00.120+01:00',
      yes: false,
    });
    await change(before.jrid, { text: '', n: 2, at: null, yes: true });
    const answer = await undo(await ids(before.jrid).then(([last]) => [last]));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        datasets: [before],
        meta: {
          etags: { [before.jrid]: expect.any(String) },
          findings: { [before.jrid]: [] },
        },
      },
    ]);
    const read = await anna.get(`${all}/${before.jrid}`);
    expect(read.body).toEqual({ datasets: [before], meta: { findings: [] } });
    expect(answer.body).toMatchObject({ meta: { etags: { [before.jrid]: read.headers['etag'] } } });
    const [entry, ...older] = await history(before.jrid);
    expect(entry).toMatchObject({
      user: 'anna',
      call: 'POST application/dataapp/tables/:guid/datasets/undo',
      changes: [
        { name: 'text', before: '', after: 'Ä\r\n' },
        { name: 'n', before: 2, after: 1e-14 },
        { name: 'at', before: null, after: '2024-01-01T00:00:00.120+01:00' },
        { name: 'yes', before: true, after: false },
      ],
    });
    expect(older).toHaveLength(2);
  });

  it('takes back a creation, and that again', async () => {
    const dataset = await create({ text: 'new' });
    const created = await undo(await ids(dataset.jrid));
    expect([created.status, created.body]).toEqual([
      200,
      { datasets: [], meta: { etags: {}, findings: {} } },
    ]);
    expect((await anna.get(`${all}/${dataset.jrid}`)).status).toBe(404);
    // Newest: the taking back.
    const again = await undo((await ids(dataset.jrid)).slice(0, 1));
    expect(again.body).toMatchObject({ datasets: [dataset] });
    const third = await undo((await ids(dataset.jrid)).slice(0, 1));
    expect([third.status, third.body]).toMatchObject([200, { datasets: [] }]);
  });

  it('brings back what was deleted under its jrid, with an ETag that was never there', async () => {
    const dataset = await create({ text: 'kept', n: 3 });
    await change(dataset.jrid, { n: 4 });
    const tags = [String((await anna.get(`${all}/${dataset.jrid}`)).headers['etag'])];
    await remove(dataset.jrid);
    const answer = await undo((await ids(dataset.jrid)).slice(0, 1));
    expect(answer.body).toMatchObject({ datasets: [{ ...dataset, n: 4 }] });
    const read = await anna.get(`${all}/${dataset.jrid}`);
    expect(tags).not.toContain(read.headers['etag']);
    const stale = await anna.put(
      `${all}/${dataset.jrid}`,
      { dataset: { n: 5 } },
      { headers: { 'if-match': tags[0] ?? '' } },
    );
    expect(stale.status).toBe(412);
    // Found again by search and filter as well.
    expect((await anna.get(`${all}/ids?q=kept&where[n][eq]=4`)).body).toMatchObject({
      jrids: [dataset.jrid],
    });
  });

  it('takes back several of one dataset and of several datasets at once, all or none', async () => {
    const [a, b] = [await create({ text: 'a' }), await create({ text: 'b' })];
    await change(a.jrid, { text: 'a2' });
    await change(a.jrid, { text: 'a3' });
    await remove(b.jrid);
    const [third, second] = await ids(a.jrid);
    const [removal] = await ids(b.jrid);
    // The older one alone has something after it.
    const alone = await undo([removal, second]);
    expect([alone.status, told(alone.body)]).toEqual([412, ['datasets.1']]);
    expect(alone.body).toMatchObject({
      code: 'changed_meanwhile',
      errors: { 'datasets.1': [expect.stringMatching(/by anna at \d{4}-/)] },
      current: { [a.jrid]: { text: 'a3' } },
    });
    expect((await anna.get(`${all}/${b.jrid}`)).status).toBe(404);
    const together = await undo([second, removal, third, second]);
    expect(together.body).toMatchObject({ datasets: [a, b] });
  });

  it('refuses where somebody came after, naming who', async () => {
    const dataset = await create({ text: 'mine' });
    await change(dataset.jrid, { text: 'still mine' });
    const [mine] = await ids(dataset.jrid);
    await change(dataset.jrid, { n: 1 }, bert);
    const answer = await undo([mine]);
    expect([answer.status, answer.body]).toMatchObject([
      412,
      { errors: { 'datasets.0': [expect.stringContaining('bert')] } },
    ]);
    const [last] = await history(dataset.jrid);
    expect(errorBodySchema.parse(answer.body).errors['datasets.0']?.[0]).toContain(last?.at);
  });

  it("is for one's own, with `write`; for deletions with `manage`", async () => {
    const dataset = await create({ text: 'of bert' }, bert);
    const created = await ids(dataset.jrid);
    expect((await undo(created, anna)).status).toBe(403);
    await change(dataset.jrid, { text: 'changed' }, bert);
    expect((await undo((await ids(dataset.jrid)).slice(0, 1), bert)).status).toBe(200);
    const removed = await create({ text: 'of anna' });
    await remove(removed.jrid);
    expect((await undo((await ids(removed.jrid)).slice(0, 1), bert)).status).toBe(403);
    // Bert takes back his creation; to have it back he would need `manage`.
    const own = await create({ text: 'own' }, bert);
    expect((await undo(await ids(own.jrid), bert)).status).toBe(200);
    expect((await undo((await ids(own.jrid)).slice(0, 1), bert)).status).toBe(403);
  });

  it('finds entries of this table alone', async () => {
    const foreign = await create({ text: 'x' }, anna, datasetsPath(other));
    const [id] = await ids(foreign.jrid, datasetsPath(other));
    const own = await ids((await create({ text: 'y' })).jrid);
    for (const list of [[id], [999_999], [...own, id]]) {
      const answer = await undo(list);
      expect([answer.status, answer.body]).toMatchObject([404, { code: 'not_found' }]);
    }
    for (const body of [[], {}, 'x', ['x'], [0], [-1], [null], [1.5]]) {
      expect((await undo(body)).status).toBe(422);
    }
    expect((await anna.post(`${all}/undo`, { historyIds: own, more: 1 })).status).toBe(422);
  });

  it('heeds unique columns, and that what it removes sets its values free', async () => {
    const first = await create({ no: 'U' });
    await remove(first.jrid);
    const [removal] = await ids(first.jrid);
    const second = await create({ no: 'U' });
    const taken = await undo([removal]);
    expect([taken.status, told(taken.body)]).toEqual([409, ['datasets.0.no']]);
    const [creation] = await ids(second.jrid);
    const both = await undo([creation, removal]);
    expect([both.status, both.body]).toMatchObject([200, { datasets: [first] }]);
  });

  it('takes back many at once', async () => {
    const created = datasetsAnswer.parse(
      (
        await anna.post(all, {
          datasets: Array.from({ length: repeated(800) }, (_, i) => ({ text: `t${i}` })),
        })
      ).body,
    ).datasets;
    const last = created.at(-1)?.jrid ?? '';
    await anna.put(all, { datasets: created.map(({ jrid }) => ({ jrid, n: 12_345 })) });
    const [change] = await ids(last);
    // Entries of one call follow each other.
    const historyIds = created.map((_, i) => Number(change) - i);
    const answer = await undo(historyIds);
    expect(answer.status).toBe(200);
    expect((await anna.get(`${all}/count?where[n][eq]=12345`)).body).toEqual({ count: 0 });
  });
});
