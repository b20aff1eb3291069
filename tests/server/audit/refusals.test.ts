import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openRefusals } from '#server/modules/history/refusals.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const CALL = 'POST application/sessions';

describeOnOneDatabase('the audit', (open, { dialect }) => {
  it('takes few entries for guesses from as many addresses as there are', async () => {
    const database = await open();
    const refusals = openRefusals(database, { warn: () => undefined });
    for (let i = 0; i < 5_000; i++) {
      const address = `198.${51 + (i >> 12)}.${(i >> 4) & 255}.${i & 15}`;
      refusals.add({ user: null, address, call: CALL, reason: 'invalid_credentials' });
      // One host may have 2^64 addresses.
      refusals.add({
        user: null,
        address: `2001:db8::${i.toString(16)}`,
        call: CALL,
        reason: 'invalid_credentials',
      });
    }
    await refusals.close();
    const rows = await database.read((db) =>
      db.k.selectFrom('history').select('changes').where('scope', '=', 'refused').execute(),
    );
    expect(rows.length).toBeLessThanOrEqual(21);
    const attempts = rows.map(({ changes }) =>
      Number(/"attempts","before":null,"after":(\d+)/.exec(changes)?.[1]),
    );
    expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(10_000);
  });

  it('finds the refusals of an account, however many others there are', async () => {
    const t = await openApp(open);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    const { id: userId, username } = await buildUser(t.database, { username: 'curious' });
    const curious = { userId, username };
    const admin = await t.signedIn('root');
    const refusals = openRefusals(t.database, { warn: () => undefined });
    for (let i = 0; i < 30; i++) {
      const call = `GET configuration/${i}`;
      refusals.add({ user: curious, address: '192.0.2.1', call, reason: 'forbidden' });
      const guess = { address: `198.51.100.${i}`, call: CALL, reason: 'invalid_credentials' };
      refusals.add({ user: null, ...guess });
      refusals.add({ user: curious, ...guess });
    }
    // More accounts than there are entries by address and call.
    for (let i = 0; i < 15; i++) {
      const { id, username } = await buildUser(t.database, { username: `other${i}` });
      for (let j = 0; j < 30; j++) {
        const user = { userId: id, username };
        refusals.add({
          user,
          address: `203.0.113.${j}`,
          call: CALL,
          reason: 'invalid_credentials',
        });
      }
    }
    await refusals.close();
    const last = await admin.get('configuration/audit?kind=refused&user=other14&limit=100');
    expect(auditAnswer.parse(last.body).entries).toMatchObject([
      {
        call: 'others',
        changes: expect.arrayContaining([{ name: 'attempts', before: null, after: 30 }]),
      },
    ]);
    const answer = await admin.get('configuration/audit?kind=refused&user=curious&limit=100');
    const { entries } = auditAnswer.parse(answer.body);
    const attempts = (call: string | RegExp) =>
      entries
        .filter((entry) => entry.call === call || (call instanceof RegExp && call.test(entry.call)))
        .flatMap(({ changes }) => changes.filter(({ name }) => name === 'attempts'))
        .reduce((sum, { after }) => sum + Number(after), 0);
    expect([attempts(/^GET configuration/), attempts(CALL), attempts('others')]).toEqual([
      20, 20, 20,
    ]);
  });

  it('finds a rare value among entries of one time, page by page', async () => {
    const t = await openApp(open);
    const archive = await buildArchive(t.database, [{ name: 'NO' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    const admin = await t.signedIn('root');
    // As a load leaves them; more than one slice of a search.
    const entries = 25_000;
    await t.database.write((db) =>
      sql`insert into history (at, username, call, scope, thing_id, row_id, version, kind, changes)
        ${
          dialect === 'sqlite'
            ? sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(entries)})`
            : sql`with numbers as (select n from generate_series(1, ${sql.lit(entries)}) as n)`
        }
        select 1000, 'load', 'load x', 'archive', ${archive.id}, n, 1, 'load',
          '[{"name":"NO","before":null,"after":"' || case when n % 5000 = 7 then 'rare' else 'usual' end || '"}]'
        from numbers`.execute(db.k),
    );
    const found: (string | null)[] = [];
    for (let after = ''; ;) {
      const answer = await admin.get(`configuration/audit?value=RARE&limit=2${after}`);
      const page = auditAnswer.parse(answer.body);
      found.push(...page.entries.map(({ id }) => id));
      if (page.meta.pagination.next === null) break;
      after = `&after=${page.meta.pagination.next}`;
    }
    expect(found).toEqual(['20007', '15007', '10007', '5007', '7']);
  });
});
