import type { FastifyBaseLogger } from 'fastify';
import { BackgroundLoop } from '#server/lib/background-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { isLookupIn, lookupsOfChecks } from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { TableFields } from '#server/database/records/columns.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import { mustBeUnique } from '../records/unique-columns.ts';

/** How long nobody must have written before an index is created, in milliseconds. */
export const QUIET_PERIOD = 5_000;

/** How long it waits for that at most, in milliseconds, and then between two fields. */
const MAX_WAIT = { first: 24 * 3_600_000, next: 60_000 } as const;

/** How often it looks for fields that another process has added, in milliseconds. */
const POLL_INTERVAL = 600_000;

/** A job that changes a definition wakes the loop after each of its parts: one look serves several, in milliseconds. */
const WAKE_DELAY = 1_000;

/**
 * Creates in the background the indexes that fields lack: those that a load has not created because it was interrupted, and
 * on SQLite those of fields that were added to large tables. While SQLite creates one nobody can save, so it waits for moments
 * in which nobody does (`Database.untilQuiet`). Until then lists read the table instead.
 */
export function runIndexCompletion(
  database: Database,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Pick<BackgroundLoop, 'wake' | 'close'> {
  /** aborted when definitions may have changed */
  let change = new AbortController();
  const createAll = async (signal: AbortSignal) => {
    const until = performance.now() + MAX_WAIT.first;
    for (;;) {
      const changed = change.signal;
      const found = await database.read(findNext);
      if (!found || signal.aborted) return;
      const { name, field } = found;
      if (!found.isNeededBySaves) {
        const maxWait = Math.max(until - performance.now(), MAX_WAIT.next);
        await database.untilQuiet(QUIET_PERIOD, maxWait, AbortSignal.any([signal, changed]));
      }
      if (changed.aborted) continue;
      const report = (index: string) => log.info({ collection: name, index }, 'creating an index');
      await database.completeIndexes(field, report, signal);
    }
  };
  const loop = new BackgroundLoop({
    name: 'creating indexes',
    log,
    wakeDelay: WAKE_DELAY,
    async run(signal) {
      try {
        await createAll(signal);
      } catch (error) {
        // Each attempt reads a whole table: not again at once.
        if (!signal.aborted) log.warn({ err: error }, 'an index could not be created');
      }
      return POLL_INTERVAL;
    },
  });
  return {
    wake() {
      change.abort();
      change = new AbortController();
      loop.wake();
    },
    close: () => loop.close(),
  };
}

/** The next field that lacks indexes. */
interface FieldWithoutIndex {
  /** of its archive or table */
  readonly name: string;
  /** as part of its table */
  readonly field: TableFields;
  /** whether saves look up values in it, and would read the whole table */
  readonly isNeededBySaves: boolean;
}

async function findNext(db: Transaction): Promise<FieldWithoutIndex | undefined> {
  const { archives, tables } = await readDefinitions(db);
  const collections: Collection[] = [...archives, ...tables];
  const lookups = collections.flatMap(({ checks }) => lookupsOfChecks(checks));
  const found = (await db.adapter.fieldsWithoutIndexes(db, collections)).flatMap(
    ({ collection, fields }) =>
      fields.map((field) => ({
        name: collection.name,
        field: { kind: collection.kind, id: collection.id, fields: [field] },
        isNeededBySaves:
          mustBeUnique(collection, field) ||
          lookups.some(
            (lookup) => isLookupIn(collection, lookup) && lookup.field.number === field.number,
          ),
      })),
  );
  return found.find(({ isNeededBySaves }) => isNeededBySaves) ?? found[0];
}
