import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Edits } from './edits.ts';
import { freeIn, holdWhileHere, whileFree } from './tab-locks.ts';
import { jobsOf, type Steps } from './undo/steps.ts';

/** What a tab's desk holds of one table. */
export interface KeptDesk {
  readonly edits: Edits;
  readonly steps: Steps;
}

interface StoredDesk extends KeptDesk {
  readonly username: string;
  readonly guid: string;
  /** the tab that wrote it */
  readonly tab: string;
}

interface DeskSchema extends DBSchema {
  desks: { key: [username: string, guid: string, tab: string]; value: StoredDesk };
}

const desksOf = (username: string, guid: string) =>
  IDBKeyRange.bound([username, guid], [username, guid, []]);

const lockOf = (tab: string) => `indexdesk-desk-${tab}`;

/**
 * Desks in IndexedDB. Each tab writes its own, so that none overwrites another's; what a tab left behind that is
 * no more is taken over by the next one.
 */
export function deskDisk(tab: string) {
  let opened: Promise<IDBPDatabase<DeskSchema>> | undefined;
  const open = () => {
    opened ??= openDB<DeskSchema>('indexdesk-grid', 1, {
      upgrade: (database) =>
        void database.createObjectStore('desks', { keyPath: ['username', 'guid', 'tab'] }),
      // The browser may close it, for example when the clerk clears what it keeps.
      terminated: () => (opened = undefined),
    });
    return opened;
  };
  const watching: (() => Promise<void>)[] = [];
  const own = holdWhileHere(lockOf(tab), tab, () => {
    for (const look of watching) void look().catch(() => undefined);
  });

  return {
    /** Rejects when the disk is full or the browser keeps nothing. */
    async write(username: string, guid: string, desk: KeptDesk): Promise<void> {
      await own.ready;
      await (await open()).put('desks', { ...desk, username, guid, tab });
    },
    /** Has others take this tab for gone. */
    leave: own.release,
    /**
     * Tells when another tab has taken this one for gone, as it slept, and has taken over what it wrote.
     * @param written whether something of it should be on the disk
     */
    onTaken(username: string, guid: string, written: () => boolean, taken: () => void): void {
      watching.push(async () => {
        const there = await (await open()).get('desks', [username, guid, tab]);
        if (!there && written()) taken();
      });
    },
    /** What the steps lead to that are kept of a table, of this tab and of others: ids of pastes. */
    async jobs(username: string, guid: string): Promise<readonly string[]> {
      const all = await (await open()).getAll('desks', desksOf(username, guid));
      return all.flatMap(({ steps }) => jobsOf(steps));
    },
    async remove(username: string, guid: string): Promise<void> {
      await (await open()).delete('desks', [username, guid, tab]);
    },
    /**
     * Hands over what tabs left behind that are no more, each once.
     * @param adopt takes it over; then it is this tab's to keep
     * @returns in how many milliseconds others may turn out to be gone; null: that is known now
     */
    async takeOver(
      username: string,
      guid: string,
      adopt: (desk: KeptDesk) => Promise<void>,
    ): Promise<number | null> {
      const database = await open();
      const all = await database.getAll('desks', desksOf(username, guid));
      let again: number | null = null;
      for (const left of all) {
        if (left.tab === tab) continue;
        const take = async () => {
          const key: [string, string, string] = [username, guid, left.tab];
          const there = await database.get('desks', key);
          if (!there) return true;
          await adopt(there);
          await database.delete('desks', key);
          return true;
        };
        // oxlint-disable-next-line no-await-in-loop -- one after the other, as each builds on what is there
        const taken = await whileFree(lockOf(left.tab), tab, take);
        // oxlint-disable-next-line no-await-in-loop -- as above
        const free = taken === null ? await freeIn(lockOf(left.tab)) : null;
        if (free !== null) again = Math.min(free, again ?? free);
      }
      return again;
    },
  };
}

export type DeskDisk = ReturnType<typeof deskDisk>;
