/** @module-tag slow */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jobsAnswer, type AnsweredJob } from '#shared/contract/configuration-definitions.ts';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { readNewestHistoryId } from '#server/database/records/changed-records.ts';
import {
  insertDefinitionJob,
  readDefinitionJob,
  updateDefinitionJob,
} from '#server/modules/definition-jobs/job-rows.ts';
import { requestedDefinitions } from '#shared/contract/configuration-bodies.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { storeConverted } from '#server/database/records/converted-values.ts';
import { addFields, createIndex, orderIndex } from '#server/database/records/record-tables.ts';
import { changeRevision } from '#server/modules/documents/documents.service.ts';
import { parseJson } from '#shared/values/json.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  BUILDER,
  buildArchive,
  buildRecords,
  buildTable,
  buildWriter,
} from '#tests/support/builders.ts';
import { recordStatements } from '#tests/support/database-statements.ts';
import { describeOnOneDatabase, testDatabases } from '#tests/support/databases.ts';
import { holdSwitches, holdWrite, waitForBlocked } from '#tests/support/held-writes.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const NO = { name: 'NO', type: 'text' };
const TOTAL = { name: 'TOTAL', type: 'text' };

const expireAt = (db: Transaction, id: number, leaseUntil: number) =>
  db.k
    .updateTable('definition_jobs')
    .set({ lease_until: leaseUntil })
    .where('id', '=', id)
    .execute();

/**
 * A job of a process that was killed when it had begun: it makes TOTAL a number.
 * @param phase `walk`: the column of the numbers was added
 * @param table the name of the archive after it
 * @returns its id
 */
async function leaveJob(
  database: Database,
  archive: Archive,
  leaseUntil: number,
  phase: 'prepare' | 'walk' = 'prepare',
  table = archive.name,
): Promise<number> {
  const { id: collectionId, name } = archive;
  const sent = JSON.stringify({
    archives: [{ table, name, indexFields: [NO, { ...TOTAL, type: 'integer' }] }],
  });
  const [first] = requestedDefinitions.parse(parseJson(sent));
  if (!first) throw new Error('Nothing is wanted.');
  return database.write(async (db) => {
    const id = await insertDefinitionJob(db, {
      scope: 'archive',
      collectionId,
      phase,
      request: { kind: 'change', wanted: first.wanted, keepsMisfits: false, now: 1 },
      baseVersion: 1,
      actor: BUILDER,
      owner: 'killed',
    });
    if (phase === 'walk') {
      const [, total] = archive.fields;
      if (!total) throw new Error('A field is missing.');
      await addFields(db, archive, [{ ...total, type: 'integer', number: 3 }]);
    }
    await expireAt(db, id, leaseUntil);
    return id;
  });
}

/** Lets each part of a job that checks values fail. @returns ends this */
async function refuseWalks(database: Database): Promise<() => Promise<void>> {
  const when = `old.phase = 'walk' and new.phase = 'walk'`;
  const [on, off] = database.adapter.isShared
    ? [
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
          create trigger refuse before update on definition_jobs for each row when (${when}) execute function refuse()`,
        'drop function refuse() cascade',
      ]
    : [
        `create trigger refuse before update on definition_jobs when ${when} begin select raise(abort, 'refused'); end`,
        'drop trigger refuse',
      ];
  const execute = (statement: string) =>
    database.write(async (db) => {
      await sql.raw(statement).execute(db.k);
    });
  await execute(on);
  return () => execute(off);
}

describeOnOneDatabase('a job that changes a definition', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let built: Archive;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    t = await openApp(open);
    built = await buildArchive(t.database, [NO, TOTAL]);
    await buildRecords(
      t.database,
      built,
      Array.from({ length: 300 }, (_, i) => [`A-${i}`, String(i)]),
    );
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });

  /** A service that looks for jobs at once. */
  const startAnother = () => openApp(() => Promise.resolve(t.database));
  const job = async (id: number): Promise<AnsweredJob | undefined> =>
    jobsAnswer.parse((await admin.get(`configuration/jobs/${id}`)).body).jobs[0];
  const ended = async (id: number, state: string) => {
    await vi.waitFor(async () => expect(await job(id)).toMatchObject({ state }));
  };

  it('is continued by another process when its own was killed', async () => {
    const id = await leaveJob(t.database, built, 0);
    await startAnother();
    await ended(id, 'done');
    expect(await archive.values(8)).toEqual({ NO: 'A-7', TOTAL: 7 });
    expect((await archive.get()).version).toBe(2);
  });

  it('keeps other changes waiting, and is cancelled', async () => {
    const id = await leaveJob(t.database, built, Date.now() + 3_600_000);
    expect(await job(id)).toMatchObject({ kind: 'change', state: 'running', error: null });
    for (const answer of [await archive.put([NO]), await admin.delete(archive.path)]) {
      expect(answer).toMatchObject({
        status: 409,
        body: { details: [{ code: 'definitions.jobRunning', params: { job: id } }] },
      });
    }
    expect((await admin.delete(`configuration/jobs/${id}`)).status).toBe(204);
    await t.database.write((db) => expireAt(db, id, 0));
    await startAnother();
    await ended(id, 'cancelled');
    expect((await archive.get()).version).toBe(1);
    expect((await archive.put([NO, { ...TOTAL, type: 'integer' }])).status).toBe(200);
    expect((await admin.get('configuration/jobs/999')).status).toBe(404);
  });

  it.each(['prepare', 'walk'] as const)(
    'fails in the phase %s where its definition was changed meanwhile, and keeps no other change waiting',
    async (phase) => {
      const suppliers = await buildTable(t.database, [NO]);
      const optionsFrom = { table: suppliers.name, column: 'NO' };
      const invoices = await buildArchive(t.database, [{ ...NO, optionsFrom }, TOTAL]);
      await buildRecords(t.database, invoices, [['A-1', '7']]);
      archive = new ArchiveAdministration(admin, invoices.name);
      const id = await leaveJob(t.database, invoices, Date.now() + 3_600_000, phase);
      const table = {
        name: suppliers.name,
        columns: [{ ...NO, name: 'SNO', renamedFrom: 'NO' }],
      };
      const path = `configuration/tables/${suppliers.guid}`;
      const renamed = await admin.put(path, { table }, { headers: { 'if-match': '*' } });
      expect(renamed.status).toBe(200);
      expect(await archive.get()).toMatchObject({
        version: 2,
        indexFields: [{ optionsFrom: { column: 'SNO' } }, {}],
      });

      await t.database.write((db) => expireAt(db, id, 0));
      await startAnother();
      await ended(id, 'failed');
      expect(await job(id)).toMatchObject({ error: 'changed_meanwhile' });
      expect((await archive.put([NO, { ...TOTAL, type: 'integer' }])).status).toBe(200);
      expect(await archive.values(1)).toEqual({ NO: 'A-1', TOTAL: 7 });
    },
  );

  it('fails where another archive got its new name meanwhile', async () => {
    const later = Date.now() + 3_600_000;
    const id = await leaveJob(t.database, built, later, 'prepare', 'SOUGHT');
    const sought = { table: 'SOUGHT', name: 'Sought', indexFields: [NO] };
    const created = await admin.post('configuration/archives', { archive: sought });
    expect(created.status).toBe(201);
    await t.database.write((db) => expireAt(db, id, 0));
    await startAnother();
    await ended(id, 'failed');
    expect(await job(id)).toMatchObject({ error: 'conflict' });
    expect(await archive.get()).toMatchObject({ table: built.name, version: 1 });
    expect((await archive.put([NO, { ...TOTAL, type: 'integer' }])).status).toBe(200);
  });

  it('leaves nothing when it is stopped after too many failures', { tags: ['long'] }, async () => {
    const change = () => archive.put([NO, { ...TOTAL, type: 'integer' }]);
    const allow = await refuseWalks(t.database);
    const details = [{ code: 'definitions.jobFailed' }];
    expect(await change()).toMatchObject({ status: 503, body: { code: 'unavailable', details } });
    await allow();
    expect((await change()).status).toBe(200);
    expect(await archive.values(8)).toEqual({ NO: 'A-7', TOTAL: 7 });
  });

  it('removes the columns that one before could not remove', async () => {
    const id = await leaveJob(t.database, built, Date.now() + 3_600_000, 'walk');
    const columns = () =>
      t.database.read(async (db) =>
        (await db.adapter.tableColumns(db)).flatMap(({ table, column }) =>
          table === `archive_${built.id}` && /^f\d/.test(column) ? [column] : [],
        ),
      );
    await t.database.write(async (db) => {
      const [no] = built.fields;
      if (!no) throw new Error('A field is missing.');
      await addFields(db, built, [{ ...no, number: 4 }]);
      // As after too many failures.
      await updateDefinitionJob(db, id, { phase: 'cleanup', state: 'failed', error: 'internal' });
    });
    expect(await columns()).toEqual(expect.arrayContaining(['f3', 'f4', 'f4_fold']));
    const total = { ...TOTAL, type: 'decimal', scale: 2 };
    expect((await archive.put([NO, total])).status).toBe(200);
    expect(await archive.values(8)).toEqual({ NO: 'A-7', TOTAL: 7 });
    expect(await columns()).toEqual(expect.arrayContaining(['f3']));
    expect(await columns()).not.toEqual(expect.arrayContaining(['f4']));
    await admin.patch(`${archive.records}/documents/8/indexdata`, {
      indexFields: [{ name: 'NO', value: 'B' }],
    });
    expect(await archive.values(8)).toEqual({ NO: 'B', TOTAL: 7 });
  });

  it.each(['cancelled', 'failed'] as const)(
    'leaves no values to another field when it was %s, also if its process was killed meanwhile',
    async (state) => {
      const id = await leaveJob(t.database, built, Date.now() + 3_600_000, 'walk');
      const converted = [1, 8, 300].map((record) => ({ id: record, values: [record] }));
      await t.database.write(async (db) => {
        await storeConverted(db, built, [{ number: 3, type: 'integer' }], converted);
        if (state === 'failed') {
          const error = 'definition_conflict';
          await updateDefinitionJob(db, id, { phase: 'cleanup', error, position: 100 });
        }
      });
      if (state === 'cancelled') await admin.delete(`configuration/jobs/${id}`);
      await t.database.write((db) => expireAt(db, id, 0));
      await startAnother();
      await ended(id, state);
      const size = { name: 'SIZE', type: 'integer' };
      expect((await archive.put([NO, TOTAL, size])).status).toBe(200);
      for (const { id: record } of converted) {
        expect(await archive.values(record)).toMatchObject({ SIZE: null });
      }
    },
  );

  it('writes only the records whose values it converts', async () => {
    const recorded = recordStatements(await open());
    const other = await openApp(() => Promise.resolve(recorded.database));
    const sparse = await buildArchive(other.database, [NO, TOTAL]);
    await buildRecords(other.database, sparse, [
      ['A-1', null],
      ['A-2', '7'],
      ['A-3', null],
    ]);
    await buildUser(other.database, { username: 'admin', role: 'administrator' });
    const converted = new ArchiveAdministration(await other.signedIn('admin'), sparse.name);
    expect((await converted.put([NO, { ...TOTAL, type: 'integer' }])).status).toBe(200);
    const written = recorded.statements.filter(({ text }) =>
      text.startsWith(`update "archive_${sparse.id}" set "f3"`),
    );
    expect(written.map(({ parameters }) => parameters)).toEqual([[7, 2]]);
  });

  it('has what was written while it ran', async () => {
    const id = await leaveJob(t.database, built, Date.now() + 3_600_000);
    await t.database.write((db) => expireAt(db, id, 0));
    const writes = [];
    for (let i = 1; i <= 40; i++) {
      writes.push(
        admin.patch(`${archive.records}/documents/${i}/indexdata`, {
          indexFields: [{ name: 'TOTAL', value: String(1_000 + i) }],
        }),
      );
    }
    for (const { status } of await Promise.all(writes)) expect(status).toBe(200);
    await ended(id, 'done');
    for (const i of [1, 20, 40])
      expect(await archive.values(i)).toMatchObject({ TOTAL: 1_000 + i });
  });
});

describe('a job that changes an archive on SQLite', () => {
  const { open } = testDatabases('sqlite');

  it('drops no column, for which each record would be written, but keeps it for another field', async () => {
    const t = await openApp(open);
    const built = await buildArchive(t.database, [NO, TOTAL]);
    await buildRecords(t.database, built, [
      ['A-1', '7'],
      ['A-2', 'free'],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const archive = new ArchiveAdministration(admin, built.name);
    const columns = () =>
      t.database.read(async (db) =>
        (await db.adapter.tableColumns(db)).flatMap(({ table, column }) =>
          table === `archive_${built.id}` && !column.startsWith('_') ? [column] : [],
        ),
      );
    const number = { type: 'integer' };
    expect((await archive.put([NO, { ...TOTAL, ...number }])).status).toBe(409);
    expect(await columns()).toHaveLength(5);
    expect((await archive.put([NO, TOTAL, { name: 'SIZE', ...number }])).status).toBe(200);
    expect(await columns()).toEqual(['f1', 'f1_fold', 'f2', 'f2_fold', 'f3']);
    expect(await archive.values(1)).toEqual({ NO: 'A-1', TOTAL: '7', SIZE: null });

    expect((await archive.put([NO, TOTAL])).status).toBe(200);
    const purge = await admin.post(`${archive.path}/fields/SIZE/purge`, { confirm: 'SIZE' });
    expect(purge.status).toBe(204);
    expect((await archive.put([NO, TOTAL, { name: 'COUNT', ...number }])).status).toBe(200);
    expect(await columns()).toEqual(['f1', 'f1_fold', 'f2', 'f2_fold', 'f4']);
  });

  it('empties the columns that a change before could not remove, and keeps them for other fields', async () => {
    const { database, statements } = recordStatements(await open());
    const t = await openApp(() => Promise.resolve(database));
    const built = await buildArchive(database, [NO, TOTAL]);
    await buildRecords(database, built, [['A-1', '7']]);
    await buildUser(database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const archive = new ArchiveAdministration(admin, built.name);
    await database.write(async (db) => {
      const [no] = built.fields;
      if (!no) throw new Error('A field is missing.');
      const added = (['date', 'decimal', 'datetime'] as const).map((type, i) => ({
        ...no,
        type,
        number: 4 + i,
      }));
      await addFields(db, built, added);
      await sql`update ${sql.table(tableName(built))}
        set f4 = '2024-01-31', f5 = 1.5, f6 = '2024-01-31T00:00:00Z', f6_at = 1`.execute(db.k);
      const name = orderIndex(built, 4);
      await createIndex(db, built, { name, on: sql`(f4)`, where: sql`` });
    });
    const added = { SIZE: 'integer', PRICE: 'decimal', DAY: 'date' };
    const fields = Object.entries(added).map(([name, type]) => ({ name, type }));
    expect((await archive.put([NO, TOTAL, ...fields])).status).toBe(200);
    const rest = { NO: 'A-1', TOTAL: '7' };
    expect(await archive.values(1)).toEqual({ ...rest, SIZE: null, PRICE: null, DAY: null });
    const values = { SIZE: 3, PRICE: 2.5, DAY: '2024-02-29' };
    const indexFields = Object.entries(values).map(([name, value]) => ({ name, value }));
    await admin.patch(`${archive.records}/documents/1/indexdata`, { indexFields });
    expect(await archive.values(1)).toEqual({ ...rest, ...values });
    const texts = statements.map(({ text }) => text);
    expect(texts.filter((text) => text.includes('drop column'))).toEqual([]);
    expect(texts.filter((text) => text.includes('add column'))).toHaveLength(4);
  });

  it('creates the index of the new values while there are none', async () => {
    const t = await openApp(open);
    const built = await buildArchive(t.database, [NO, TOTAL]);
    await buildRecords(t.database, built, [['A-1', '7']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const archive = new ArchiveAdministration(await t.signedIn('admin'), built.name);
    // Refuses each part of the work that stores values without an index.
    const when = `old.phase = 'walk' and old.position <> new.position and not exists (
      select 1 from sqlite_schema where name = '${orderIndex(built, 3)}')`;
    const refuse = `create trigger refuse before update on definition_jobs when ${when}
      begin select raise(abort, 'There is no index.'); end`;
    await t.database.write((db) => sql.raw(refuse).execute(db.k));
    expect((await archive.put([NO, { ...TOTAL, type: 'integer' }])).status).toBe(200);
    expect(await archive.values(1)).toEqual({ NO: 'A-1', TOTAL: 7 });
  });
});

describe('a job that updates its row all the time', { tags: ['postgres'] }, () => {
  const { open } = testDatabases('postgres');

  it('can be cancelled', async () => {
    const t = await openApp(open);
    const archive = await buildArchive(t.database, [NO, TOTAL]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const id = await leaveJob(t.database, archive, Date.now() + 3_600_000);
    const work = { isDone: false };
    const update = async () => {
      while (!work.isDone) {
        await t.database.write(
          async (db) => {
            await updateDefinitionJob(db, id, { position: 1 });
            await sql`select pg_sleep(0.02)`.execute(db.k);
          },
          { isolation: 'read committed' },
        );
      }
    };
    const updates = [update(), update(), update()];
    const { status } = await admin.delete(`configuration/jobs/${id}`);
    work.isDone = true;
    await Promise.all(updates);
    expect(status).toBe(204);
    const job = await t.database.read((db) => readDefinitionJob(db, id));
    expect(job?.state).toBe('cancelling');
  });
});

describe('a job that converts a field', { tags: ['postgres'] }, () => {
  const { open } = testDatabases('postgres');

  it('names the new name that another archive got meanwhile', async () => {
    const t = await openApp(open);
    const built = await buildArchive(t.database, [NO, TOTAL]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const archive = new ArchiveAdministration(admin, built.name);
    const goOn = await holdSwitches(t.database);
    const renamed = archive.put([NO, { ...TOTAL, type: 'integer' }], { table: 'SOUGHT' });
    await waitForBlocked(t.database, 1);
    const sought = { table: 'SOUGHT', name: 'Sought', indexFields: [NO] };
    const created = await admin.post('configuration/archives', { archive: sought });
    await goOn();
    expect(created.status).toBe(201);
    expect(await renamed).toMatchObject({
      status: 409,
      body: { code: 'conflict', errors: { table: [expect.stringContaining('SOUGHT')] } },
    });
  });

  it('is refused with the check of another archive that looks up its values since it began', async () => {
    const t = await openApp(open);
    const table = await buildTable(t.database, [TOTAL], 'SIZES');
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const goOn = await holdSwitches(t.database);
    const converted = admin.put(
      `configuration/tables/${table.guid}`,
      { table: { name: 'SIZES', columns: [{ ...TOTAL, type: 'integer' }] } },
      { headers: { 'if-match': '"1"' } },
    );
    await waitForBlocked(t.database, 1);
    const checks = [{ name: 'KNOWN', rule: 'NO in SIZES.TOTAL' }];
    const { name } = await buildArchive(t.database, [NO], [], { checks }).finally(goOn);
    expect(await converted).toMatchObject({
      status: 422,
      body: { errors: { '-': [expect.stringMatching(`${name}.*checks.KNOWN.rule`)] } },
    });
  });

  it('stores most records where they are', async () => {
    const t = await openApp(open);
    const built = await buildArchive(t.database, [NO, TOTAL]);
    // As few as are changed in groups.
    const rows = Array.from({ length: 500 }, (_, i) => [`A-${i}`, String(i)]);
    await buildRecords(t.database, built, rows);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const archive = new ArchiveAdministration(await t.signedIn('admin'), built.name);
    const pages = () =>
      t.database.read(async (db) => {
        const { rows: found } = await sql<{ id: number; page: number }>`
          select _id as id, (ctid::text::point)[0]::integer as page
          from ${sql.table(`archive_${built.id}`)}`.execute(db.k);
        return new Map(found.map(({ id, page }) => [id, page]));
      });
    const before = await pages();
    const goOn = await holdSwitches(t.database);
    const converted = archive.put([NO, { ...TOTAL, type: 'integer' }]);
    await waitForBlocked(t.database, 1);
    const after = await pages();
    await goOn();
    expect((await converted).status).toBe(200);
    const moved = [...after].filter(([id, page]) => before.get(id) !== page);
    expect(moved.length).toBeLessThan(before.size / 2);
  });

  it('has converted most of what was saved meanwhile when others have to wait for it', async () => {
    const t = await openApp(open);
    const built = await buildArchive(t.database, [NO, TOTAL]);
    const rows = Array.from({ length: 300 }, (_, i) => [`A-${i}`, String(i)]);
    const ids = await buildRecords(t.database, built, rows);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const archive = new ArchiveAdministration(await t.signedIn('admin'), built.name);
    const goOn = await holdSwitches(t.database);
    const converted = archive.put([NO, { ...TOTAL, type: 'integer' }]);
    await waitForBlocked(t.database, 1);
    const newest = await t.database.write(async (db) => {
      for (const revisionId of ids) {
        const body = { indexFields: [{ name: 'TOTAL', value: String(1_000 + revisionId) }] };
        const change = { mode: 'PATCH', revisionId, body, ifMatch: null } as const;
        await changeRevision(db, built, buildWriter(), change);
      }
      return readNewestHistoryId(db);
    }, READ_COMMITTED);
    await goOn();
    expect((await converted).status).toBe(200);
    expect(await archive.values(300)).toEqual({ NO: 'A-299', TOTAL: 1_300 });
    const job = await t.database.read((db) =>
      db.k.selectFrom('definition_jobs').select('since_entry').executeTakeFirstOrThrow(),
    );
    expect(job.since_entry).toBe(newest);
  });

  it('has what was saved while it waited to change the definition', async () => {
    const t = await openApp(open);
    const built = await buildArchive(t.database, [NO, TOTAL]);
    await buildRecords(t.database, built, [['A-1', '7']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const archive = new ArchiveAdministration(await t.signedIn('admin'), built.name);
    const goOn = await holdSwitches(t.database);
    const converted = archive.put([NO, { ...TOTAL, type: 'integer' }]);
    await waitForBlocked(t.database, 1);
    const commit = await holdWrite(t.database, async (db) => {
      await db.adapter.lockDefinitionShared(db, built);
      const body = { indexFields: [{ name: 'TOTAL', value: '8' }] };
      const change = { mode: 'PATCH', revisionId: 1, body, ifMatch: null } as const;
      await changeRevision(db, built, buildWriter(), change);
    });
    await goOn();
    await waitForBlocked(t.database, 1).finally(commit);
    expect((await converted).status).toBe(200);
    expect(await archive.values(1)).toEqual({ NO: 'A-1', TOTAL: 8 });
  });
});
