/** @module-tag slow */
import { hash } from 'node:crypto';
import { existsSync, rmdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import { setRetired } from '#server/modules/definition-changes/retirement.service.ts';
import {
  PURGE_CHANGE,
  purgeByJob,
  PurgeDigest,
  readEntriesUpTo,
} from '#server/modules/purges/purges.service.ts';
import { DEFINITION_SUBJECT_IDS } from '#server/modules/definitions/definitions.service.ts';
import {
  hashEntry,
  recordHistory,
  recordSystemHistory,
} from '#server/modules/history/history.service.ts';
import { requireStoredDefinition } from '#server/modules/definitions/stored-definitions.ts';
import {
  findActiveJob,
  insertDefinitionJob,
  readDefinitionJob,
  updateDefinitionJob,
} from '#server/modules/definition-jobs/job-rows.ts';
import { readNewestHistoryId } from '#server/database/records/changed-records.ts';
import type { Database } from '#server/database/database.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import { WAIT_LIMIT } from '#tests/support/effort.ts';
import { locationOf } from '#server/modules/files/file-store.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  BUILDER,
  buildArchive,
  buildRecords,
  buildTable,
  buildWriter,
  datasetsPath,
} from '#tests/support/builders.ts';
import { planAt } from '#tests/support/bulk-edits.ts';
import {
  describeOnBothDatabases,
  describeOnOneDatabase,
  testDatabases,
} from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { holdWrite, waitForBlocked } from '#tests/support/held-writes.ts';
import { placeOf } from '../cli/program.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';
import { tamper } from '../verification/installation.ts';
import { checkExport, findings, tablesWith } from './purging.ts';

const FIELDS = [
  { name: 'NAME', type: 'text' },
  { name: 'IBAN', type: 'text' },
];
const SECRET = 'DE4212345678';

describeOnOneDatabase('a purge', (_, { open, prepare }) => {
  let t: TestApp;
  let config: DatabaseConfig;
  let admin: TestClient;
  let built: Archive;
  let archive: ArchiveAdministration;
  /** what is done while a purge begins */
  let meanwhile: (() => Promise<unknown>) | undefined;
  const isPreparing = (database: Database) =>
    database
      .read((db) => findActiveJob(db, built.kind, built.id))
      .then((job) => job?.phase === 'prepare');
  beforeEach(async () => {
    let begun = 0;
    config = await prepare();
    meanwhile = undefined;
    const opened = async () => {
      const database = await open(config);
      return wrapDatabase(database, {
        async write(work, options) {
          const next = meanwhile;
          // A purge begins with two writes.
          if (next && !options && (await isPreparing(database)) && ++begun === 2) {
            meanwhile = undefined;
            await next();
          }
          return database.write(work, options);
        },
      });
    };
    t = await openApp(opened, { dataDir: config.dataDir });
    const checks = [{ name: 'LONG', rule: 'length(NAME) > 99' }];
    built = await buildArchive(t.database, FIELDS, ['K'], { checks });
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });

  const ok = async (sent: ReturnType<TestClient['get']>) => {
    const answer = await sent;
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
    return answer;
  };
  const upload = (to: Archive, text: string, headers = {}) => {
    const form = formOf([
      ['indexFields[0][name]', 'NAME'],
      ['indexFields[0][value]', text],
      ['indexFields[1][name]', 'IBAN'],
      ['indexFields[1][value]', SECRET],
      ['keywordFields[0][name]', 'K'],
      ['keywordFields[0][keywords]', `red,${SECRET}`],
      ['files', { name: `${text}.txt`, bytes: `the text of ${text}` }],
    ]);
    const options = { headers: { ...form.headers, ...headers } };
    return ok(admin.post(`${archivePath(to)}/documents`, form.body, options));
  };
  const fileOf = (text: string) =>
    join(config.dataDir, 'files', locationOf(hash('sha256', `the text of ${text}`)));
  const isStored = (text: string) => existsSync(fileOf(text));
  /** Stores the secret wherever the service stores values. */
  const fill = async () => {
    const { records } = archive;
    await upload(built, 'one', { 'idempotency-key': 'first' });
    await upload(built, 'two');
    const change = { indexFields: [{ name: 'IBAN', value: `${SECRET}00` }] };
    await ok(admin.patch(`${records}/documents/2/indexdata`, change));
    await ok(admin.delete(`${records}/documents/1`));
    await ok(
      admin.post(`${records}/views`, {
        name: 'v',
        shared: true,
        search: `where[IBAN][eq]=${SECRET}&sort=NAME,-IBAN`,
      }),
    );
    const edits = [{ field: 'IBAN', do: 'set', value: `${SECRET}99` }];
    await planAt(admin, `${records}/bulkedits`, { filter: '' }, edits);
    await ok(admin.post(`${records}/queues`, { filter: `where[IBAN][ne]=${SECRET}` }));
  };
  const purged = (path: string, confirm: unknown, query = '') =>
    admin.send(query ? 'DELETE' : 'POST', path + query, { confirm });
  const exported = async () => (await admin.get('configuration/audit?format=jsonl')).text;
  const proven = async () => {
    expect(await findings(t.database, config)).toEqual([]);
    expect(await checkExport(config, await exported())).toMatchObject({ code: 0 });
  };

  it('by a command repeats a part that failed, and ends when everything is removed', async () => {
    await upload(built, 'one');
    await ok(admin.delete(archive.path));
    const file = fileOf('one');
    await rm(file);
    await mkdir(file);
    const told: string[] = [];
    const out = (line: string) => void told.push(line);
    // A directory in the place of the file cannot be removed; it goes when the failure is reported.
    const err = (line: string) => {
      out(line);
      if (existsSync(file)) rmdirSync(file);
    };
    const { name } = built;
    const command = ['archive', 'purge', name, '--confirm', name, ...placeOf(config)];
    const code = await runCommandLine(command, {}, { out, err });
    expect({ code, told }).toEqual({
      code: 0,
      told: [expect.stringContaining('failed'), expect.stringContaining('permanently deleted')],
    });
    expect((await admin.get(archive.path)).status).toBe(404);
  });

  it('of an archive that is in use retires it', async () => {
    await fill();
    const purge = (confirm: string, ifMatch: string) =>
      admin.delete(`${archive.path}?purge=true`, { confirm }, { headers: { 'if-match': ifMatch } });
    expect(await purge('other', '*')).toMatchObject({ status: 422 });
    expect(await purge(built.name, '"0"')).toMatchObject({ status: 412 });
    expect(await archive.get()).toMatchObject({ version: 1, retiredAt: null });
    expect(await purge(built.name, '"1"')).toMatchObject({ status: 204 });
    expect((await admin.get(archive.path)).status).toBe(404);
    expect(await tablesWith(t.database, SECRET)).toEqual([]);
    await proven();
  });

  it('of an archive leaves nothing but blank entries, which verify and an export accept', async () => {
    await fill();
    const reason = { reason: `As ${SECRET} says` };
    await ok(admin.put(`${archive.records}/documents/2/exceptions/LONG`, reason));
    const other = await buildArchive(t.database, FIELDS, ['K']);
    await upload(other, 'one');
    await ok(
      admin.patch(`${archivePath(other)}/documents/1/indexdata`, {
        indexFields: [{ name: 'IBAN', value: null }],
        keywordFields: [{ name: 'K', keywords: '' }],
      }),
    );
    const purge = (confirm: unknown) => purged(archive.path, confirm, '?purge=true');
    // The job of a change that was refused is still answered when the archive is gone.
    const refused = await archive.put([FIELDS[0] ?? {}, { name: 'IBAN', type: 'integer' }]);
    expect(refused).toMatchObject({ status: 409 });
    const jobs = async () => (await admin.get('configuration/jobs/1')).body;
    expect(await jobs()).toMatchObject({ jobs: [{ error: 'definition_conflict', plan: {} }] });
    await ok(admin.delete(archive.path));
    for (const confirm of ['other', '', undefined]) {
      expect(await purge(confirm)).toMatchObject({
        status: 422,
        body: { errors: { confirm: [expect.stringContaining(built.name)] } },
      });
    }
    expect(await admin.delete(archive.path, { confirm: built.name })).toMatchObject({
      status: 422,
    });
    expect(await purge(built.name)).toMatchObject({ status: 204 });

    expect((await admin.get(archive.path)).status).toBe(404);
    expect(await jobs()).toMatchObject({ jobs: [{ error: 'definition_conflict' }] });
    expect([isStored('one'), isStored('two')]).toEqual([true, false]);
    const left = await tablesWith(t.database, SECRET);
    expect(
      left.filter((name) => name !== 'history' && !name.startsWith(`archive_${other.id}`)),
    ).toEqual([]);
    const audit = await ok(admin.get(`configuration/audit?archive=${built.name}&kind=data`));
    const { entries } = Object(audit.body);
    expect(entries).toHaveLength(5);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        archive: built.name,
        changes: [],
        purgedBy: expect.any(String),
      });
    }
    await proven();
    const again = await ok(
      admin.get(`configuration/audit?archive=${built.name}&format=jsonl&kind=data`),
    );
    expect(await checkExport(config, again.text)).toMatchObject({ code: 0 });

    const { guid, name } = built;
    const wanted = {
      archive: { guid, table: name, name, indexFields: FIELDS, keywordFields: [{ name: 'K' }] },
    };
    await ok(admin.post('configuration/archives', wanted));
    await upload(built, 'two');
    expect(isStored('two')).toBe(true);
    await proven();
  });

  it('of a field removes its values alone, and its name is free for another field', async () => {
    await fill();
    const purge = (name: string, confirm = name) =>
      purged(`${archive.path}/fields/${name}/purge`, confirm);
    expect(await purge('IBAN')).toMatchObject({ status: 409 });
    expect(await purge('NONE')).toMatchObject({ status: 404 });
    expect(await purge('IBAN', 'NAME')).toMatchObject({
      status: 422,
      body: { errors: { confirm: [expect.anything()], '-': [expect.anything()] } },
    });
    const path = `${archive.path}/fields/IBAN/purge`;
    const headers = { 'if-match': '"0"' };
    expect(await admin.post(path, { confirm: 'NAME' }, { headers })).toMatchObject({ status: 412 });
    await ok(archive.put([FIELDS[0] ?? {}], { keywordFields: [] }));
    expect(await purge('IBAN', 'NAME')).toMatchObject({ status: 422 });
    expect(await purge('IBAN')).toMatchObject({ status: 204 });
    expect(await purge('keyword.K', 'K')).toMatchObject({ status: 422 });
    expect(await purge('K')).toMatchObject({ status: 204 });

    expect(await tablesWith(t.database, SECRET)).toEqual([]);
    expect(await archive.get()).toMatchObject({
      indexFields: [{ name: 'NAME' }],
      keywordFields: [],
    });
    const { body } = await archive.history(2).then((answer) => ({ body: Object(answer) }));
    expect(body.history).toMatchObject([
      { changes: [{ name: 'NAME', after: 'two' }, { name: 'document.files' }] },
    ]);
    await proven();

    await ok(archive.put(FIELDS));
    expect(await archive.values(2)).toEqual({ NAME: 'two', IBAN: null });
    const change = { indexFields: [{ name: 'IBAN', value: 'new' }] };
    await ok(admin.patch(`${archive.records}/documents/2/indexdata`, change));
    await proven();
    await ok(archive.put([FIELDS[0] ?? {}]));
    expect(await purge('IBAN')).toMatchObject({ status: 204 });
    await proven();
  });

  it('of a field removes the exceptions of checks about it, also from the history', async () => {
    const table = await buildTable(t.database, [{ name: 'KNOWN' }]);
    await ok(admin.post(datasetsPath(table), { dataset: { KNOWN: 'two' } }));
    const optionsFrom = { table: table.name, column: 'KNOWN' };
    const [name = {}, iban = {}] = FIELDS;
    const checks = [
      { name: 'LONG', rule: 'length(IBAN) > 99' },
      { name: 'OTHER', rule: 'length(NAME) > 99' },
    ];
    await ok(
      archive.put(
        [
          { ...name, optionsFrom },
          { ...iban, optionsFrom },
        ],
        { checks },
      ),
    );
    for (const text of ['one', 'two']) await upload(built, text);
    const reason = { reason: `${SECRET} is a new one` };
    const except = (id: number, check: string, body: object) =>
      ok(admin.put(`${archive.records}/documents/${id}/exceptions/${check}`, body));
    // One about both fields.
    await except(1, '_lookup', { reason: 'Right' });
    await except(1, '_lookup', reason);
    await except(2, '_lookup', reason);
    await except(2, 'LONG', reason);
    await except(2, 'OTHER', { reason: 'Short enough' });
    await ok(archive.put([{ ...name, optionsFrom }], { checks: checks.slice(1) }));
    expect(await tablesWith(t.database, reason.reason)).toContain('check_exceptions');
    await ok(purged(`${archive.path}/fields/IBAN/purge`, 'IBAN'));
    expect(await tablesWith(t.database, reason.reason)).toEqual([]);
    const withOther = await tablesWith(t.database, 'Short enough');
    expect(withOther.toSorted()).toEqual(['check_exceptions', 'history']);
    const { body } = await admin.get(`${archive.records}/documents/1`);
    expect(Object(body).meta.exceptions).toMatchObject([
      { check: '_lookup', reason: 'The reason was deleted with the values of a field.' },
    ]);
    await proven();
    await except(1, '_lookup', { reason: 'Right' });
    await proven();
  });

  it('of a field removes the exceptions from the history that do not say what fields they are about', async () => {
    await upload(built, 'one');
    const old = { name: 'checks.LONG', before: null, after: { reason: `${SECRET} is right` } };
    await t.database.write(async (db) => {
      const record = (await readRecords(db, built, [1])).get(1);
      if (!record) throw new Error('No revision was uploaded.');
      const version = record.version + 1;
      await sql`update ${sql.table(tableName(built))} set _version = ${version}`.execute(db.k);
      await recordHistory(db, built, buildWriter(), Date.now(), [
        { kind: 'lock', id: 1, version, before: record, after: record, otherChanges: [old] },
      ]);
    });
    await ok(archive.put(FIELDS.slice(0, 1)));
    await ok(purged(`${archive.path}/fields/IBAN/purge`, 'IBAN'));
    expect(await tablesWith(t.database, 'is right')).toEqual([]);
    await proven();
  });

  it('of a field leaves no reason of an exception that ends while it begins', async () => {
    const table = await buildTable(t.database, [{ name: 'KNOWN' }]);
    const optionsFrom = { table: table.name, column: 'KNOWN' };
    const [name = {}, iban = {}] = FIELDS;
    await ok(
      archive.put([
        { ...name, optionsFrom },
        { ...iban, optionsFrom },
      ]),
    );
    await upload(built, 'one');
    const reason = { reason: `${SECRET} is a new one` };
    const exception = `${archive.records}/documents/1/exceptions/_lookup`;
    await ok(admin.put(exception, reason));
    await ok(archive.put([{ ...name, optionsFrom }]));
    meanwhile = () => ok(admin.delete(exception));
    await ok(purged(`${archive.path}/fields/IBAN/purge`, 'IBAN'));
    expect(meanwhile).toBeUndefined();
    expect(await tablesWith(t.database, reason.reason)).toEqual([]);
    await proven();
  });

  it('goes on as its entry says where an older version has begun it', async () => {
    await fill();
    await ok(archive.put(FIELDS, { checks: [{ name: 'LONG', rule: 'length(IBAN) > 99' }] }));
    await ok(admin.put(`${archive.records}/documents/2/exceptions/LONG`, { reason: SECRET }));
    await ok(archive.put(FIELDS.slice(0, 1), { checks: [] }));
    const jobId = await t.database.write(async (db) => {
      const upTo = await readNewestHistoryId(db);
      const scope = { names: ['IBAN'], fields: [], upTo };
      const digest = new PurgeDigest([scope]);
      for (const entry of (await readEntriesUpTo(db, built, upTo, null)).entries) digest.add(entry);
      const { fields: _, ...known } = { ...scope, ...digest.end() };
      await recordSystemHistory(db, BUILDER, Date.now(), {
        scope: 'definition',
        kind: 'purge',
        collectionId: DEFINITION_SUBJECT_IDS.archive,
        rowId: built.id,
        before: null,
        after: {
          [PURGE_CHANGE]: { archive: built.name, name: built.name, field: 'IBAN', ...known },
        },
      });
      const { state } = await requireStoredDefinition(db, 'archive', built.id);
      const number = state.fields.find(({ field }) => field.name === 'IBAN')?.number ?? null;
      const id = await insertDefinitionJob(db, {
        scope: 'archive',
        collectionId: built.id,
        phase: 'blank',
        request: { kind: 'purge', number },
        baseVersion: state.version,
        actor: BUILDER,
        owner: 'another process',
      });
      await updateDefinitionJob(db, id, { position: 0, sinceEntry: upTo });
      await db.k.updateTable('definition_jobs').set({ lease_owner: null }).execute();
      return id;
    });
    const job = () => t.database.read((db) => readDefinitionJob(db, jobId));
    await expect.poll(job, { timeout: WAIT_LIMIT }).toMatchObject({ state: 'done' });
    await proven();
  });

  it('removes a whole bulk edit of which few revisions have changed the field', async () => {
    // More than are removed together.
    const all = Array.from({ length: 120 }, (_, at) => ['a name', `IBAN ${at}`]);
    await buildRecords(t.database, built, all);
    const revisions = all.map((_, at) => ({
      revisionId: at + 1,
      indexFields: [{ name: at < 2 ? 'IBAN' : 'NAME', value: `${SECRET}${at}` }],
    }));
    const bulkEdits = async () =>
      Object((await ok(admin.get(`${archive.records}/bulkedits`))).body).bulkedits;
    await ok(admin.patch(`${archive.records}/indexdata?receipt=true`, { revisions }));
    expect(await bulkEdits()).toHaveLength(1);
    await ok(archive.put([FIELDS[0] ?? {}]));
    await ok(purged(`${archive.path}/fields/IBAN/purge`, 'IBAN'));
    expect(await bulkEdits()).toEqual([]);
    expect(await tablesWith(t.database, `${SECRET}119`)).not.toContain('bulk_edit_revisions');
  });

  it('answers a repeated request whose answer it has removed with 409', async () => {
    const headers = { 'idempotency-key': 'k' };
    const change = { indexFields: [{ name: 'IBAN', value: 'x' }] };
    await upload(built, 'one');
    const path = `${archive.records}/documents/1/indexdata`;
    await ok(admin.patch(path, change, { headers }));
    await ok(archive.put([FIELDS[0] ?? {}]));
    await ok(purged(`${archive.path}/fields/IBAN/purge`, 'IBAN'));
    expect(await admin.patch(path, change, { headers })).toMatchObject({ status: 409 });
  });

  it('explains no other blank entry, and nothing else of an entry that it has changed', async () => {
    await fill();
    await ok(archive.put([FIELDS[0] ?? {}]));
    await ok(purged(`${archive.path}/fields/IBAN/purge`, 'IBAN'));
    await proven();
    const original = await t.database.read((db) =>
      db.k.selectFrom('history').selectAll().where('scope', '=', 'archive').orderBy('id').execute(),
    );
    const [first] = original;
    if (!first) throw new Error('There is no entry.');
    const alter = (changes: string) =>
      tamper(t.database, (db) =>
        db.k.updateTable('history').set({ changes }).where('id', '=', first.id).execute(),
      );
    await alter(first.changes.replace('"one"', '"uno"'));
    expect(await findings(t.database, config)).toContainEqual(
      expect.stringContaining('were changed after it'),
    );
    expect(await checkExport(config, await exported())).toMatchObject({ code: 1 });
    await alter(first.changes);
    await proven();

    const entry = await t.database.read((db) =>
      db.k
        .selectFrom('history')
        .selectAll()
        .where('scope', '=', 'definition')
        .orderBy('id')
        .executeTakeFirstOrThrow(),
    );
    const sha256 = hashEntry(entry).toString('hex');
    await tamper(t.database, (db) =>
      db.k
        .updateTable('history')
        .set({ changes: '[]', sha256 })
        .where('id', '=', entry.id)
        .execute(),
    );
    expect(await findings(t.database, config)).toContainEqual(
      expect.stringContaining(
        `history ${entry.id}, position 1: its changes are missing, and no purge`,
      ),
    );
    expect(await checkExport(config, await exported())).toMatchObject({
      code: 1,
      text: expect.stringContaining(`Entry ${entry.id}: its changes are missing`),
    });
  });
});

describe('a purge of a field', { tags: ['postgres'] }, () => {
  const { open } = testDatabases('postgres');

  it('keeps what another process renames meanwhile', async () => {
    const t = await openApp(open);
    const table = await buildTable(t.database, [{ name: 'OLD' }]);
    const name = { name: 'NAME', type: 'text', optionsFrom: { table: table.name, column: 'OLD' } };
    const built = await buildArchive(t.database, [name, { name: 'IBAN' }]);
    await buildRecords(t.database, built, [['one', SECRET]]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const archive = new ArchiveAdministration(await t.signedIn('admin'), built.name);
    expect((await archive.put([name])).status).toBe(200);

    const release = await holdWrite(t.database, (db) => readRecords(db, built, [1], 'lock'));
    const admin = await t.signedIn('admin');
    const purge = admin.post(`${archive.path}/fields/IBAN/purge`, { confirm: 'IBAN' });
    await waitForBlocked(t.database, 1);
    const other = await openApp(() => Promise.resolve(t.database));
    const path = `configuration/tables/${table.guid}`;
    const columns = [{ name: 'NEW', type: 'text', renamedFrom: 'OLD' }];
    const elsewhere = await other.signedIn('admin');
    const change = { table: { name: table.name, columns } };
    const renamed = await elsewhere.put(path, change, { headers: { 'if-match': '*' } });
    await release();
    expect(renamed.status).toBe(200);
    expect((await purge).status).toBe(204);
    expect((await archive.get()).indexFields).toMatchObject([{ optionsFrom: { column: 'NEW' } }]);
  });
});

describeOnBothDatabases('an archive that was purged after it was found', (open) => {
  it('is not found by its purge, its retirement and its restoration', async () => {
    const database = await open();
    const gone = { kind: 'archive', id: 999 } as const;
    const runner = {
      owner: 'nobody',
      wake: () => undefined,
      waitForEnd: () => Promise.resolve(null),
      close: () => Promise.resolve(),
    };
    const wanted = { ...gone, field: null, confirm: 'GONE', ifMatch: null, actor: BUILDER };
    const notFound = { code: 'not_found' };
    await expect(purgeByJob(database, runner, wanted)).rejects.toMatchObject(notFound);
    for (const isRetired of [true, false]) {
      const retirement = setRetired(database, gone, isRetired, BUILDER, null);
      await expect(retirement).rejects.toMatchObject(notFound);
    }
  });
});
