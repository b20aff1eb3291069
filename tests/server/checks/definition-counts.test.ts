/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const FIELDS = [{ name: 'NO', type: 'text' }];
const LONG = { name: 'LONG', rule: "not NO = '' and length(NO) > 5" };

describeOnOneDatabase('the counts of checks and changes of the definition', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, FIELDS, [], { checks: [LONG] });
    await buildRecords(t.database, built, [['a'], ['b'], ['c']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });
  const define = async (...checks: unknown[]) =>
    expect((await archive.put(FIELDS, { checks })).status).toBe(200);
  const except = async (id: number, check: string) => {
    const path = `${archive.records}/documents/${id}/exceptions/${check}`;
    expect((await admin.put(path, { reason: 'so it is' })).status).toBe(200);
  };
  const countOf = async (name: string) => {
    const { checks } = checksAnswer.parse((await admin.get(`${archive.records}/checks`)).body);
    return checks.find((check) => check.name === name)?.count;
  };

  it('agree where an exception ended although the check is the same again', async () => {
    await except(1, 'LONG');
    await expect.poll(() => countOf('LONG')).toBe(2);
    await define();
    await define(LONG);
    await expect.poll(() => countOf('LONG')).toBe(3);
  });

  it('agree where a rule was only written otherwise, which ends its exceptions', async () => {
    await except(1, 'LONG');
    await expect.poll(() => countOf('LONG')).toBe(2);
    await define({ ...LONG, rule: 'not NO = null and length(NO) > 5' });
    await expect.poll(() => countOf('LONG')).toBe(3);
  });
});
