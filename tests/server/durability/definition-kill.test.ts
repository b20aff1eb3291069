/** @module-tag long */
/** @module-tag slow */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '#server/database/database.ts';
import {
  openDatabase,
  type DatabaseAccess,
  type DatabaseConfig,
} from '#server/database/open-database.ts';
import type { DefinitionJobRow } from '#server/database/tables/job-tables.ts';
import {
  definedTablesAnswer,
  jobsAnswer,
  type DefinedTable,
} from '#shared/contract/configuration-definitions.ts';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { buildTable, datasetsPath } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN, repeated, WAIT_LIMIT } from '#tests/support/effort.ts';
import { eventually, ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { findings, tablesWith } from '../purges/purging.ts';

// A job stores how far it is after some thousand records.
const BATCHES = IS_LONG_RUN ? 40 : 9;
const BATCH = 1_000;
/** How often each job is interrupted. */
const KILLS = Math.min(5, repeated(1));
const LIMIT = 4 * WAIT_LIMIT;

describeOnOneDatabase('A service that is killed in a job of a definition', (_open, databases) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test(
    'continues it after the restart, with nothing lost or done by half',
    { timeout: 300_000 + 4 * KILLS * LIMIT },
    async () => {
      const config = await databases.prepare();
      const built = await inDatabase(
        config,
        async (database) => {
          await buildUser(database, { username: 'admin', role: 'administrator' });
          return buildTable(database, [{ name: 'A' }, { name: 'B' }]);
        },
        'upgrade',
      );
      const options = { ...config, args: ['--empty'] };
      service = await startService(options);
      const client = new ServiceClient(service.url);
      await client.signIn('admin', PASSWORD);
      const send = async (
        method: 'GET' | 'POST' | 'PUT' | 'DELETE',
        path: string,
        json?: unknown,
        headers = {},
      ) => {
        const answer = await client.send({ method, path, json, headers });
        if (answer.status >= 300) throw new Error(`${answer.status} ${answer.bytes.toString()}`);
        return answer.body;
      };
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const datasets = Array.from({ length: BATCH }, (_, i) => ({
          A: String(batch * BATCH + i),
          B: `to be purged ${i}`,
        }));
        await send('POST', datasetsPath(built), { datasets });
      }

      const path = `configuration/tables/${built.guid}`;
      const read = async (): Promise<DefinedTable> => {
        const [table] = definedTablesAnswer.parse(await send('GET', path)).tables;
        if (!table) throw new Error('There is no table.');
        return table;
      };
      /** Sends a call that begins a job, and kills the service while the job is in a phase, more than once in a long run. */
      const killIn = async (phase: DefinitionJobRow['phase'], call: () => Promise<unknown>) => {
        await inDatabase(config, (database) => holdAt(database, phase, 0));
        // Its connection ends with the service.
        const sent = call().catch(() => undefined);
        for (let kill = 1; kill <= KILLS; kill += 1) {
          await inDatabase(config, (database) => killWithin(database, phase, service));
          await inDatabase(config, (database) =>
            kill < KILLS ? holdAt(database, phase, kill) : holdNoMore(database),
          );
          service = await startService(options);
          client.url = service.url;
        }
        await sent;
        const isDone = async () => {
          const [job] = jobsAnswer.parse(await send('GET', 'configuration/jobs/1')).jobs;
          if (job?.state === 'failed') throw new Error(String(job.error));
          return job?.state === 'done';
        };
        return isDone;
      };
      const change = async (columns: object[]) => {
        const table = await read();
        const headers = { 'if-match': `"${table.version}"` };
        return send('PUT', path, { table: { ...table, columns } }, headers);
      };

      const integer = { name: 'A', type: 'integer' };
      const isConverted = await killIn('walk', () =>
        change([integer, { name: 'B', type: 'text' }]),
      );
      expect(await eventually(isConverted, LIMIT)).toBe(true);
      expect(await send('GET', `${datasetsPath(built)}?limit=1&sort=-A`)).toMatchObject({
        datasets: [{ A: BATCHES * BATCH - 1 }],
      });

      await change([integer]);
      // It is removed from the search by a job, during which it cannot be purged.
      const purge = {
        method: 'POST',
        path: `${path}/columns/B/purge`,
        json: { confirm: 'B' },
      } as const;
      const isBegun = async () => (await client.send(purge)).status < 300;
      await killIn('blank', () => eventually(isBegun, LIMIT));
      const isPurged = async () => (await read()).columns.length === 1;
      expect(await eventually(isPurged, LIMIT)).toBe(true);
      await service.stop();
      await inDatabase(config, async (database) => {
        expect(await tablesWith(database, 'to be purged')).toEqual([]);
        expect(await findings(database, config)).toEqual([]);
      });
    },
  );
});

/**
 * Lets the database refuse the progress of a job from a part of the phase on, so that the job is in this phase until
 * the service is killed, on any machine. The service tries a refused part several times.
 * @param kill how often the service was killed in this phase: the job may continue further each time
 */
async function holdAt(database: Database, phase: string, kill: number): Promise<void> {
  await holdNoMore(database);
  const condition = `new.phase = '${phase}' and new.done * ${2 * KILLS} > new.total * ${1 + 2 * kill}`;
  const statements = database.adapter.isShared
    ? [
        `create function hold_job() returns trigger language plpgsql as $$ begin raise 'held'; end $$`,
        `create trigger hold_job before update on definition_jobs for each row when (${condition}) execute function hold_job()`,
      ]
    : [
        `create trigger hold_job before update on definition_jobs when ${condition} begin select raise(abort, 'held'); end`,
      ];
  await execute(database, statements);
}

async function holdNoMore(database: Database): Promise<void> {
  await execute(
    database,
    database.adapter.isShared
      ? ['drop trigger if exists hold_job on definition_jobs', 'drop function if exists hold_job()']
      : ['drop trigger if exists hold_job'],
  );
}

async function execute(database: Database, statements: readonly string[]): Promise<void> {
  await database.write(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db.k);
  });
}

/**
 * Kills a service while its job is in a phase of which something is done and something is not. The lease of the killed
 * process ends at once, so that nobody has to wait for it.
 */
async function killWithin(
  database: Database,
  phase: DefinitionJobRow['phase'],
  service: ServiceProcess | undefined,
): Promise<void> {
  const isWithin = async (): Promise<boolean> => {
    const job = await database.read((db) =>
      db.k
        .selectFrom('definition_jobs')
        .select('id')
        .where('state', '=', 'running')
        .where('phase', '=', phase)
        .where('done', '>', 0)
        .whereRef('done', '<', 'total')
        .executeTakeFirst(),
    );
    return job !== undefined;
  };
  if (!(await eventually(isWithin, LIMIT))) throw new Error(`No job was in the phase ${phase}.`);
  await service?.kill();
  await database.write((db) =>
    db.k.updateTable('definition_jobs').set({ lease_until: 0 }).execute(),
  );
}

async function inDatabase<T>(
  config: DatabaseConfig,
  work: (database: Database) => Promise<T>,
  access: DatabaseAccess = 'write',
): Promise<T> {
  const database = await openDatabase(config, { access });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
