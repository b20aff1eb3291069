import type { Column } from '#shared/definitions.ts';
import { CallError, isPassing, toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey, retryDelay } from '#web/api/request.ts';
import { pause, watched } from '#web/api/watched.ts';
import type { Scalar } from '#shared/values.ts';
import { valueText } from '#web/ui/value-text.ts';
import type { DatasetCalls } from './datasets.calls.ts';
import {
  cellsOf,
  type Edits,
  isNewRow,
  NO_EDITS,
  type RowKey,
  type Stored,
  type,
  withCell,
  withNewRow,
  withoutNewRows,
  withoutRecords,
} from './edits.ts';
import { createRecordQueue } from './record-queue.ts';
import {
  type Batch,
  choose,
  nextBatch,
  readNewRow,
  settleCreated,
  settleNotCreated,
  settleRefused,
  settleSaved,
  tryAgain,
} from './saving.ts';

interface Known extends Stored {
  /** when the answer came, by `performance.now()` */
  readonly at: number;
}

/** One cell to be written: as typed, to be read by its column's rules (null clears it), or a value as it is. */
export type CellWrite = {
  readonly key: RowKey;
  readonly column: Column;
  /** what the cell showed when the act began */
  readonly seen: Scalar;
  /** the record as the list shows it now; null in a new row */
  readonly listed: Stored | null;
} & ({ readonly typed: string | null } | { readonly value: Scalar });

/**
 * Where the edits of one table lie until the server has them. It lives outside the page, so that nothing is
 * lost when rows scroll away, the list is read anew or another page is visited.
 * @param onStored is told what the server answered, for the lists that show the record
 */
export function createDesk(calls: DatasetCalls, onStored: (stored: Stored) => void) {
  const edits = watched<Edits>(NO_EDITS);
  const known = new Map<string, Known>();
  const underWay = new Map<string, Batch>();
  const saved = watched(0);
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));

  const learn = (stored: Stored) => {
    const { jrid } = stored.dataset;
    known.set(jrid, { ...stored, at: performance.now() });
    change((now) => {
      const row = now.newRows.find((row) => row.stored?.dataset.jrid === jrid);
      return row ? withNewRow(now, { ...row, stored }) : now;
    });
    onStored(stored);
  };

  const queue = createRecordQueue(async (jrid) => {
    const server = known.get(jrid);
    if (!server) return 'done';
    const { edits: checked, batch } = nextBatch(edits.get(), jrid, server.dataset);
    edits.set(checked);
    if (!batch) return 'done';
    const key = newIdempotencyKey();
    underWay.set(jrid, batch);
    try {
      const stored = await untilAnswered(() => calls.put(jrid, batch.values, server.etag, key));
      learn(stored);
      change((now) => settleSaved(now, jrid, batch, stored.dataset));
      saved.set(saved.get() + 1);
    } catch (error) {
      const failure = await afterRefusal(jrid, server.etag, error);
      if (failure) change((now) => settleRefused(now, jrid, batch, failure));
    } finally {
      underWay.delete(jrid);
    }
    return 'more';
  });

  /** Reads the record anew where it was changed meanwhile; null: the next batch is to be made from that. */
  const afterRefusal = async (jrid: string, sent: string | null, error: unknown) => {
    const failure = toFailure(error);
    if (failure.kind !== 'api' || failure.status !== 412) return failure;
    try {
      const current = await untilAnswered(() => calls.get(jrid));
      learn(current);
      return current.etag === sent ? failure : null;
    } catch (reading) {
      return toFailure(reading);
    }
  };

  const create = async (key: RowKey, columns: readonly Column[]): Promise<void> => {
    const row = edits.get().newRows.find((row) => row.key === key);
    if (!row || row.stored || row.is === 'sending') return;
    if ([...row.cells.values()].every(({ text }) => text === null)) {
      change((now) => withoutNewRows(now, (row) => row.key === key));
      return;
    }
    const { edits: checked, batch } = readNewRow(edits.get(), row, columns);
    edits.set(checked);
    if (!batch) return;
    change((now) => withNewRow(now, { ...row, is: 'sending', message: null }));
    const once = newIdempotencyKey();
    try {
      const stored = await untilAnswered(() => calls.post(batch.values, once));
      change((now) => settleCreated(now, key, batch, stored));
      learn(stored);
      saved.set(saved.get() + 1);
      void queue.wake(stored.dataset.jrid);
    } catch (error) {
      change((now) => settleNotCreated(now, key, columns, toFailure(error)));
    }
  };

  const jridOf = (key: RowKey) =>
    isNewRow(key) ? edits.get().newRows.find((row) => row.key === key)?.stored?.dataset.jrid : key;

  const wake = (key: RowKey) => {
    const jrid = jridOf(key);
    if (jrid !== undefined) void queue.wake(jrid);
  };

  return {
    get: edits.get,
    subscribe: edits.subscribe,
    /** how many writes have succeeded */
    saved,

    /**
     * Takes over what was typed into a cell.
     * @param seen what the cell showed when the typing began
     * @param listed the record as the list shows it now; null in a new row
     */
    type(
      key: RowKey,
      column: Column,
      typed: string | null,
      { seen, listed }: { readonly seen: Scalar; readonly listed: Stored | null },
    ): void {
      const jrid = jridOf(key);
      // While edits wait, what their answers said is newer than what a list may still show.
      const settled = cellsOf(edits.get(), key).size === 0;
      if (listed && jrid !== undefined && settled && !underWay.has(jrid)) {
        known.set(jrid, { ...listed, at: known.get(jrid)?.at ?? 0 });
      }
      const server = jrid === undefined ? undefined : known.get(jrid)?.dataset;
      change((now) =>
        type(now, key, column, typed, {
          seen,
          stored: server?.[column.name] ?? null,
          underWay: jrid !== undefined && underWay.get(jrid)?.sent.has(column.name) === true,
        }),
      );
      wake(key);
    },

    /** Takes over what one act of the clerk writes into many cells. */
    write(cells: readonly CellWrite[], _label: string): void {
      for (const { key, column, seen, listed, ...content } of cells) {
        const typed = 'typed' in content ? content.typed : valueText(content.value, column);
        this.type(key, column, typed, { seen, listed });
      }
    },

    /** Forgets what was typed into a cell: it shows what the server has. */
    restore(key: RowKey, column: string): void {
      change((now) => withCell(now, key, column, null));
    },
    /** Sends a refused cell once more. */
    tryAgain(key: RowKey, column: string): void {
      change((now) => tryAgain(now, key, column));
      wake(key);
    },
    /** Settles a conflict in a cell. */
    choose(key: RowKey, column: string, whose: 'mine' | 'theirs'): void {
      change((now) => choose(now, jridOf(key) ?? key, column, whose));
      wake(key);
    },

    /** Creates a row at the server, once all its cells can be read; a row without anything in it goes away. */
    create,
    /** Drops a row that the server does not have. */
    discard(key: RowKey): void {
      change((now) => withoutNewRows(now, (row) => row.key === key && row.is !== 'sending'));
    },

    /** Takes rows out that a list read since `at` holds itself. */
    forgetCreatedBefore(at: number): void {
      const old = (stored: Stored | null) =>
        stored !== null && (known.get(stored.dataset.jrid)?.at ?? 0) < at;
      if (edits.get().newRows.some(({ stored }) => old(stored))) {
        change((now) => withoutNewRows(now, ({ stored }) => old(stored)));
      }
    },
    forgetRecords(jrids: readonly string[]): void {
      const gone = new Set(jrids);
      change((now) =>
        withoutNewRows(
          withoutRecords(now, jrids),
          ({ stored }) => stored !== null && gone.has(stored.dataset.jrid),
        ),
      );
    },
    /** What was answered about a record after `since`: newer than a list that was asked for then. */
    newerThan(jrid: string, since: number): Stored | undefined {
      const found = known.get(jrid);
      return found && found.at > since ? found : undefined;
    },
  };
}

export type Desk = ReturnType<typeof createDesk>;

/** Waits for as long as the server is away; the same write keeps its key, so it is done once. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CallError) || !isPassing(error.failure)) throw error;
      await pause(retryDelay(tries, error));
    }
  }
}
