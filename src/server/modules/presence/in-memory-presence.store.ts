import {
  PRESENCE_TIMEOUT,
  numberOfCollection,
  type OpenedRecord,
  type Seen,
  type PresenceStore,
} from './presence.store.ts';

interface RecordPresence {
  readonly number: number;
  readonly recordId: number;
  /** by session and window */
  readonly seen: Map<string, Seen>;
}

/** Stores presence in the memory of this process. */
export function createInMemoryPresence(): PresenceStore {
  const records = new Map<string, RecordPresence>();
  let swept = 0;
  const keyOf = ({ collection, recordId }: OpenedRecord) =>
    `${numberOfCollection(collection)} ${recordId}`;
  const sweep = (now: number) => {
    if (now - swept < PRESENCE_TIMEOUT) return;
    swept = now;
    for (const [key, { seen }] of records) {
      dropOld(seen, now);
      if (seen.size === 0) records.delete(key);
    }
  };
  return {
    put(_, opened, editing, now) {
      sweep(now);
      const { collection, recordId, windowId } = opened;
      const { userId, sessionId } = opened.caller;
      const key = keyOf(opened);
      const record = records.get(key) ?? {
        number: numberOfCollection(collection),
        recordId,
        seen: new Map(),
      };
      records.set(key, record);
      const { seen } = record;
      dropOld(seen, now);
      const before = [...seen.values()];
      const window = windowKey(opened);
      const since = seen.get(window)?.since ?? now;
      seen.set(window, { sessionId, windowId, userId, since, seenAt: now, editing });
      return Promise.resolve(before);
    },
    remove(_, opened) {
      const key = keyOf(opened);
      const seen = records.get(key)?.seen;
      seen?.delete(windowKey(opened));
      if (seen?.size === 0) records.delete(key);
      return Promise.resolve();
    },
    readOpenRecords(_, sessionIds, now) {
      sweep(now);
      const found = [];
      for (const { number, recordId, seen } of records.values()) {
        dropOld(seen, now);
        const all = [...seen.values()];
        if (all.some(({ sessionId }) => sessionIds.has(sessionId))) {
          found.push({ number, recordId, seen: all });
        }
      }
      return Promise.resolve(found);
    },
  };
}

/** Session ids contain no blank. */
function windowKey({ caller, windowId }: OpenedRecord): string {
  return `${caller.sessionId} ${windowId}`;
}

function dropOld(seen: Map<string, Seen>, now: number): void {
  for (const [key, { seenAt }] of seen) if (now - seenAt >= PRESENCE_TIMEOUT) seen.delete(key);
}
