import type { Selectable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import * as leases from '#server/database/leases.ts';
import type { DefinitionJobRow } from '#server/database/tables/job-tables.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { RequestedDefinition } from '#shared/contract/configuration-bodies.ts';
import type { Actor } from '../history/history.service.ts';
import type { ChangeTally } from './change-tally.ts';

export type JobRequest =
  /** @param now the time of the plan, milliseconds since 1970 UTC */
  | {
      readonly kind: 'change';
      readonly wanted: RequestedDefinition;
      readonly keepsMisfits: boolean;
      readonly now: number;
    }
  /** @param number of the retired field; null: the whole retired archive or table */
  | { readonly kind: 'purge'; readonly number: number | null };

export interface DefinitionJob {
  readonly id: number;
  readonly scope: Collection['kind'];
  readonly collectionId: number;
  readonly state: DefinitionJobRow['state'];
  readonly phase: DefinitionJobRow['phase'];
  readonly request: JobRequest;
  readonly baseVersion: number;
  readonly position: number;
  readonly sinceEntry: number;
  readonly done: number;
  readonly total: number;
  readonly tallies: readonly ChangeTally[];
  readonly error: string | null;
  readonly actor: Actor;
}

/** Only `insertDefinitionJob` and `updateDefinitionJob` write the parsed text. */
function toJob(row: Selectable<DefinitionJobRow>): DefinitionJob {
  const request: JobRequest = JSON.parse(row.request);
  const tallies: ChangeTally[] = JSON.parse(row.tallies);
  const actor: Actor = JSON.parse(row.actor);
  return {
    id: row.id,
    scope: row.scope,
    collectionId: row.thing_id,
    state: row.state,
    phase: row.phase,
    request,
    baseVersion: row.base_version,
    position: row.position,
    sinceEntry: row.since_entry,
    done: row.done,
    total: row.total,
    tallies,
    error: row.error,
    actor,
  };
}

type NewJob = Pick<
  DefinitionJob,
  'scope' | 'collectionId' | 'phase' | 'request' | 'baseVersion' | 'actor'
> & {
  /** the process that starts it, and has its lease */
  readonly owner: string;
};

export async function insertDefinitionJob(db: Transaction, job: NewJob): Promise<number> {
  const now = Date.now();
  const { id } = await db.k
    .insertInto('definition_jobs')
    .values({
      kind: job.request.kind,
      scope: job.scope,
      thing_id: job.collectionId,
      state: 'running',
      phase: job.phase,
      request: JSON.stringify(job.request),
      base_version: job.baseVersion,
      position: Number.MIN_SAFE_INTEGER,
      since_entry: 0,
      done: 0,
      total: 0,
      tallies: '[]',
      actor: JSON.stringify(job.actor),
      created_at: now,
      ...leases.leaseOf(job.owner),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type JobChanges = Partial<
  Pick<
    DefinitionJob,
    'state' | 'phase' | 'position' | 'sinceEntry' | 'done' | 'total' | 'error' | 'tallies'
  >
>;

export async function updateDefinitionJob(
  db: Transaction,
  id: number,
  changes: JobChanges,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const { tallies, sinceEntry, state, ...same } = changes;
  const isOver = state !== undefined && !isActive({ state });
  await db.k
    .updateTable('definition_jobs')
    .set({
      ...same,
      ...(state && { state }),
      ...(tallies && { tallies: JSON.stringify(tallies) }),
      ...(sinceEntry !== undefined && { since_entry: sinceEntry }),
      ...(isOver && { finished_at: Date.now(), ...leases.NO_LEASE }),
    })
    .where('id', '=', id)
    .execute();
}

/** Marks a running job for cancellation, unless it has already changed the definition or deleted anything. */
export async function cancelDefinitionJob(db: Transaction, id: number): Promise<void> {
  await db.k
    .updateTable('definition_jobs')
    .set({ state: 'cancelling' })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('phase', 'in', ['prepare', 'walk', 'index', 'switch', 'cleanup'])
    .execute();
}

/** Ends a job that has failed too often. What a change has added is removed before: its numbers are given again. */
export async function stopDefinitionJob(db: Transaction, id: number): Promise<void> {
  const phase = (await readDefinitionJob(db, id))?.phase;
  const hasAdded = phase === 'walk' || phase === 'index' || phase === 'switch';
  const ended = hasAdded ? ({ phase: 'cleanup' } as const) : ({ state: 'failed' } as const);
  await updateDefinitionJob(db, id, { ...ended, error: 'internal' });
}

/**
 * For a copy of the database, which does not contain columns that are still being added: changes that have not changed
 * their definition yet start again, and failed changes have nothing to remove.
 */
export async function restartChanges(db: Transaction): Promise<void> {
  const unfinished = db.k
    .updateTable('definition_jobs')
    .where('state', 'in', ['running', 'cancelling']);
  await unfinished
    .set({ state: 'failed' })
    .where('state', '=', 'running')
    .where('phase', '=', 'cleanup')
    .execute();
  await unfinished
    .set({ phase: 'prepare' })
    .where('phase', 'in', ['walk', 'index', 'switch', 'cleanup'])
    .execute();
}

/** Removes what the jobs of an archive or table have found: plans of rejected changes hold values of records. */
export async function removeTallies(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
): Promise<void> {
  await db.k
    .updateTable('definition_jobs')
    .set({ tallies: '[]' })
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .execute();
}

function jobs(db: Transaction) {
  return db.k.selectFrom('definition_jobs').selectAll();
}

export async function readDefinitionJob(
  db: Transaction,
  id: number,
): Promise<DefinitionJob | undefined> {
  const row = await jobs(db).where('id', '=', id).executeTakeFirst();
  return row && toJob(row);
}

/** Whether a job is running or being cancelled. */
export function isActive({ state }: Pick<DefinitionJob, 'state'>): boolean {
  return ACTIVE.some((active) => active === state);
}

const ACTIVE = ['running', 'cancelling'] as const;

/** The active job that changes a definition. */
export async function findActiveJob(
  db: Transaction,
  scope: Collection['kind'],
  collectionId: number,
): Promise<DefinitionJob | undefined> {
  const row = await jobs(db)
    .where('state', 'in', ACTIVE)
    .where('scope', '=', scope)
    .where('thing_id', '=', collectionId)
    .executeTakeFirst();
  return row && toJob(row);
}

/** Takes or renews the lease of a job. @returns undefined if it is finished, or another process has the lease */
export async function claimDefinitionJob(
  db: Transaction,
  id: number,
  owner: string,
): Promise<DefinitionJob | undefined> {
  const row = await leases.claimJob<Selectable<DefinitionJobRow>>(db, 'definition_jobs', id, owner);
  return row && toJob(row);
}
