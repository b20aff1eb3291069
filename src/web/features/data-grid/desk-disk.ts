import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Edits } from './edits.ts';
import { locks, whileFree } from './tab-locks.ts';
import type { Steps } from './undo/steps.ts';

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
  // Held for as long as the tab is there.
  void locks()?.request(lockOf(tab), () => new Promise(() => undefined));

  return {
    /** Rejects when the disk is full or the browser keeps nothing. */
    async write(username: string, guid: string, desk: KeptDesk): Promise<void> {
      await (await open()).put('desks', { ...desk, username, guid, tab });
    },
    async remove(username: string, guid: string): Promise<void> {
      await (await open()).delete('desks', [username, guid, tab]);
    },
    /**
     * Hands over what tabs left behind that are no more, each once.
     * @param adopt takes it over; then it is this tab's to keep
     */
    async takeOver(
      username: string,
      guid: string,
      adopt: (desk: KeptDesk) => Promise<void>,
    ): Promise<void> {
      const database = await open();
      const all = await database.getAll(
        'desks',
        IDBKeyRange.bound([username, guid], [username, guid, []]),
      );
      for (const left of all) {
        if (left.tab === tab) continue;
        const take = async () => {
          const key: [string, string, string] = [username, guid, left.tab];
          const there = await database.get('desks', key);
          if (!there) return;
          await adopt(there);
          await database.delete('desks', key);
        };
        // Without locks a desk is taken over though its tab may still be open.
        // oxlint-disable-next-line no-await-in-loop -- one after the other, as each builds on what is there
        await whileFree(lockOf(left.tab), take);
      }
    },
  };
}

export type DeskDisk = ReturnType<typeof deskDisk>;
