import {
  PRESENCE_TIMEOUT,
  numberOfCollection,
  type OpenedRecord,
  type ViewerWindow,
  type PresenceStore,
} from './presence.store.ts';

interface RecordPresence {
  readonly number: number;
  readonly recordId: number;
  /** by session and window */
  readonly windows: Map<string, ViewerWindow>;
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
    for (const [key, { windows }] of records) {
      dropExpired(windows, now);
      if (windows.size === 0) records.delete(key);
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
        windows: new Map(),
      };
      records.set(key, record);
      const { windows } = record;
      dropExpired(windows, now);
      const before = [...windows.values()];
      const window = windowKey(opened);
      const since = windows.get(window)?.since ?? now;
      windows.set(window, { sessionId, windowId, userId, since, seenAt: now, editing });
      return Promise.resolve(before);
    },
    remove(_, opened) {
      const key = keyOf(opened);
      const windows = records.get(key)?.windows;
      windows?.delete(windowKey(opened));
      if (windows?.size === 0) records.delete(key);
      return Promise.resolve();
    },
    readOpenRecords(_, sessionIds, now) {
      sweep(now);
      const found = [];
      for (const { number, recordId, windows } of records.values()) {
        dropExpired(windows, now);
        const all = [...windows.values()];
        if (all.some(({ sessionId }) => sessionIds.has(sessionId))) {
          found.push({ number, recordId, windows: all });
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

function dropExpired(windows: Map<string, ViewerWindow>, now: number): void {
  for (const [key, { seenAt }] of windows)
    if (now - seenAt >= PRESENCE_TIMEOUT) windows.delete(key);
}
