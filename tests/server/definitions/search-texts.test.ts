/** @module-tag slow */
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { jobsAnswer } from '#shared/contract/configuration-definitions.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';
import type { Database } from '#server/database/database.ts';
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

describeOnBothDatabases('while search texts are not recomputed yet', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let built: Archive;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    t = await openApp(open);
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

  /** Changes the fields, where the job cannot recompute search texts. @returns its progress, running or failed */
  async function changeFields(indexFields: readonly object[], keywordFields: readonly object[]) {
    await refuseSearchTexts(t.database, built);
    const { version, ...definition } = await archive.get();
    const changed = { ...definition, indexFields, keywordFields };
    const headers = { 'if-match': `"${version}"` };
    await admin.put(archive.path, { archive: changed }, { headers });
    const { id } = await t.database.read((db) =>
      db.k
        .selectFrom('definition_jobs')
        .select('id')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    );
    return jobsAnswer.parse((await admin.get(`configuration/jobs/${id}`)).body).jobs[0];
  }
  async function found(query: string, sort = ''): Promise<unknown> {
    const { body } = await admin.get(`${archive.records}/index/ids?${query}${sort}`);
    const { count } = Object((await admin.get(`${archive.records}/index/count?${query}`)).body);
    const { revisionIds } = Object(body);
    expect(count).toBe(revisionIds.length);
    return revisionIds;
  }

  it('no record is found by a text of a retired field, and the job tells how many records there are', async () => {
    expect(await found('q=harbour')).toEqual(['1', '3']);
    expect(await changeFields([NO], [])).toMatchObject({ done: 0, total: 3 });
    expect(await found('q=harbour')).toEqual(['3']);
    expect(await found('q=harbour', '&sort=-NO')).toEqual(['3']);
    for (const q of ['street', 'q7', 'freight', 'fr'])
      expect([q, await found(`q=${q}`)]).toEqual([q, []]);
    expect(await found('q=a-')).toEqual(['1', '2']);
  });

  it('a filter finds a text of a restored field', async () => {
    await archive.put([NO]);
    expect(await found('q=street')).toEqual([]);
    expect(await changeFields([NO, STREET], [{ name: 'TOPIC' }])).toMatchObject({ total: 3 });
    expect(await found('where[STREET][like]=street')).toEqual(['1']);
  });
});
