import { randomUUID } from 'node:crypto';
import { BackgroundLoop } from '#server/background-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { WarningLog } from '#server/warning-log.ts';
import type { BuiltInCheck } from '#shared/rules/check-words.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readLastPosition, readSequencedEntries } from '../history/history.service.ts';
import { markCompared, readExtracted, readRevisionsWith } from '../page-texts/file-texts.store.ts';
import { deleteMisses, isOnPages } from '../page-texts/page-misses.ts';
import * as store from './check-states.store.ts';
import type { CheckState } from './check-states.store.ts';
import { updateFindings, type CountedCheck } from './update-findings.ts';
import { recountCheck, recomputeMeasures } from './recount-check.ts';

/** The polling interval for changes by other processes, in milliseconds. */
const POLL_INTERVAL = 1_000;
/** Delay between an entry of the history and its counting, so that one run serves several. */
const WAKE_DELAY = 100;
/** The lease of counting after its last part; afterwards the process counts as dead. */
const LEASE = 10_000;
/** Entries of the history that one write processes. */
const FOLLOWED_AT_ONCE = 100;
/** Extracted texts that one write compares with records. */
const TEXTS_AT_ONCE = 20;
/** If it is further behind, all records are checked again instead. */
const MAX_FOLLOWED = 10_000;

const PAGE: BuiltInCheck = '_page';

/** Counts the findings of checks in the background, and follows every change (docs/decisions: checks). */
export interface CheckCounting {
  wake(): void;
  close(): Promise<void>;
}

/** @param onTextsQueued called when files may have been queued for text extraction */
export function countChecks(
  database: Database,
  definitions: Definitions,
  log: WarningLog,
  onTextsQueued: () => void,
): CheckCounting {
  const owner = randomUUID();
  const claim = (db: Transaction) => store.claimWorker(db, owner, Date.now(), Date.now() + LEASE);

  const collections = async (db: Transaction): Promise<Collection[]> => [
    ...(await definitions.archives(db)),
    ...(await definitions.tables(db)),
  ];

  /** Synchronises the states with the defined checks. @returns whether this process has the lease */
  const reconcile = async (): Promise<boolean> => {
    const worker = await database.read(store.readWorker);
    const position = await database.read(readLastPosition);
    if (!worker) await database.write((db) => store.insertWorker(db, position), 'row locks');
    const differs = await database.read(async (db) => {
      const { removed, added } = differences(
        await collections(db),
        await store.readStates(db, null),
      );
      return removed.length + added.length > 0;
    });
    if (!differs) return true;
    return database.write(async (db) => {
      if (!(await claim(db))) return false;
      const { removed, added } = differences(
        await collections(db),
        await store.readStates(db, null),
      );
      await store.deleteStates(
        db,
        removed.map(({ id }) => id),
      );
      for (const { scope, thing_id: id, name } of removed) {
        if (scope === 'archive' && name === PAGE) await deleteMisses(db, { id }, null);
      }
      for (const { collection, name, fingerprint } of added) {
        await store.beginState(db, collection, name, fingerprint);
      }
      return true;
    }, 'row locks');
  };

  /** Processes the next entries of the history. @returns whether there may be more */
  const follow = async (): Promise<boolean> => {
    const [worker, last] = await database.read(async (db) => [
      await store.readWorker(db),
      await readLastPosition(db),
    ]);
    if (!worker || worker.position >= last) return false;
    let mayHaveQueued = false;
    const isOwn = await database.write(async (db) => {
      const own = await claim(db);
      if (!own) return false;
      if (last - own.position > MAX_FOLLOWED) {
        await db.k.updateTable('check_states').set({ count: null, due_at: 0 }).execute();
        await store.storePosition(db, last);
        return true;
      }
      const { entries, upTo } = await readSequencedEntries(db, own.position, FOLLOWED_AT_ONCE);
      for (const kind of ['archive', 'table'] as const) {
        const ofKind = entries.filter(({ scope }) => scope === kind);
        for (const [id, some] of Map.groupBy(ofKind, ({ collectionId }) => collectionId)) {
          const collection = await definitions.findById(db, kind, id);
          if (!collection) continue;
          const states = await store.readStates(db, collection);
          const ids = [...new Set(some.map(({ rowId }) => rowId))];
          const counted = countedOf(collection, states).filter(({ state }) => state.count !== null);
          const authors = new Map(some.map(({ rowId, userId }) => [rowId, userId ?? 0]));
          await updateFindings(db, collection, counted, ids, authors);
          if (counted.some(({ check }) => isOnPages(check))) mayHaveQueued = true;
          if (kind === 'table') await renewLookups(db, collection);
        }
      }
      await store.storePosition(db, upTo);
      return true;
    }, 'row locks');
    if (mayHaveQueued) onTextsQueued();
    return isOwn;
  };

  /** Compares records with the newly extracted texts of their files. @returns whether there were any */
  const compareTexts = async (): Promise<boolean> => {
    const waiting = await database.read((db) => readExtracted(db, 1));
    if (waiting.length === 0) return false;
    return database.write(async (db) => {
      if (!(await claim(db))) return false;
      const texts = await readExtracted(db, TEXTS_AT_ONCE);
      if (texts.length === 0) return false;
      const locations = texts.map(({ location }) => location);
      for (const [id, ids] of await readRevisionsWith(db, locations)) {
        const archive = await definitions.findById(db, 'archive', id);
        if (!archive) continue;
        const counted = countedOf(archive, await store.readStates(db, archive)).filter(
          ({ check, state }) => isOnPages(check) && state.count !== null,
        );
        if (counted.length > 0) {
          await updateFindings(db, archive, counted, [...new Set(ids)], null);
        }
      }
      await markCompared(
        db,
        texts.map(({ sha256 }) => sha256),
      );
      return true;
    }, 'row locks');
  };

  /** Marks the checks that look up values in a table for recounting. */
  const renewLookups = async (db: Transaction, table: Collection): Promise<void> => {
    for (const collection of await collections(db)) {
      const names = collection.checks
        .filter(({ lookups }) => lookups.some((one) => one.table.id === table.id))
        .map(({ name }) => name);
      if (names.length === 0) continue;
      await db.k
        .updateTable('check_states')
        .set({ due_at: 0 })
        .where('scope', '=', collection.kind)
        .where('thing_id', '=', collection.id)
        .where('name', 'in', names)
        .execute();
    }
  };

  /** Counts the checks of one archive or table that are due. @returns whether any was due */
  const countDue = async (signal: AbortSignal): Promise<boolean> => {
    const now = Date.now();
    const due = await database.read(async (db) => {
      const state = (await store.readStates(db, null)).find(({ due_at }) => due_at <= now);
      if (!state) return null;
      const all = await collections(db);
      const collection = all.find(({ kind, id }) => kind === state.scope && id === state.thing_id);
      if (!collection) return null;
      const states = (await store.readStates(db, collection)).filter(({ due_at }) => due_at <= now);
      return { collection, counted: countedOf(collection, states) };
    });
    if (!due) return false;
    const context = {
      database,
      signal,
      claim: async (db: Transaction) => (await claim(db)) !== undefined,
    };
    const { collection, counted } = due;
    const isMeasured = counted.some(({ check }) =>
      check.parts.some(({ measure }) => measure && measure.kind !== 'page'),
    );
    if (isMeasured && !(await recomputeMeasures(context, collection))) return false;
    for (const one of counted) if (!(await recountCheck(context, collection, one))) return false;
    if (counted.some(({ check }) => isOnPages(check))) onTextsQueued();
    return counted.length > 0;
  };

  let prepared = false;
  const loop = new BackgroundLoop({
    name: 'counting the findings of checks',
    log,
    wakeDelay: WAKE_DELAY,
    async run(signal) {
      // A single process uses the database: a lease found at its start belongs to a process that has ended.
      if (!prepared && !database.adapter.isShared) {
        await database.write((db) => store.releaseWorker(db, null), 'row locks');
      }
      prepared = true;
      let isBusy = true;
      while (isBusy && !signal.aborted) {
        if (!(await reconcile())) break;
        isBusy = (await follow()) || (await compareTexts()) || (await countDue(signal));
      }
      return POLL_INTERVAL;
    },
  });

  return {
    wake: () => loop.wake(),
    async close() {
      await loop.close();
      await database
        .write((db) => store.releaseWorker(db, owner), 'row locks')
        .catch(() => undefined);
    },
  };
}

/** The checks with their states. */
function countedOf(collection: Collection, states: readonly CheckState[]): CountedCheck[] {
  return collection.checks.flatMap((check) => {
    const state = states.find(
      ({ name, fingerprint }) => name === check.name && fingerprint === check.fingerprint,
    );
    return state ? [{ check, state }] : [];
  });
}

/** The states of removed checks, and the checks without a state. */
function differences(collections: readonly Collection[], states: readonly CheckState[]) {
  const keyOf = (scope: string, id: number, name: string, fingerprint: string) =>
    JSON.stringify([scope, id, name, fingerprint]);
  const checks = collections.flatMap((collection) =>
    collection.checks.map(({ name, fingerprint }) => ({ collection, name, fingerprint })),
  );
  const wanted = new Set(
    checks.map(({ collection: { kind, id }, name, fingerprint }) =>
      keyOf(kind, id, name, fingerprint),
    ),
  );
  const known = new Set(
    states.map((state) => keyOf(state.scope, state.thing_id, state.name, state.fingerprint)),
  );
  return {
    removed: states.filter(
      (state) => !wanted.has(keyOf(state.scope, state.thing_id, state.name, state.fingerprint)),
    ),
    added: checks.filter(
      ({ collection: { kind, id }, name, fingerprint }) =>
        !known.has(keyOf(kind, id, name, fingerprint)),
    ),
  };
}
