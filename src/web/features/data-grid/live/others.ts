import type { Dataset } from '#shared/contract/answers.ts';
import { createStore } from '#web/api/create-store.ts';

/** A recent change of a visible record by another user. */
export interface OthersAct {
  /** the display name of the user */
  readonly by: string;
  /** the columns that were changed; null: the record was deleted */
  readonly columns: ReadonlySet<string> | null;
}

/** How long a change is marked, in milliseconds. */
const MARKED_FOR = 8_000;

/** Recent changes by others in a table, by jrid; changes are marked for a while, deletions until the list is reloaded. */
export function createOthers() {
  const acts = createStore<ReadonlyMap<string, OthersAct>>(new Map());
  const without = (gone: (jrid: string, act: OthersAct) => boolean) => {
    const left = [...acts.get()].filter(([jrid, act]) => !gone(jrid, act));
    if (left.length < acts.get().size) acts.set(new Map(left));
  };
  return {
    get: acts.get,
    subscribe: acts.subscribe,
    changed(jrid: string, by: string, before: Dataset, now: Dataset): void {
      const columns = new Set(Object.keys(now).filter((name) => now[name] !== before[name]));
      if (columns.size === 0) return;
      const act: OthersAct = { by, columns };
      acts.set(new Map(acts.get()).set(jrid, act));
      setTimeout(() => without((_, one) => one === act), MARKED_FOR);
    },
    deleted(jrid: string, by: string): void {
      acts.set(new Map(acts.get()).set(jrid, { by, columns: null }));
    },
    /** A reloaded list contains no deleted records. */
    forgetDeleted: () => without((_, { columns }) => columns === null),
  };
}

export type Others = ReturnType<typeof createOthers>;
