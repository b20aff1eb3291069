import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import {
  datasetsAnswer,
  documentsAnswer,
  historyAnswer,
  revisionDetailAnswer,
} from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import type { TestDatabases } from '#tests/support/databases.ts';
import { IS_LONG_RUN, repeated } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';

/** More than there are connections by default; a long run tries twice as many. */
export const MANY = IS_LONG_RUN ? 32 : 16;
const numbers = Array.from({ length: MANY }, (_, i) => i + 1);

/** What must hold of writes that come at the same time. */
export function writesAtOnce(open: TestDatabases['open'], { dialect }: TestDatabases): void {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let admin: TestClient;
  /** how often work of a write was run again */
  let repeats = 0;
  beforeAll(async () => {
    t = await openApp(async () => {
      const database = await open();
      return wrapDatabase(database, {
        write: (work, options) => {
          let runs = 0;
          return database.write((db) => {
            repeats += Math.min(runs++, 1);
            return work(db);
          }, options);
        },
      });
    });
    archive = await buildArchive(
      t.database,
      [{ name: 'TEXT' }, ...numbers.map((i) => ({ name: `N${i}`, type: 'integer' }))],
      ['SUBJECT'],
    );
    await buildRecords(
      t.database,
      archive,
      numbers.map(() => []),
    );
    table = await buildTable(t.database, [
      { name: 'no', unique: true },
      { name: 'at', type: 'datetime', unique: true },
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    // A pooler that keeps no prepared statements is found out by the first that are lost.
    await Promise.all([...numbers, ...numbers, ...numbers].map((i) => admin.get(revision(i))));
    // Statistics of the empty table would have its few rows read one after the other.
    if (dialect === 'postgres') await t.database.write((db) => sql`analyze`.execute(db.k));
  });
  const revision = (id: number) => `${archivePath(archive)}/documents/${id}`;
  const statuses = (answers: readonly { readonly status: number }[]) => [
    ...new Set(answers.map(({ status }) => status)),
  ];
  it('of different revisions are all kept', async () => {
    const before = repeats;
    const rounds = repeated(1) + 1;
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(
        numbers.map((i) =>
          admin.patch(`${revision(i)}/indexdata`, {
            indexFields: [{ name: 'TEXT', value: `${round} ${i}` }],
            keywordFields: [{ name: 'SUBJECT', value: `k${i}` }],
          }),
        ),
      );
      expect(statuses(answers)).toEqual([200]);
    }
    // None was in another's way.
    expect(repeats).toBe(before);
    for (const i of numbers) {
      expect((await admin.get(revision(i))).body).toMatchObject({
        archivedocumentrevisions: [
          { indexFields: expect.arrayContaining([{ name: 'TEXT', value: `${rounds - 1} ${i}` }]) },
        ],
      });
    }
  });

  it('of one revision are all kept, field by field, each with its version', async () => {
    const answers = await Promise.all(
      numbers.map((i) =>
        admin.patch(`${revision(1)}/indexdata`, { indexFields: [{ name: `N${i}`, value: i }] }),
      ),
    );
    expect(statuses(answers)).toEqual([200]);
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(MANY);
    const [now] = revisionDetailAnswer.parse(
      (await admin.get(revision(1))).body,
    ).archivedocumentrevisions;
    expect(now?.indexFields.slice(1)).toEqual(numbers.map((i) => ({ name: `N${i}`, value: i })));
    const { history } = historyAnswer.parse((await admin.get(`${revision(1)}/history`)).body);
    const written = history.filter(({ changes }) => changes[0]?.name.startsWith('N'));
    expect(written).toHaveLength(MANY);
  });

  it('with the same If-Match: one is done, the others are told', async () => {
    const tag = String((await admin.get(revision(2))).headers['etag']);
    const answers = await Promise.all(
      numbers.map((i) =>
        admin.patch(
          `${revision(2)}/indexdata`,
          { indexFields: [{ name: 'N1', value: i }] },
          { headers: { 'if-match': tag } },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(MANY - 1);
  });

  it('of overlapping batches do not wait for each other for ever', async () => {
    const answers = await Promise.all(
      numbers.map((i) =>
        admin.patch(`${archivePath(archive)}/indexdata`, {
          revisions: [3, 4, 5, 6, 7]
            .map((_, at, all) => all[(at + i) % all.length])
            .map((revisionId) => ({ revisionId, indexFields: [{ name: 'N2', value: i }] })),
        }),
      ),
    );
    expect(statuses(answers)).toEqual([200]);
    const values = [];
    for (const id of [3, 4, 5, 6, 7]) {
      const [now] = revisionDetailAnswer.parse(
        (await admin.get(revision(id))).body,
      ).archivedocumentrevisions;
      values.push(now?.indexFields.find(({ name }) => name === 'N2')?.value);
    }
    expect(new Set(values).size).toBe(1);
  });

  it('create datasets of different unique values', async () => {
    const before = repeats;
    const answers = await Promise.all(
      numbers.map((i) => admin.post(datasetsPath(table), { dataset: { no: `a${i}` } })),
    );
    expect(statuses(answers)).toEqual([200]);
    expect(repeats).toBe(before);
    const jrids = answers.map(({ body }) => datasetsAnswer.parse(body).datasets[0]?.jrid);
    expect(new Set(jrids).size).toBe(MANY);
    expect((await admin.get(`${datasetsPath(table)}/count`)).body).toEqual({ count: MANY });
  });

  it('create one dataset of a unique value, and tell the others who has it', async () => {
    for (const dataset of [{ no: 'same' }, { at: '2024-01-01T00:00:00Z' }]) {
      const answers = await Promise.all(
        numbers.map(() => admin.post(datasetsPath(table), { dataset })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200);
      expect(statuses(others)).toEqual([409]);
      expect(others[0]?.body).toMatchObject({
        code: 'conflict',
        errors: { [`dataset.${Object.keys(dataset)[0]}`]: [expect.any(String)] },
      });
    }
  });

  it('delete a dataset once', async () => {
    const created = await admin.post(datasetsPath(table), { dataset: { no: 'to be deleted' } });
    const jrid = datasetsAnswer.parse(created.body).datasets[0]?.jrid;
    const deleted = await Promise.all(
      numbers.map(() => admin.delete(datasetsPath(table), { datasets: [{ jrid }] })),
    );
    expect(deleted.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(deleted.filter(({ status }) => status === 404)).toHaveLength(MANY - 1);
    const history = historyAnswer.parse(
      (await admin.get(`${datasetsPath(table)}/${jrid}/history`)).body,
    ).history;
    expect(history).toHaveLength(2);
    const undone = await Promise.all(
      numbers.map(() =>
        admin.post(`${datasetsPath(table)}/undo`, { historyIds: [history[0]?.historyId] }),
      ),
    );
    expect(undone.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(undone.filter(({ status }) => status === 412)).toHaveLength(MANY - 1);
  });

  it('give new revisions of one document numbers of their own', async () => {
    const answers = await Promise.all(
      numbers.map((i) => {
        const { body, headers } = formOf([
          ['indexFields[0][name]', 'N3'],
          ['indexFields[0][value]', String(i)],
        ]);
        return admin.post(revision(8), body, { headers });
      }),
    );
    expect(statuses(answers)).toEqual([201]);
    const { body } = await admin.get(`${archivePath(archive)}/documents?where[N3][null]=false`);
    const found = documentsAnswer
      .parse(body)
      .archivedocuments.filter(({ documentId }) => documentId === '8');
    expect(found.map(({ revision: number }) => number).sort((a, b) => a - b)).toEqual(
      numbers.map((i) => i + 1),
    );
  });
}
