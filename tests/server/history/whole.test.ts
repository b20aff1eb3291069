/** @module-tag slow */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import {
  historyAnswer,
  revisionDetailAnswer,
  type HistoryEntry,
  type RevisionDetail,
} from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';

const FIELDS = [
  { name: 'T' },
  { name: 'I', type: 'integer' },
  { name: 'D', type: 'decimal', scale: 14 },
  { name: 'B', type: 'boolean' },
  { name: 'DAY', type: 'date' },
  { name: 'AT', type: 'datetime' },
];
const KEYWORDS = ['K', 'L'];

const VALUES: fc.Arbitrary<Scalar>[] = [
  fc.constantFrom('', ' a ', 'Ä\r\nb', '😀', null),
  fc.constantFrom(0, -5, 9_007_199_254_740_991, null),
  fc.constantFrom(0.1, -2.5, 1e-14, 123_456_789_012.345, null),
  fc.constantFrom(true, false, null),
  fc.constantFrom('2024-02-29', '0001-01-01', null),
  fc.constantFrom('2024-01-01T00:00:00Z', '2024-01-01T01:00:00.120+01:00', null),
];
const fields = fc
  .tuple(...VALUES.map((value) => fc.option(value, { nil: undefined })))
  .map((values) =>
    values.flatMap((value, i) =>
      value === undefined ? [] : [{ name: FIELDS[i]?.name ?? '', value }],
    ),
  );
const keywords = fc
  .subarray(KEYWORDS)
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({ name: fc.constant(name), keywords: fc.constantFrom('', 'x', 'x,y', 'y,x') }),
      ),
    ),
  );

type Operation =
  | {
      readonly kind: 'create' | 'revise' | 'patch';
      readonly fields: { name: string; value: Scalar }[];
      readonly keywords: { name: string; keywords: string }[];
      readonly pick: number;
    }
  | { readonly kind: 'lock' | 'unlock' | 'delete' | 'undo'; readonly pick: number };
const pick = fc.nat(1_000);
const writing = (kind: 'create' | 'revise' | 'patch') =>
  fc.record({ kind: fc.constant(kind), fields, keywords, pick });
const simple = (kind: 'lock' | 'unlock' | 'delete' | 'undo') =>
  fc.record({ kind: fc.constant(kind), pick });
const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: writing('create') },
    { weight: 2, arbitrary: writing('revise') },
    { weight: 5, arbitrary: writing('patch') },
    { weight: 1, arbitrary: simple('lock') },
    { weight: 1, arbitrary: simple('unlock') },
    { weight: 1, arbitrary: simple('delete') },
    { weight: 3, arbitrary: simple('undo') },
  ),
  { minLength: 60, maxLength: 60 },
);

/** What the entries say a record is, oldest first; null where it does not exist. Checks each against the one before. */
function rebuilt(history: readonly HistoryEntry[]): Map<string, unknown> | null {
  let state: Map<string, unknown> | null = null;
  for (const { changes } of history.toReversed()) {
    const before: ReadonlyMap<string, unknown> = state ?? new Map();
    const after = new Map(before);
    for (const change of changes) {
      const empty =
        change.name.startsWith('keyword.') || change.name === 'document.files' ? [] : null;
      expect(change.before).toEqual(before.get(change.name) ?? empty);
      expect(change.after).not.toEqual(change.before);
      after.set(change.name, change.after);
    }
    state = after;
  }
  return state;
}

/** A form takes numbers without an exponent. */
const plain = (value: Scalar) =>
  value === null ? '' : value === 1e-14 ? '0.00000000000001' : String(value);

const datasetsSchema = z.object({ datasets: z.array(z.record(z.string(), z.unknown())) });

describeOnOneDatabase('the history', (open) => {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, FIELDS, KEYWORDS);
    table = await buildTable(t.database, FIELDS);
    await buildUser(t.database, { rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')] });
    clerk = await t.signedIn('clerk');
  });
  const historyOf = async (path: string) =>
    historyAnswer.parse((await clerk.get(`${path}/history`)).body).history;

  it('rebuilds every revision, whatever was done', async () => {
    const documents = `${archivePath(archive)}/documents`;
    const ids: string[] = [];
    const run = async (operation: Operation) => {
      const id = ids[operation.pick % Math.max(1, ids.length)] ?? '0';
      switch (operation.kind) {
        case 'create':
        case 'revise': {
          const form = formOf([
            ...operation.fields.flatMap(({ name, value }, i) => [
              [`indexFields[${i}][name]`, name] as const,
              [`indexFields[${i}][value]`, plain(value)] as const,
            ]),
            ...operation.keywords.flatMap((keyword, i) => [
              [`keywordFields[${i}][name]`, keyword.name] as const,
              [`keywordFields[${i}][keywords]`, keyword.keywords] as const,
            ]),
            ...(operation.pick % 3 === 0
              ? [['files', { name: 'a.txt', bytes: 'a' }] as const]
              : []),
          ]);
          const path = operation.kind === 'create' ? documents : `${documents}/${id}`;
          const answer = await clerk.post(path, form.body, { headers: form.headers });
          if (answer.status === 201)
            ids.push(Object(answer.body).archivedocumentrevisions[0].revisionId);
          else expect(answer.status).toBe(404);
          return;
        }
        case 'patch':
          await clerk.patch(`${documents}/${id}/indexdata`, {
            ...(operation.fields.length > 0 ? { indexFields: operation.fields } : {}),
            keywordFields: operation.keywords,
          });
          return;
        case 'delete':
          await clerk.delete(`${documents}/${id}`);
          return;
        default:
          await clerk.patch(`${documents}/${id}`, { locked: operation.kind === 'lock' });
      }
    };
    for (const operation of fc
      .sample(operations, { numRuns: IS_LONG_RUN ? 20 : 1, seed: 7 })
      .flat())
      await run(operation);

    let deleted = 0;
    for (const id of ids) {
      const state = rebuilt(await historyOf(`${documents}/${id}`));
      const answer = await clerk.get(`${documents}/${id}`);
      if (answer.status === 404) {
        deleted += 1;
        for (const [name, value] of state ?? []) {
          if (name.startsWith('document.') && name !== 'document.files') continue;
          expect([name, value]).toEqual([name, name.includes('.') ? [] : null]);
        }
        continue;
      }
      const [revision] = revisionDetailAnswer.parse(answer.body).archivedocumentrevisions;
      expect(fromHistory(id, state)).toEqual(revision && comparable(revision));
    }
    expect(deleted).toBeGreaterThan(0);
    expect(ids.length).toBeGreaterThan(deleted);
  });

  const comparable = (revision: RevisionDetail) => ({
    indexFields: revision.indexFields,
    keywordFields: revision.keywordFields,
    documentId: revision.documentId,
    revision: revision.revision,
    locked: revision.locked,
    files: revision.files.map(({ name }) => name),
  });
  const fromHistory = (id: string, state: ReadonlyMap<string, unknown> | null) => ({
    indexFields: FIELDS.map(({ name }) => ({ name, value: state?.get(name) ?? null })),
    keywordFields: KEYWORDS.flatMap((name) =>
      z
        .array(z.string())
        .parse(state?.get(`keyword.${name}`) ?? [])
        .map((value) => ({ name, value })),
    ),
    documentId: state?.get('document.documentId') ?? id,
    revision: state?.get('document.revision') ?? 1,
    locked: state?.get('document.locked') ?? null,
    files: state?.get('document.files') ?? [],
  });

  it('rebuilds every dataset, whatever was done and undone', async () => {
    const datasets = datasetsPath(table);
    const jrids = new Set<string>();
    const run = async (operation: Operation) => {
      const all = [...jrids];
      const jrid = all[operation.pick % Math.max(1, all.length)] ?? '0';
      if (
        operation.kind === 'create' ||
        operation.kind === 'revise' ||
        operation.kind === 'patch'
      ) {
        const dataset = Object.fromEntries(
          operation.fields.map(({ name, value }) => [name, value]),
        );
        const answer =
          operation.kind === 'patch'
            ? await clerk.put(`${datasets}/${jrid}`, { dataset })
            : await clerk.post(datasets, { dataset });
        for (const { jrid: written } of datasetsSchema.safeParse(answer.body).data?.datasets ??
          []) {
          jrids.add(String(written));
        }
      } else if (operation.kind === 'undo') {
        const history = await historyOf(`${datasets}/${jrid}`).catch(() => []);
        const [last] = history;
        if (!last) return;
        const historyIds = history
          .slice(0, 1 + (operation.pick % 2))
          .map(({ historyId }) => historyId);
        expect((await clerk.post(`${datasets}/undo`, { historyIds })).status).toBe(200);
      } else await clerk.delete(datasets, { datasets: [{ jrid }] });
    };
    for (const operation of fc
      .sample(operations, { numRuns: IS_LONG_RUN ? 30 : 2, seed: 11 })
      .flat())
      await run(operation);

    let there = 0;
    for (const jrid of jrids) {
      const state = rebuilt(await historyOf(`${datasets}/${jrid}`));
      const answer = await clerk.get(`${datasets}/${jrid}`);
      const values = Object.fromEntries(FIELDS.map(({ name }) => [name, state?.get(name) ?? null]));
      if (answer.status === 200) {
        there += 1;
        expect(answer.body).toEqual({ datasets: [{ jrid, ...values }], meta: { findings: [] } });
      } else expect(Object.values(values)).toEqual(FIELDS.map(() => null));
    }
    expect(there).toBeGreaterThan(3);
    expect(jrids.size).toBeGreaterThan(there);
  });

  it('is what the records are, as a verification finds', async () => {
    const lines: string[] = [];
    const quiet = () => undefined;
    const report = { progress: quiet, info: quiet, fail: (line: string) => lines.push(line) };
    await verifyInstallation(
      t.database,
      t.config,
      openFileStore(t.config),
      { contents: true, deep: true, since: null },
      report,
    );
    expect(lines).toEqual([]);
  });

  it('is newest first, of the decided shape, and its ids ascend', async () => {
    const created = await clerk.post(datasetsPath(table), { dataset: { T: 'a' } });
    const path = `${datasetsPath(table)}/${Object(created.body).datasets[0].jrid}`;
    await clerk.put(path, { dataset: { T: 'b', I: 1 } });
    const answer = await clerk.get(`${path}/history`);
    expect(answer.body).toEqual({
      history: [
        {
          historyId: expect.stringMatching(/^[1-9][0-9]*$/),
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          user: 'clerk',
          call: 'PUT application/dataapp/tables/:guid/datasets/:jrid',
          changes: [
            { name: 'T', before: 'a', after: 'b' },
            { name: 'I', before: null, after: 1 },
          ],
        },
        {
          historyId: expect.any(String),
          at: expect.any(String),
          user: 'clerk',
          call: 'POST application/dataapp/tables/:guid/datasets',
          changes: [{ name: 'T', before: null, after: 'a' }],
        },
      ],
      meta: { displayNames: { clerk: 'A Clerk' } },
    });
    const { history } = historyAnswer.parse(answer.body);
    expect(Number(history[0]?.historyId)).toBeGreaterThan(Number(history[1]?.historyId));
    expect((await clerk.get(`${path}/history?limit=1`)).status).toBe(400);
  });

  it('cannot be changed, not even in the database', async () => {
    for (const work of [
      () => t.database.write((db) => db.k.updateTable('history').set({ username: 'x' }).execute()),
      () => t.database.write((db) => db.k.deleteFrom('history').execute()),
    ]) {
      await expect(work()).rejects.toThrow('append-only');
    }
  });
});
