/** @module-tag slow */
import { sql } from 'kysely';
import { beforeEach, expect, it, vi } from 'vitest';
import { jobsAnswer } from '#shared/contract/configuration-definitions.ts';
import { searchText } from '#shared/values/fold.ts';
import { tableName } from '#server/database/records/columns.ts';
import { refreshSearchTexts } from '#server/database/records/search-texts.ts';
import type { Archive } from '#server/database/records/collection.ts';
import type { Database } from '#server/database/database.ts';
import { stopDefinitionJob } from '#server/modules/definition-jobs/job-rows.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const NO = { name: 'NO', type: 'text' };
const STREET = { name: 'STREET', type: 'text' };

/** Lets each part of a job fail that recomputes search texts. */
async function refuseSearchTexts(database: Database, archive: Archive): Promise<void> {
  const on = `before update of _search on ${tableName(archive)}`;
  const statements = database.adapter.isShared
    ? [
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
        `create trigger refuse ${on} for each row execute function refuse()`,
      ]
    : [`create trigger refuse ${on} begin select raise(abort, 'refused'); end`];
  await database.write(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db.k);
  });
}

/** Ends this. */
async function allowSearchTexts(database: Database, archive: Archive): Promise<void> {
  const on = database.adapter.isShared ? `on ${tableName(archive)}` : '';
  await database.write((db) => sql.raw(`drop trigger refuse ${on}`).execute(db.k));
}

describeOnBothDatabases('search texts after a change of the fields', (open, { onOneDatabase }) => {
  let t: TestApp;
  let admin: TestClient;
  let built: Archive;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    // Most of the jobs go on failing.
    t = await openApp(open, { jobWait: 0 });
    built = await buildArchive(t.database, [NO, STREET], ['TOPIC']);
    await buildRecords(
      t.database,
      built,
      [
        ['A-1', 'Harbour street'],
        ['A-2', 'Q7'],
        ['harbour', null],
      ],
      (row) => [[row === 1 ? 'freight' : 'rent']],
    );
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });

  /** Changes the fields, and waits for the end of the job. */
  async function change(indexFields: Parameters<typeof archive.put>[0]) {
    await archive.put(indexFields);
    await jobHas({ state: 'done' });
  }
  /** Changes the fields, where the job cannot recompute search texts. @returns its progress */
  async function changeFields(indexFields: readonly object[], keywordFields: readonly object[]) {
    await refuseSearchTexts(t.database, built);
    const { version, ...definition } = await archive.get();
    const changed = { ...definition, indexFields, keywordFields };
    const headers = { 'if-match': `"${version}"` };
    await admin.put(archive.path, { archive: changed }, { headers });
    const { id } = await jobHas({ phase: 'search' });
    return jobsAnswer.parse((await admin.get(`configuration/jobs/${id}`)).body).jobs[0];
  }
  /** Waits until the newest job has this phase or state. @returns its row */
  async function jobHas(values: { readonly phase?: string; readonly state?: string }) {
    return vi.waitFor(async () => {
      const newest = await t.database.read((db) =>
        db.k
          .selectFrom('definition_jobs')
          .select(['id', 'phase', 'state'])
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow(),
      );
      expect(newest).toMatchObject(values);
      return newest;
    });
  }
  async function found(query: string, sort = ''): Promise<unknown> {
    const { body } = await admin.get(`${archive.records}/index/ids?${query}${sort}`);
    const { count } = Object((await admin.get(`${archive.records}/index/count?${query}`)).body);
    const { revisionIds } = Object(body);
    expect(count).toBe(revisionIds.length);
    return revisionIds;
  }

  it('find no record by a text of a retired field', async () => {
    expect(await found('q=harbour')).toEqual(['1', '3']);
    expect(await changeFields([NO], [])).toMatchObject({ done: 0, total: 3 });
    expect(await found('q=harbour')).toEqual(['3']);
    expect(await found('q=harbour', '&sort=-NO')).toEqual(['3']);
    for (const q of ['street', 'q7', 'freight', 'fr'])
      expect([q, await found(`q=${q}`)]).toEqual([q, []]);
    expect(await found('q=a-')).toEqual(['1', '2']);
  });

  it('find no record where no field with texts is left', onOneDatabase, async () => {
    await changeFields([{ name: 'PAGES', type: 'integer' }], []);
    for (const q of ['harbour', 'fr']) expect([q, await found(`q=${q}`)]).toEqual([q, []]);
  });

  it('leave no text of a restored field out of a filter, and the job tells how many records there are', async () => {
    await change([NO]);
    expect(await found('q=street')).toEqual([]);
    await t.database.write((db) =>
      refreshSearchTexts(db, { ...built, fields: built.fields.slice(0, 1) }, [1]),
    );
    expect(await changeFields([NO, STREET], [{ name: 'TOPIC' }])).toMatchObject({
      done: 0,
      total: 3,
    });
    expect(await found('where[STREET][like]=street')).toEqual(['1']);
  });

  it('are not recomputed after a conversion of numbers', onOneDatabase, async () => {
    const pages = { name: 'PAGES', type: 'integer' };
    await change([NO, STREET, pages]);
    await change([NO, STREET, { ...pages, type: 'decimal', scale: 2 }]);
    const phases = await t.database.read((db) =>
      db.k.selectFrom('definition_jobs').select('phase').execute(),
    );
    expect(phases.map(({ phase }) => phase)).not.toContain('search');
  });

  it('lose the texts of a field that is purged, also if the job failed that should have removed them', async () => {
    await changeFields([NO], []);
    const { id } = await jobHas({ state: 'running' });
    // As after too many failures.
    await t.database.write((db) => stopDefinitionJob(db, id));
    await allowSearchTexts(t.database, built);
    for (const field of ['STREET', 'keyword.TOPIC']) {
      await admin.post(`${archive.path}/fields/${field}/purge`, { confirm: field });
      await jobHas({ state: 'done' });
    }
    const { rows } = await t.database.read((db) =>
      sql<{ text: string }>`
        select _search as text from ${sql.table(tableName(built))} order by _id`.execute(db.k),
    );
    expect(rows.map(({ text }) => text)).toEqual(
      ['A-1', 'A-2', 'harbour'].map((no) => searchText([no])),
    );
  });
});
