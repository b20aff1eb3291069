import type { Store } from '#web/api/create-store.ts';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import type { DatasetCalls } from './datasets.calls.ts';
import { type Batch, cellsOf, type Edits, type ServerRecord, withNewRow } from './edits.ts';
import { retryWhileUnavailable } from '#web/api/retry-while-unavailable.ts';
import {
  hasUnknownColumn,
  nextBatch,
  settleRejected,
  settleSaved,
  settleUnreadable,
} from './settle-edits.ts';

interface ReceivedRecord extends ServerRecord {
  /** when the answer arrived, by `performance.now()` */
  readonly at: number;
}

interface ServerRecordsOptions {
  readonly calls: Pick<DatasetCalls, 'get' | 'put' | 'several'>;
  readonly edits: Store<Edits>;
  /** receives the service's answers, for the lists that show the record */
  readonly onStored: (stored: ServerRecord) => void;
  /** a call has succeeded */
  readonly onSaved: () => void;
}

/** What is sent while a record is read. */
const NOTHING: Batch = { values: {}, sent: new Map() };

/** The versions of records on which edits are based, and saving these edits. */
export function createServerRecords(options: ServerRecordsOptions) {
  const { calls, edits, onStored, onSaved } = options;
  const known = new Map<string, ReceivedRecord>();
  const sentBatches = new Map<string, Batch>();
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));

  const receive = (stored: ServerRecord): void => {
    const { jrid } = stored.dataset;
    known.set(jrid, { ...stored, at: performance.now() });
    change((now) => {
      const row = now.newRows.find((row) => row.stored?.dataset.jrid === jrid);
      return row ? withNewRow(now, { ...row, stored }) : now;
    });
    onStored(stored);
  };
  /** When the last answer about a record arrived; 0: none has. */
  const receivedAt = (jrid: string) => known.get(jrid)?.at ?? 0;

  /** Reloads the record if others changed it; null: the next batch is based on the new version. */
  const failureAfterRejection = async (jrid: string, sent: string | null, error: unknown) => {
    const failure = toFailure(error);
    if (!hasStatus(error, 412)) return failure;
    try {
      const current = await retryWhileUnavailable(() => calls.get(jrid));
      receive(current);
      return current.etag === sent ? failure : null;
    } catch (reading) {
      return toFailure(reading);
    }
  };

  /** Reads a record again. If that fails, its edits are marked with the reason. */
  const readAgain = async (jrid: string): Promise<void> => {
    sentBatches.set(jrid, NOTHING);
    try {
      receive(await retryWhileUnavailable(() => calls.get(jrid)));
    } catch (error) {
      const message = hasStatus(error, 404) ? undefined : summary(toFailure(error));
      change((now) => settleUnreadable(now, jrid, message));
    }
    sentBatches.delete(jrid);
  };

  /** Sends the pending edits of a record until none is left. Text typed during a call is sent with the next one. */
  const save = async (jrid: string): Promise<void> => {
    for (;;) {
      const listed = known.get(jrid);
      if (!listed || sentBatches.has(jrid)) return;
      if (hasUnknownColumn(edits.get(), jrid, listed.dataset)) await readAgain(jrid);
      const server = known.get(jrid) ?? listed;
      const { edits: checked, batch } = nextBatch(edits.get(), jrid, server.dataset);
      edits.set(checked);
      if (!batch) return;
      sentBatches.set(jrid, batch);
      const { etag } = server;
      try {
        // Each is made from what the one before has answered.
        const stored = await calls.put({ jrid, values: batch.values, etag });
        receive(stored);
        change((now) => settleSaved(now, jrid, batch, stored.dataset));
        onSaved();
      } catch (error) {
        const failure = await failureAfterRejection(jrid, etag, error);
        if (failure) change((now) => settleRejected(now, jrid, batch, failure));
      }
      sentBatches.delete(jrid);
    }
  };

  return {
    receive,
    receivedAt,
    save,
    get: (jrid: string): ServerRecord | undefined => known.get(jrid),
    /** Bases the next edits of a record on its listed version, unless a call is in progress. */
    adoptListed(jrid: string, listed: ServerRecord): void {
      if (!sentBatches.has(jrid)) known.set(jrid, { ...listed, at: receivedAt(jrid) });
    },
    /** Whether an edit of the cell is being sent right now. */
    isSending: (jrid: string, column: string): boolean =>
      sentBatches.get(jrid)?.sent.has(column) === true,
    /** Reloads records with edits of a closed tab, and sends the edits. */
    async resume(jrids: readonly string[]): Promise<void> {
      const now = await retryWhileUnavailable(() => calls.several(jrids));
      for (const jrid of jrids) {
        const stored = now.get(jrid);
        if (stored) {
          receive(stored);
          void save(jrid);
        } else change((edits) => settleUnreadable(edits, jrid));
      }
    },
    /**
     * Applies the values of records that others have changed. Typed text stays: it is compared with the new values when
     * it is sent.
     * @param requestedAt when they were requested, by `performance.now()`
     * @returns those with an edit in progress, whose answer must be awaited first
     */
    applyRemote: (
      jrids: readonly string[],
      found: ReadonlyMap<string, ServerRecord>,
      requestedAt: number,
    ): readonly string[] => {
      const later = jrids.filter((jrid) => sentBatches.has(jrid));
      for (const jrid of jrids) {
        if (sentBatches.has(jrid) || receivedAt(jrid) > requestedAt) continue;
        const stored = found.get(jrid);
        const edited = cellsOf(edits.get(), jrid).size > 0;
        if (stored) receive(stored);
        else if (edited) change((now) => settleUnreadable(now, jrid));
        if (stored && edited) void save(jrid);
      }
      return later;
    },
    /** An answer about a record after `since`: newer than a list that was requested then. */
    newerThan: (jrid: string, since: number): ServerRecord | undefined => {
      const found = known.get(jrid);
      return found && found.at > since ? found : undefined;
    },
  };
}

export type ServerRecords = ReturnType<typeof createServerRecords>;
