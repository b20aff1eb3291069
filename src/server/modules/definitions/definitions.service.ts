import * as texts from '#messages/service/definitions.ts';
import type { Transaction } from '#server/database/database.ts';
import { addFields, createRecordTable } from '#server/database/records/record-tables.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { matchesVersion } from '#shared/contract/etags.ts';
import { DEFAULT_LIMITS, type CollectionLimits } from '#shared/rules/limits.ts';
import { findByName, nameKey } from '#shared/rules/names.ts';
import { withChecks } from './collection-checks.ts';
import * as store from './definitions.store.ts';
import { readArchives, readDefinitionForLoad, readTables } from './stored-definitions.ts';
import { findActiveJob } from '../definition-jobs/job-rows.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import { recordSystemHistory, type Actor, type AuditState } from '../history/history.service.ts';
import {
  activeOf,
  addedFieldState,
  type DefinitionState,
  type FieldState,
} from './definition-state.ts';
import { LOCAL_TIME_ZONE, toCollection } from './definition-collection.ts';

/** The definition has another version than the caller expects. */
export class DefinitionChanged extends Error {
  override readonly name = 'DefinitionChanged';
}

/**
 * @param ifMatch null: any version
 * @throws {DefinitionChanged}
 */
export function requireVersion({ version }: DefinitionState, ifMatch: string | null): void {
  if (ifMatch !== null && !matchesVersion(ifMatch, version)) throw new DefinitionChanged();
}

interface Snapshot {
  readonly version: string;
  readonly archives: readonly Archive[];
  readonly tables: readonly Table[];
  readonly archivesByKey: ReadonlyMap<string, Archive>;
  readonly tablesByGuid: ReadonlyMap<string, Table>;
}

/** The transactions that have changed a definition. */
const changingTransactions = new WeakSet<Transaction>();

interface DefinitionOptions {
  /** of requests to each archive and table */
  readonly limits?: CollectionLimits;
  /** in which the day begins for rules of checks */
  readonly timeZone?: string;
  /** How long reads use definitions without checking for changes by other processes, in milliseconds. */
  readonly maxAge?: number;
}

/** The defined archives and tables, without retired ones; loaded on demand, and cached. */
export class Definitions {
  readonly #limits: CollectionLimits;
  readonly #timeZone: string;
  readonly #maxAge: number;
  #snapshot: Snapshot | undefined;
  /** when the transaction began that has read the snapshot */
  #readFrom = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** transactions that began before may have read the previous state */
  #expiredAt = Number.NEGATIVE_INFINITY;

  constructor({
    limits = DEFAULT_LIMITS,
    timeZone = LOCAL_TIME_ZONE,
    maxAge = 500,
  }: DefinitionOptions = {}) {
    this.#limits = limits;
    this.#timeZone = timeZone;
    this.#maxAge = maxAge;
  }

  /** in definition order */
  async archives(db: Transaction): Promise<readonly Archive[]> {
    return (await this.#current(db)).archives;
  }

  async tables(db: Transaction): Promise<readonly Table[]> {
    return (await this.#current(db)).tables;
  }

  /**
   * By GUID or table name, ignoring case. In a write the definition is locked until the end of the transaction, so that
   * no write uses two definitions.
   */
  findArchive(db: Transaction, key: string): Promise<Archive | undefined> {
    return this.#find(db, ({ archivesByKey }) => archivesByKey.get(nameKey(key)));
  }

  /** By GUID, ignoring case; else as `findArchive`. */
  findTable(db: Transaction, guid: string): Promise<Table | undefined> {
    return this.#find(db, ({ tablesByGuid }) => tablesByGuid.get(nameKey(guid)));
  }

  /** As `findArchive` and `findTable`, by the database id. */
  findById(db: Transaction, kind: Collection['kind'], id: number): Promise<Collection | undefined> {
    return this.#find<Collection>(db, ({ archives, tables }) =>
      (kind === 'archive' ? archives : tables).find((collection) => collection.id === id),
    );
  }

  /** Called when definitions may have changed: the next use checks this. */
  invalidate(): void {
    this.#expiredAt = performance.now();
  }

  /** In a write: locks the definition, and finds it again if it was changed before the lock. */
  async #find<Kind extends Collection>(
    db: Transaction,
    of: (known: Snapshot) => Kind | undefined,
  ): Promise<Kind | undefined> {
    if (!db.isWrite) return of(await this.#current(db));
    let found = this.#snapshot && of(this.#snapshot);
    for (;;) {
      // A single lock is enough: another definition of it has the same database table.
      if (found) await db.adapter.lockDefinitionShared(db, found);
      const now = of(await this.#check(db));
      if (now?.id === found?.id) return now;
      found = now;
    }
  }

  #current(db: Transaction): Promise<Snapshot> | Snapshot {
    const isFresh =
      this.#checkedAt > this.#expiredAt && performance.now() - this.#checkedAt < this.#maxAge;
    return this.#snapshot && !db.isWrite && isFresh ? this.#snapshot : this.#check(db);
  }

  /** The snapshot, read again if a definition was changed. */
  async #check(db: Transaction): Promise<Snapshot> {
    const version = await store.readDefinitionVersion(db);
    // On SQLite writes share a commit: what one of them sees, another one may have changed, and may still fail.
    const seesCommitted = db.adapter.isShared || !db.isWrite;
    if (this.#snapshot?.version === version) {
      if (seesCommitted) this.#checkedAt = Math.max(this.#checkedAt, db.startedAt);
      return this.#snapshot;
    }
    const read = await this.#read(db, version);
    // Definitions that this transaction has changed, or older ones than the cached, are used only in it.
    if (!changingTransactions.has(db) && db.startedAt > this.#readFrom) {
      this.#snapshot = read;
      this.#readFrom = db.startedAt;
      this.#checkedAt = seesCommitted ? db.startedAt : Number.NEGATIVE_INFINITY;
    }
    return read;
  }

  async #read(db: Transaction, version: string): Promise<Snapshot> {
    const stored = await readDefinitions(db);
    const [limits, timeZone] = [this.#limits, this.#timeZone];
    const archives = stored.archives.map((archive) => ({ ...archive, limits, timeZone }));
    const tables = stored.tables.map((table) => ({ ...table, limits, timeZone }));
    return {
      version,
      archives,
      tables,
      archivesByKey: new Map(
        archives.flatMap((archive) => [
          [nameKey(archive.name), archive],
          [nameKey(archive.guid), archive],
        ]),
      ),
      tablesByGuid: new Map(tables.map((table) => [nameKey(table.guid), table])),
    };
  }
}

/** The notification that a definition has changed. */
export const DEFINITIONS_CHANGED = 'definitions';

/**
 * Defines a new archive or table: its definition and its empty database tables, without indexes on the fields
 * (`createIndexes`, after its rows).
 * @param actor the author, for the history
 */
export async function defineCollection(
  db: Transaction,
  state: DefinitionState,
  actor: Actor,
): Promise<Collection> {
  const id = await store.insertDefinition(db, state);
  const collection = toCollection(id, state, null);
  await createRecordTable(db, collection);
  await recordChange(db, collection, null, actor);
  return withChecks(collection, await readTables(db));
}

/** Adds missing fields and checks to an archive or table; names of retired fields do not count as missing. */
export async function extendCollection(
  db: Transaction,
  collection: Collection,
  wanted: Pick<DefinitionState, 'fields' | 'keywordFields' | 'checks'>,
  actor: Actor,
): Promise<Collection> {
  const { state } = await readDefinitionForLoad(db, collection.kind, collection.id);
  await requireNoJob(db, collection.kind, collection.id);
  let { nextNumber } = state;
  const add = <Field extends { readonly name: string }>(
    known: readonly FieldState<Field>[],
    fields: readonly FieldState<Field>[],
  ): FieldState<Field>[] => {
    const names = known.map(({ field }) => field);
    const added = fields
      .filter(({ field }) => !findByName(names, field.name))
      .map(({ field }) => addedFieldState(state, field, nextNumber++));
    return [...activeOf(known), ...added, ...known.filter(({ retiredAt }) => retiredAt !== null)];
  };
  const fields = add(state.fields, wanted.fields);
  const keywordFields = add(state.keywordFields, wanted.keywordFields);
  const newChecks = wanted.checks.filter(({ name }) => !findByName(state.checks, name));
  if (nextNumber === state.nextNumber && newChecks.length === 0) return collection;
  const checks = [...state.checks, ...newChecks];
  const next = { ...state, fields, keywordFields, checks, nextNumber, version: state.version + 1 };
  const extended = await changeDefinition(db, collection.id, next, null, actor);
  const added = extended.fields.filter(({ number }) => number >= state.nextNumber);
  await addFields(db, toCollection(collection.id, next, null, 'all'), added);
  return withChecks(extended, await readTables(db));
}

/**
 * Stores a changed definition, with its entry in the history.
 * @param retiredAt of the archive or table as a whole
 */
export async function changeDefinition(
  db: Transaction,
  id: number,
  state: DefinitionState,
  retiredAt: number | null,
  actor: Actor,
): Promise<Collection> {
  const before = await store.readAudited(db, state.kind, id);
  await store.updateDefinition(db, id, state, retiredAt);
  const collection = toCollection(id, state, retiredAt);
  await recordChange(db, collection, before, actor);
  return collection;
}

/** Removes the definition of a purged archive or table: its name and GUID are free again. */
export async function removeDefinition(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  actor: Actor,
): Promise<void> {
  const before = await store.readAudited(db, kind, id);
  await store.deleteDefinition(db, kind, id);
  const event = { scope: 'definition', kind: 'delete', before, after: null } as const;
  await recordSystemHistory(db, actor, Date.now(), {
    ...event,
    collectionId: DEFINITION_SUBJECT_IDS[kind],
    rowId: id,
  });
  await notifyChange(db);
}

/** @throws {ApiError} 409 while a job changes the definition */
export async function requireNoJob(
  db: Transaction,
  kind: Collection['kind'],
  id: number,
): Promise<void> {
  const job = await findActiveJob(db, kind, id);
  if (job) throw new ApiError('conflict', texts.jobRunning({ job: job.id }));
}

/** `thing_id` in history entries of definitions. */
export const DEFINITION_SUBJECT_IDS = { archive: 1, table: 2 } as const;

/** Adds a change of a definition to the history, and announces it. */
async function recordChange(
  db: Transaction,
  { kind, id }: Collection,
  before: AuditState | null,
  actor: Actor,
): Promise<void> {
  await recordSystemHistory(db, actor, Date.now(), {
    scope: 'definition',
    kind: before ? 'change' : 'create',
    collectionId: DEFINITION_SUBJECT_IDS[kind],
    rowId: id,
    before,
    after: await store.readAudited(db, kind, id),
  });
  await notifyChange(db);
}

/** Invalidates the caches of all processes. */
async function notifyChange(db: Transaction): Promise<void> {
  changingTransactions.add(db);
  await store.raiseDefinitionVersion(db);
  await db.notify(DEFINITIONS_CHANGED);
}

/** The current state of each archive or table as the history stores it, retired ones included; by id. */
export async function readDefinitionAuditStates(
  db: Transaction,
  kind: Collection['kind'],
): Promise<Map<number, AuditState>> {
  const rows = await store.readAllAudited(db, kind);
  return new Map(rows.map(({ id, ...stored }) => [id, stored]));
}

/** All definitions, from the database: for the loader, whose own definitions are not committed yet. */
export async function readDefinitions(
  db: Transaction,
): Promise<{ archives: Archive[]; tables: Table[] }> {
  const tables = await readTables(db);
  const archives = await readArchives(db);
  return {
    archives: archives.map((archive) => withChecks(archive, tables)),
    tables: tables.map((table) => withChecks(table, tables)),
  };
}
