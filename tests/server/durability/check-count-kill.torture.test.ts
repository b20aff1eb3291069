import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { openDatabase } from '#server/database/open-database.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { definedArchivesAnswer } from '#shared/contract/configuration-definitions.ts';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { WAIT_LIMIT } from '#tests/support/effort.ts';
import { eventually, ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';

/** Findings are stored in parts of 10,000. */
const MANY = 25_000;
const HELD_FROM = 12_500;
const LIMIT = 4 * WAIT_LIMIT;
const SUM = { name: 'SUM', label: 'Sum', rule: 'A + 1 = B' };
const TWICE = { name: 'TWICE', label: 'Twice', duplicates: [['A']] };

describeOnBothDatabases('A service that is killed while it counts findings', (_open, databases) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test(
    'has the right counts after the restart, with what was saved in between',
    { timeout: 300_000 + 4 * LIMIT },
    async () => {
      const config = await databases.prepare();
      const database = await openDatabase(config, { access: 'upgrade' });
      await buildUser(database, { username: 'admin', role: 'administrator' });
      const fields = ['A', 'B'].map((name) => ({ name, type: 'integer' }));
      const archive = await buildArchive(database, fields, [], { checks: [SUM, TWICE] });
      // Every record breaks SUM, and has the same A as another one.
      const rows = Array.from({ length: MANY }, (_, i) => [Math.floor(i / 2), -1]);
      await buildRecords(database, archive, rows);
      await database.close();

      const client = new ServiceClient('');
      const path = archivePath(archive);
      const send = async (
        method: 'GET' | 'PATCH' | 'PUT',
        at: string,
        json?: unknown,
        headers = {},
      ) => {
        const answer = await client.send({ method, path: at, json, headers });
        if (answer.status >= 300) throw new Error(`${answer.status} ${answer.bytes.toString()}`);
        return answer.body;
      };
      const start = async () => {
        service = await startService({ ...config, args: ['--empty'] });
        client.url = service.url;
      };
      const save = (id: number, name: string, value: number) =>
        send('PATCH', `${path}/documents/${id}/indexdata`, { indexFields: [{ name, value }] });
      const counts = async () => {
        const { checks } = checksAnswer.parse(await send('GET', `${path}/checks`));
        return Object.fromEntries(checks.map(({ name, count }) => [name, count]));
      };
      const counted = async (expected: Readonly<Record<string, number>>) => {
        const isCounted = async () => {
          const all = await counts();
          return Object.entries(expected).every(([name, count]) => all[name] === count);
        };
        await eventually(isCounted, LIMIT);
        expect(await counts()).toMatchObject(expected);
      };
      const change = async (checks: readonly object[]) => {
        const at = `configuration/archives/${archive.name}`;
        const [defined] = definedArchivesAnswer.parse(await send('GET', at)).archives;
        const headers = { 'if-match': `"${defined?.version}"` };
        await send('PUT', at, { archive: { ...defined, checks } }, headers);
      };
      /**
       * Kills the service while some findings of a check are stored and the others are not, or while it stores all of them in one
       * transaction: new duplicates on PostgreSQL.
       */
      const killIn = async (check: string, meanwhile: () => Promise<unknown>) => {
        const other = await openDatabase(config, { access: 'write' });
        try {
          const inOne = other.adapter.duplicateKeys !== null && check === TWICE.name;
          const isWithin = async () =>
            inOne ? (await counts())[check] === null : (await storedFindings(other, check)) > 0;
          if (!(await eventually(isWithin, LIMIT))) throw new Error(`${check} was not counted`);
          await meanwhile();
          expect(await counts()).toMatchObject({ [check]: null });
          await service?.kill();
          await release(other);
          // Nobody has to wait for the lease of the process that was killed.
          await other.write((db) =>
            db.k.updateTable('check_worker').set({ lease_until: 0 }).execute(),
          );
        } finally {
          await other.close();
        }
      };

      await within(config, hold);
      await start();
      await client.signIn('admin', PASSWORD);
      await killIn('SUM', async () => {
        // One whose finding is stored, and one whose finding is not.
        await save(1, 'B', 1);
        await save(MANY, 'B', MANY / 2);
      });
      await start();
      await counted({ SUM: MANY - 2, TWICE: MANY });

      // A changed check is counted from its beginning.
      await save(2, 'A', MANY);
      await counted({ SUM: MANY - 2, TWICE: MANY - 2 });
      await within(config, hold);
      await change([SUM, { ...TWICE, when: 'A >= 0' }]);
      await killIn('TWICE', () => save(MANY, 'A', 1));
      await start();
      await counted({ SUM: MANY - 1, TWICE: MANY - 3 });
    },
  );

  async function within(
    config: Parameters<typeof openDatabase>[0],
    work: (database: Database) => Promise<unknown>,
  ): Promise<void> {
    const database = await openDatabase(config, { access: 'write' });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  }
});

/** The findings that are stored of a check that is being counted. */
async function storedFindings(database: Database, check: string): Promise<number> {
  const { rows } = await database.read((db) =>
    sql<{ count: number }>`select cast(count(*) as integer) as count from check_findings
      where check_id in (select id from check_states where name = ${check} and count is null)`.execute(
      db.k,
    ),
  );
  return rows[0]?.count ?? 0;
}

/**
 * Lets the database refuse findings of later records, and the indexes of new duplicates (PostgreSQL), so that a check is being
 * counted until the service is killed.
 */
async function hold(database: Database): Promise<void> {
  const condition = `new.row_id > ${HELD_FROM}`;
  await execute(
    database,
    database.adapter.isShared
      ? [
          `create function hold_count() returns trigger language plpgsql as $$ begin raise 'held'; end $$`,
          `create trigger hold_count before insert on check_findings for each row when (${condition}) execute function hold_count()`,
          `create function hold_index() returns event_trigger language plpgsql as $$ begin raise 'held'; end $$`,
          `create event trigger hold_index on ddl_command_start when tag in ('CREATE INDEX') execute function hold_index()`,
        ]
      : [
          `create trigger hold_count before insert on check_findings when ${condition} begin select raise(abort, 'held'); end`,
        ],
  );
}

async function release(database: Database): Promise<void> {
  await execute(
    database,
    database.adapter.isShared
      ? [
          'drop trigger if exists hold_count on check_findings',
          'drop function if exists hold_count()',
          'drop event trigger if exists hold_index',
          'drop function if exists hold_index()',
        ]
      : ['drop trigger if exists hold_count'],
  );
}

async function execute(database: Database, statements: readonly string[]): Promise<void> {
  await database.write(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db.k);
  });
}
