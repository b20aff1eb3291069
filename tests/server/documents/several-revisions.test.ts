import * as z from 'zod';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { historyAnswer, revisionsAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const RECORDS = 10_001;

describeOnOneDatabase('index data of several revisions', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  let all: string;
  let next = 1;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(
      t.database,
      [
        { name: 'NO', required: true },
        { name: 'AMOUNT', type: 'decimal' },
      ],
      ['SUBJECT'],
    );
    await buildRecords(
      t.database,
      archive,
      Array.from({ length: RECORDS }, (_, i) => [`R-${i + 1}`, 1]),
    );
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    await buildUser(t.database, { username: 'other', rights: [rightOn(archive, 'write')] });
    clerk = await t.signedIn('clerk');
    all = `${archivePath(archive)}/indexdata`;
  });
  const fresh = () => next++;
  const amount = (value: unknown) => [{ name: 'AMOUNT', value }];
  const one = (id: string) => `${archivePath(archive)}/documents/${id}`;
  const stateOf = async (id: number | string) => (await clerk.get(one(String(id)))).body;
  const refused = (body: unknown) => {
    const { code, errors } = errorBodySchema.parse(body);
    return [code, Object.keys(errors).sort()];
  };

  it('PATCH and PUT answer in the order of the request, ids as text, with the tags beside', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()];
    const patched = await clerk.patch(all, {
      revisions: [
        { revisionId: c, indexFields: amount(7) },
        { revisionId: String(a), indexFields: amount('8.5') },
        { revisionId: b, indexFields: amount(1) },
      ],
    });
    expect(patched.status).toBe(200);
    const shown = (id: number, no: string, value: number | null, keywords: string[] = []) => ({
      revisionId: String(id),
      indexFields: [
        { name: 'NO', value: no },
        { name: 'AMOUNT', value },
      ],
      keywordFields: keywords.map((keyword) => ({ name: 'SUBJECT', value: keyword })),
    });
    const { archivedocumentrevisions, meta } = z
      .strictObject(revisionsAnswer.shape)
      .parse(patched.body);
    expect(JSON.stringify(archivedocumentrevisions)).toBe(
      JSON.stringify([shown(c, `R-${c}`, 7), shown(a, `R-${a}`, 8.5), shown(b, `R-${b}`, 1)]),
    );
    for (const id of [a, b, c]) {
      expect(meta?.etags?.[id]).toBe((await clerk.get(one(String(id)))).headers['etag']);
    }

    const put = await clerk.put(all, {
      revisions: [a, b].map((id) => ({
        revisionId: id,
        indexFields: [{ name: 'no', value: `n${id}` }, ...amount(null)],
        keywordFields: [{ name: 'SUBJECT', keywords: 'x,y' }],
      })),
    });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({
      archivedocumentrevisions: [
        shown(a, `n${a}`, null, ['x', 'y']),
        shown(b, `n${b}`, null, ['x', 'y']),
      ],
    });
  });

  it('a PATCH may carry keyword fields alone, a PUT not', async () => {
    const id = fresh();
    const body = {
      revisions: [{ revisionId: id, keywordFields: [{ name: 'SUBJECT', value: 'k' }] }],
    };
    expect((await clerk.patch(all, body)).status).toBe(200);
    const put = await clerk.put(all, body);
    expect([put.status, refused(put.body)]).toEqual([
      422,
      [
        'validation_failed',
        [`revisions.${id}.indexFields.AMOUNT`, `revisions.${id}.indexFields.NO`],
      ],
    ]);
  });

  it('changes all or none', async () => {
    const [a, b] = [fresh(), fresh()];
    const before = [await stateOf(a), await stateOf(b)];
    const answer = await clerk.patch(all, {
      revisions: [
        { revisionId: a, indexFields: amount(5) },
        { revisionId: b, indexFields: amount('much') },
      ],
    });
    expect(refused(answer.body)).toEqual([
      'validation_failed',
      [`revisions.${b}.indexFields.AMOUNT`],
    ]);
    expect([await stateOf(a), await stateOf(b)]).toEqual(before);
    expect(
      historyAnswer.parse((await clerk.get(`${one(String(a))}/history`)).body).history,
    ).toEqual([]);
  });

  it('refuses a revision named twice, an unknown one, none, and entries of another shape', async () => {
    const id = fresh();
    const entry = { revisionId: id, indexFields: amount(5) };
    const twice = await clerk.patch(all, {
      revisions: [entry, { ...entry, revisionId: String(id) }],
    });
    expect([twice.status, refused(twice.body)]).toEqual([
      422,
      ['validation_failed', [`revisions.${id}`]],
    ]);
    const unknown = await clerk.patch(all, {
      revisions: [entry, { ...entry, revisionId: 77_777 }, { ...entry, revisionId: '88888' }],
    });
    expect([unknown.status, refused(unknown.body)]).toEqual([
      404,
      ['not_found', ['revisions.77777', 'revisions.88888']],
    ]);
    const empty = await clerk.patch(all, {
      revisions: [entry, { revisionId: fresh(), indexFields: [] }],
    });
    expect([empty.status, refused(empty.body)]).toEqual([
      422,
      ['validation_failed', [`revisions.${id + 1}`]],
    ]);
    for (const body of [
      {},
      { revisions: [] },
      { revisions: {} },
      { revisions: [entry], more: 1 },
      { revisions: [{ ...entry, more: 1 }] },
      { revisions: [{ indexFields: amount(1) }] },
      ...[0, -1, 1.5, '1.5', '', 'abc', null, true, 1e20].map((revisionId) => ({
        revisions: [{ ...entry, revisionId }],
      })),
      { revisions: [{ ...entry, ifMatch: 1 }] },
    ]) {
      const answer = await clerk.patch(all, body);
      expect([body, answer.status, ...refused(answer.body)]).toEqual([
        body,
        422,
        'validation_failed',
        ['-'],
      ]);
    }
  });

  it('takes 10,000 revisions in one call and not one more', { tags: ['long'] }, async () => {
    const revisions = Array.from({ length: RECORDS }, (_, i) => ({
      revisionId: i + 1,
      indexFields: amount(i + 2),
    }));
    const tooMany = await clerk.patch(all, { revisions });
    expect([tooMany.status, refused(tooMany.body)]).toEqual([422, ['validation_failed', ['-']]]);
    expect(tooMany.text).toContain('10000');
    const answer = await clerk.patch(all, { revisions: revisions.slice(1) });
    expect(answer.status).toBe(200);
    const { archivedocumentrevisions } = revisionsAnswer.parse(answer.body);
    expect(archivedocumentrevisions).toHaveLength(10_000);
    expect(archivedocumentrevisions.at(-1)).toMatchObject({
      revisionId: '10001',
      indexFields: [{}, { name: 'AMOUNT', value: 10_002 }],
    });
    expect(
      (await clerk.get(`${archivePath(archive)}/index/count?where[AMOUNT][gt]=2`)).body,
    ).toEqual({
      count: 10_000,
    });
  });

  describe('where causes mix', () => {
    it('the first of 404, 423, 412 and 422 sets the status and all are told', async () => {
      const [locked, stale, invalid] = [fresh(), fresh(), fresh()];
      const other = await t.signedIn('other');
      expect((await other.patch(one(String(locked)), { locked: true })).status).toBe(200);
      const causes = [
        ['not_found', 404, { revisionId: 99_999, indexFields: amount(1) }, 'revisions.99999'],
        ['locked', 423, { revisionId: locked, indexFields: amount(1) }, `revisions.${locked}`],
        [
          'changed_meanwhile',
          412,
          { revisionId: stale, indexFields: amount(1), ifMatch: '"0"' },
          `revisions.${stale}`,
        ],
        [
          'validation_failed',
          422,
          { revisionId: invalid, indexFields: amount('x') },
          `revisions.${invalid}.indexFields.AMOUNT`,
        ],
      ] as const;
      for (let first = 0; first < causes.length; first++) {
        // Backwards, so that the order of the entries does not decide.
        const mixed = causes.slice(first).toReversed();
        const answer = await clerk.patch(all, { revisions: mixed.map(([, , entry]) => entry) });
        const [code, status] = causes[first] ?? [];
        expect([answer.status, refused(answer.body)]).toEqual([
          status,
          [code, mixed.map(([, , , place]) => place).sort()],
        ]);
      }
    });

    it('one revision may have several', async () => {
      const id = fresh();
      const other = await t.signedIn('other');
      await other.patch(one(String(id)), { locked: true });
      const answer = await clerk.patch(all, {
        revisions: [{ revisionId: id, indexFields: amount('x'), ifMatch: '"0"' }],
      });
      expect(answer.status).toBe(423);
      const { errors } = errorBodySchema.parse(answer.body);
      expect(errors[`revisions.${id}`]).toHaveLength(2);
      expect(errors[`revisions.${id}.indexFields.AMOUNT`]).toHaveLength(1);
    });
  });

  describe('versions', () => {
    const put = (value: number) => ({ indexFields: amount(value) });

    it('are those of the header for entries that name none', async () => {
      const [id, other] = [fresh(), fresh()];
      const entry = { revisionId: id, indexFields: amount(3) };
      const revisions = [entry, { ...entry, revisionId: other, ifMatch: '*' }];
      const send = (ifMatch: string) =>
        clerk.patch(all, { revisions }, { headers: { 'if-match': ifMatch } });
      const stale = await send('"0"');
      expect(stale.status).toBe(412);
      const { errors } = errorBodySchema.parse(stale.body);
      expect(Object.keys(errors)).toEqual([`revisions.${id}`]);
      const tag = String((await clerk.get(one(String(id)))).headers['etag']);
      expect((await send(`"0", ${tag}`)).status).toBe(200);
    });

    it('a stale If-Match of one revision is 412 with the current object', async () => {
      const id = String(fresh());
      const before = await clerk.get(one(id));
      const tag = String(before.headers['etag']);
      const first = await clerk.patch(`${one(id)}/indexdata`, put(20), {
        headers: { 'if-match': tag },
      });
      expect(first.status).toBe(200);
      const stale = await clerk.patch(`${one(id)}/indexdata`, put(21), {
        headers: { 'if-match': tag },
      });
      expect(stale.status).toBe(412);
      const { code, errors, current } = errorBodySchema.parse(stale.body);
      expect([code, Object.keys(errors)]).toEqual(['changed_meanwhile', ['-']]);
      expect(errors['-']?.[0]).toContain('clerk');
      const [now] = revisionsAnswer.parse(first.body).archivedocumentrevisions;
      expect(current).toEqual(now);
      expect(await stateOf(id)).toMatchObject({ archivedocumentrevisions: [now] });
    });

    it('compares strongly, takes lists and the star', async () => {
      const id = String(fresh());
      const tag = String((await clerk.get(one(id))).headers['etag']);
      const statuses: number[] = [];
      for (const ifMatch of [`W/${tag}`, tag.replaceAll('"', ''), '""', `"x", W/${tag}`]) {
        statuses.push(
          (await clerk.patch(`${one(id)}/indexdata`, put(30), { headers: { 'if-match': ifMatch } }))
            .status,
        );
      }
      expect(statuses).toEqual([412, 412, 412, 412]);
      for (const [i, ifMatch] of [`"x" ,${tag}`, '*'].entries()) {
        const answer = await clerk.patch(`${one(id)}/indexdata`, put(40 + i), {
          headers: { 'if-match': ifMatch },
        });
        expect(answer.status).toBe(200);
      }
      const unknown = await clerk.patch(`${one('99999')}/indexdata`, put(1), {
        headers: { 'if-match': '*' },
      });
      expect(unknown.status).toBe(404);
    });

    it('an entry of a batch may carry its own; the current objects come by id', async () => {
      const [a, b, c] = [fresh(), fresh(), fresh()];
      const entries = (ifMatch: string) =>
        [a, b, c].map((revisionId) => ({ revisionId, indexFields: amount(50), ifMatch }));
      const stale = await clerk.patch(all, {
        revisions: [...entries('"0"').slice(0, 2), ...entries('*').slice(2)],
      });
      expect(stale.status).toBe(412);
      const { errors, current } = errorBodySchema.parse(stale.body);
      expect(Object.keys(errors).sort()).toEqual([`revisions.${a}`, `revisions.${b}`].sort());
      expect(current).toMatchObject({
        [a]: { revisionId: String(a) },
        [b]: { revisionId: String(b) },
      });
      expect(Object.keys(Object(current))).toHaveLength(2);
      expect((await clerk.patch(all, { revisions: entries('*') })).status).toBe(200);
    });

    it('without one the last write wins, field by field', async () => {
      const id = String(fresh());
      await clerk.patch(`${one(id)}/indexdata`, put(60));
      await clerk.patch(`${one(id)}/indexdata`, { indexFields: [{ name: 'NO', value: 'last' }] });
      expect(await stateOf(id)).toMatchObject({
        archivedocumentrevisions: [{ indexFields: [{ value: 'last' }, { value: 60 }] }],
      });
    });
  });
});
