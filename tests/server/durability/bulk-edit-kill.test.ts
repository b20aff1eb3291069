import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openDatabase, type Database, type DatabaseConfig } from '#server/db/database.ts';
import { readRecords } from '#server/db/records/read-records.ts';
import type { Archive } from '#server/db/records/thing.ts';
import { bulkEditsAnswer, type AnsweredBulkEdit } from '#shared/bulk-edit-answers.ts';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { nothingIsLost } from './losses.ts';

const MANY = 6_000;
/** How often the service is killed while it applies, and again while it takes back; on PostgreSQL each takes long. */
const KILLS = { sqlite: 2, postgres: 1 } as const;
/** On PostgreSQL a killed process keeps its job for up to 10 s. */
const LONGEST_WAIT = 60_000;

describeOnBothDatabases('A service that is killed in a bulk edit', (_open, databases) => {
  const kills = KILLS[databases.dialect];
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test(
    'goes on after each restart, with nothing done twice, left out or half done',
    { timeout: 60_000 + 2 * kills * LONGEST_WAIT },
    async () => {
      const config = await databases.prepare();
      const archive = await inDatabase(config, async (database) => {
        const made = await buildArchive(database, [
          { name: 'NAME' },
          { name: 'COUNT', type: 'integer' },
        ]);
        const rows = Array.from({ length: MANY }, (_, i) => [`name ${i}`, i]);
        await buildRecords(database, made, rows);
        await buildUser(database, { username: 'keeper', role: 'administrator' });
        return made;
      });
      const options = { ...config, args: ['--empty'] };
      service = await startService(options);
      const client = new ServiceClient(service.url);
      await client.signIn('keeper', PASSWORD);
      const path = `${archivePath(archive)}/bulkedits`;
      const edits = [
        { field: 'NAME', do: 'append', text: '!' },
        { field: 'COUNT', do: 'set', value: -1 },
      ];
      const planned = await one(client, 'POST', path, { selection: { filter: '' }, edits });
      const at = `${path}/${planned.bulkEditId}`;

      const killWhile = async (progress: (counts: AnsweredBulkEdit['counts']) => number) => {
        const from = progress((await one(client, 'GET', at)).counts);
        await until(client, at, ({ counts }) => progress(counts) > from);
        await setTimeout(Math.random() * 40);
        await service?.kill();
        const { counts, problems } = await inDatabase(config, (database) =>
          stored(database, archive),
        );
        nothingIsLost(problems);
        // Otherwise it had ended before it was killed.
        expect(progress(counts)).toBeLessThan(MANY);
        service = await startService(options);
        client.url = service.url;
      };

      await client.send({ method: 'POST', path: `${at}/apply`, json: { onChanged: 'refuse' } });
      for (let kill = 0; kill < kills; kill += 1) await killWhile(({ done }) => done);
      expect(await until(client, at, hasEnded)).toMatchObject({
        state: 'done',
        counts: { done: MANY, pending: 0, conflicts: 0 },
      });

      await client.send({ method: 'POST', path: `${at}/undo` });
      for (let kill = 0; kill < kills; kill += 1) await killWhile(({ takenBack }) => takenBack);
      expect(await until(client, at, hasEnded)).toMatchObject({
        state: 'undone',
        counts: { done: 0, takenBack: MANY, left: 0 },
      });
      await service.stop();
      const { problems, versions, entries } = await inDatabase(config, (database) =>
        stored(database, archive),
      );
      expect({ problems, versions, entries }).toEqual({
        problems: [],
        versions: [3],
        entries: 2 * MANY,
      });
    },
  );
});

/** The version of a revision by what has become of it. */
const VERSIONS: Readonly<Record<string, number>> = { changed: 1, done: 2, takenback: 3 };

/** What the database holds of the job, and where records, history, outcomes and counts contradict each other. */
function stored(database: Database, archive: Archive) {
  return database.read(async (db) => {
    const [job] = await db.k.selectFrom('bulk_edits').selectAll().execute();
    const outcomes = await db.k
      .selectFrom('bulk_edit_revisions')
      .select(['row_id', 'outcome'])
      .execute();
    const history = await db.k
      .selectFrom('history')
      .select(['row_id', 'version'])
      .where('scope', '=', 'archive')
      .execute();
    const ids = Array.from({ length: MANY }, (_, i) => i + 1);
    const records = (await readRecords(db, archive, ids)).values().toArray();
    const counts: AnsweredBulkEdit['counts'] = JSON.parse(job?.counts ?? '{}');
    const outcomeOf = new Map(outcomes.map(({ row_id: id, outcome }) => [id, outcome]));
    const written = Map.groupBy(history, ({ row_id: id }) => id);
    const problems: string[] = [];
    if (records.length !== MANY) problems.push(`${records.length} revisions are there`);
    for (const { id, version, values } of records) {
      const [name, count] = values;
      const outcome = outcomeOf.get(id) ?? 'none';
      const done = outcome === 'done';
      const wanted = {
        version: VERSIONS[outcome],
        name: `name ${id - 1}${done ? '!' : ''}`,
        count: done ? -1 : id - 1,
      };
      if (version !== wanted.version || name !== wanted.name || count !== wanted.count) {
        problems.push(`revision ${id} is ${outcome}, but ${version} ${name} ${count}`);
      }
      const versions = (written.get(id) ?? []).map((entry) => entry.version).sort((a, b) => a - b);
      if (versions.join() !== [2, 3].slice(0, version - 1).join()) {
        problems.push(`revision ${id} of version ${version} has history of ${versions.join()}`);
      }
    }
    const tally = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
    const told = [counts.pending, counts.done, counts.takenBack].join();
    const found = [tally('changed'), tally('done'), tally('takenback')].join();
    if (told !== found) problems.push(`the job tells ${told}, its revisions ${found}`);
    const versions = [...new Set(records.map(({ version }) => version))];
    return { counts, problems, versions, entries: history.length };
  });
}

/** Opens the database of a service that does not run. */
async function inDatabase<T>(
  config: DatabaseConfig,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function one(
  client: ServiceClient,
  method: 'GET' | 'POST',
  path: string,
  json?: unknown,
): Promise<AnsweredBulkEdit> {
  const answer = await client.send({ method, path, json });
  const [bulkEdit] = answer.status < 300 ? bulkEditsAnswer.parse(answer.body).bulkedits : [];
  if (!bulkEdit) throw new Error(`No bulk edit: ${answer.status} ${answer.bytes.toString()}`);
  return bulkEdit;
}

async function until(
  client: ServiceClient,
  at: string,
  enough: (bulkEdit: AnsweredBulkEdit) => boolean,
): Promise<AnsweredBulkEdit> {
  for (const late = performance.now() + LONGEST_WAIT; ;) {
    const bulkEdit = await one(client, 'GET', at);
    if (enough(bulkEdit)) return bulkEdit;
    if (performance.now() > late) throw new Error(`Still ${JSON.stringify(bulkEdit)}`);
    await setTimeout(5);
  }
}

function hasEnded({ state }: AnsweredBulkEdit): boolean {
  return state !== 'applying' && state !== 'undoing';
}
