import type { Dataset } from '#shared/contract/answers.ts';
import { createStore } from '#web/api/create-store.ts';

/** A recent change of a visible record by another user. */
export interface RemoteChange {
  /** the display name of the user */
  readonly by: string;
  /** the columns that were changed; null: the record was deleted */
  readonly columns: ReadonlySet<string> | null;
}

/** How long a change is marked, in milliseconds. */
const MARK_DURATION = 8_000;

/** Recent changes by others in a table, by jrid; changes are marked for a while, deletions until the list is reloaded. */
export function createRemoteChanges() {
  const changes = createStore<ReadonlyMap<string, RemoteChange>>(new Map());
  const without = (isRemoved: (jrid: string, change: RemoteChange) => boolean) => {
    const left = [...changes.get()].filter(([jrid, change]) => !isRemoved(jrid, change));
    if (left.length < changes.get().size) changes.set(new Map(left));
  };
  return {
    get: changes.get,
    subscribe: changes.subscribe,
    changed(jrid: string, by: string, before: Dataset, now: Dataset): void {
      const columns = new Set(Object.keys(now).filter((name) => now[name] !== before[name]));
      if (columns.size === 0) return;
      const change: RemoteChange = { by, columns };
      changes.set(new Map(changes.get()).set(jrid, change));
      setTimeout(() => without((_, one) => one === change), MARK_DURATION);
    },
    deleted(jrid: string, by: string): void {
      changes.set(new Map(changes.get()).set(jrid, { by, columns: null }));
    },
    /** A reloaded list contains no deleted records. */
    forgetDeleted: () => without((_, { columns }) => columns === null),
  };
}

export type RemoteChanges = ReturnType<typeof createRemoteChanges>;
