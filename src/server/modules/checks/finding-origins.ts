import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import { chunks, READ_CHUNK_SIZES } from '#server/database/records/bulk-statements.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Finding } from '#shared/contract/answers.ts';
import type { Figures, Origin } from '#shared/contract/check-figures.ts';
import { readStoredHistories, type StoredEntry } from '../history/history.service.ts';
import { findingsOf } from './findings.service.ts';

/** What batches have written, and when. */
interface Job {
  readonly kind: 'edit' | 'import' | 'paste';
  readonly owner: string;
  readonly from: number;
  readonly to: number;
}

/** The findings of some records by field and by origin. @param ids with findings */
export async function examineFindings(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Figures['examined']> {
  const fields = new Map<string, number>();
  const origins = new Map<Origin, number>();
  const jobs = await readJobs(db, collection);
  for (const some of chunks(ids, READ_CHUNK_SIZES)) {
    const records = await readRecords(db, collection, some);
    const findings = await findingsOf(db, collection, [...records.values()]);
    const histories = await readStoredHistories(db, collection, some);
    for (const [id, found] of findings) {
      for (const finding of found) {
        for (const name of finding.fields) fields.set(name, (fields.get(name) ?? 0) + 1);
        const origin = originOf(histories.get(id) ?? [], finding, jobs);
        origins.set(origin, (origins.get(origin) ?? 0) + 1);
      }
    }
    await yieldToEventLoop();
  }
  return {
    records: ids.length,
    fields: [...fields]
      .map(([name, findings]) => ({ name, findings }))
      .toSorted((a, b) => b.findings - a.findings),
    origins: [...origins]
      .map(([origin, findings]) => ({ origin, findings }))
      .toSorted((a, b) => b.findings - a.findings),
  };
}

/**
 * The origin of the newest value among those that a finding highlights.
 * @param entries of the record, newest first
 */
function originOf(
  entries: readonly StoredEntry[],
  { fields }: Finding,
  jobs: readonly Job[],
): Origin {
  const made = entries.find(
    ({ kind, changes }) =>
      // A field without a value since then is not in the entry.
      kind === 'create' || kind === 'load' || changes.some(({ name }) => fields.includes(name)),
  );
  return made ? originOfEntry(made, jobs) : 'other';
}

/** The call that wrote an entry: its method and route, or a command. */
function originOfEntry({ kind, call, username, at, userId }: StoredEntry, jobs: readonly Job[]) {
  if (kind === 'load') return 'load';
  if (kind === 'restore') return 'undo';
  if (/\/bulkedits\//.test(call)) {
    const kinds = new Set(
      jobs
        .filter(({ owner, from, to }) => owner === username && at >= from && at <= to)
        .map((job) => job.kind),
    );
    const [single] = kinds;
    return single && kinds.size === 1 ? single : 'bulk';
  }
  if (call.endsWith('/archives/:archive/indexdata')) return 'edit';
  if (/\/(?:documents|datasets)(?:\/|$)/.test(call)) return 'person';
  return userId === null ? 'other' : 'definition';
}

/** The applied and stored batches; some were writing until now. */
async function readJobs(db: Transaction, { kind, id }: Collection): Promise<Job[]> {
  const { rows } = await sql<Job>`
    select kind, owner_name as owner, created_at as "from", coalesce(finished_at, ${Date.now()}) as "to"
    from bulk_edits
    where scope = ${kind} and thing_id = ${id} and actor is not null`.execute(db.k);
  return rows;
}
