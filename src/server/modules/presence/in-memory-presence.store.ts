import { KEPT_FOR, numberOf, type Look, type Seen, type PresenceStore } from './presence.store.ts';

interface OpenHere {
  readonly number: number;
  readonly recordId: number;
  /** by session and window */
  readonly seen: Map<string, Seen>;
}

/** Stores presence in the memory of this process. */
export function createInMemoryPresence(): PresenceStore {
  const records = new Map<string, OpenHere>();
  let swept = 0;
  const keyOf = ({ collection, recordId }: Look) => `${numberOf(collection)} ${recordId}`;
  const sweep = (now: number) => {
    if (now - swept < KEPT_FOR) return;
    swept = now;
    for (const [key, { seen }] of records) {
      dropOld(seen, now);
      if (seen.size === 0) records.delete(key);
    }
  };
  return {
    put(_, look, editing, now) {
      sweep(now);
      const { collection, recordId, windowId } = look;
      const { userId, sessionId } = look.caller;
      const key = keyOf(look);
      const record = records.get(key) ?? {
        number: numberOf(collection),
        recordId,
        seen: new Map(),
      };
      records.set(key, record);
      const { seen } = record;
      dropOld(seen, now);
      const before = [...seen.values()];
      const window = windowKey(look);
      const since = seen.get(window)?.since ?? now;
      seen.set(window, { sessionId, windowId, userId, since, seenAt: now, editing });
      return Promise.resolve(before);
    },
    remove(_, look) {
      const key = keyOf(look);
      const seen = records.get(key)?.seen;
      seen?.delete(windowKey(look));
      if (seen?.size === 0) records.delete(key);
      return Promise.resolve();
    },
    besides(_, sessionIds, now) {
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
function windowKey({ caller, windowId }: Look): string {
  return `${caller.sessionId} ${windowId}`;
}

function dropOld(seen: Map<string, Seen>, now: number): void {
  for (const [key, { seenAt }] of seen) if (now - seenAt >= KEPT_FOR) seen.delete(key);
}
