import { setTimeout } from 'node:timers/promises';
import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { bulkEditsAnswer, type AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { buildUser } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';
import type { ServiceClient } from '#tests/support/service-client.ts';

export const KEEPER = 'keeper';
/** On PostgreSQL a killed process keeps its job for up to 10 s, and a machine may be busy. */
export const MAX_WAIT = 120_000;

/** An archive of so many revisions in a new database, and an administrator. */
export function prepareArchive(config: DatabaseConfig, many: number): Promise<Archive> {
  return inDatabase(config, async (database) => {
    const made = await buildArchive(database, [
      { name: 'NAME' },
      { name: 'COUNT', type: 'integer' },
    ]);
    const rows = Array.from({ length: many }, (_, i) => [`name ${i}`, i]);
    await buildRecords(database, made, rows);
    await buildUser(database, { username: KEEPER, role: 'administrator' });
    return made;
  });
}

/** Plans to change all revisions of the archive. @returns the path of the bulk edit */
export async function planAll(client: ServiceClient, archive: Archive): Promise<string> {
  const path = `${archivePath(archive)}/bulkedits`;
  const edits = [
    { field: 'NAME', do: 'append', text: '!' },
    { field: 'COUNT', do: 'set', value: -1 },
  ];
  const planned = await one(client, 'POST', path, { selection: { filter: '' }, edits });
  return `${path}/${planned.bulkEditId}`;
}

/** The version of a revision by what has become of it. */
const VERSIONS: Readonly<Record<string, number>> = { changed: 1, done: 2, takenback: 3 };

/** What the database holds of the job, and where records, history, outcomes and counts contradict each other. */
export function stored(database: Database, archive: Archive, many: number) {
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
    const ids = Array.from({ length: many }, (_, i) => i + 1);
    const records = (await readRecords(db, archive, ids)).values().toArray();
    const counts: AnsweredBulkEdit['counts'] = JSON.parse(job?.counts ?? '{}');
    const outcomeOf = new Map(outcomes.map(({ row_id: id, outcome }) => [id, outcome]));
    const written = Map.groupBy(history, ({ row_id: id }) => id);
    const problems: string[] = [];
    if (records.length !== many) problems.push(`${records.length} revisions are there`);
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
export async function inDatabase<T>(
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

export async function one(
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

/** Asks until it is enough. */
export function until(
  client: ServiceClient,
  at: string,
  enough: (bulkEdit: AnsweredBulkEdit) => boolean,
): Promise<AnsweredBulkEdit> {
  return poll(client, at, enough, 5);
}

/** Asks until it has ended, seldom enough to leave it the processor. */
export function untilEnded(client: ServiceClient, at: string): Promise<AnsweredBulkEdit> {
  return poll(client, at, ({ state }) => state !== 'applying' && state !== 'undoing', 200);
}

async function poll(
  client: ServiceClient,
  at: string,
  enough: (bulkEdit: AnsweredBulkEdit) => boolean,
  every: number,
): Promise<AnsweredBulkEdit> {
  for (const late = performance.now() + MAX_WAIT; ;) {
    const bulkEdit = await one(client, 'GET', at);
    if (enough(bulkEdit)) return bulkEdit;
    if (performance.now() > late) throw new Error(`Still ${JSON.stringify(bulkEdit)}`);
    await setTimeout(every);
  }
}
