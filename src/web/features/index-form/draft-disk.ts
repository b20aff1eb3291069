import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Draft } from './drafts.ts';

/** A draft as the browser keeps it. Each tab writes its own, so that none overwrites another's. */
export interface KeptDraft extends Draft {
  readonly username: string;
  readonly archive: string;
  readonly revisionId: string;
  /** the tab that wrote it */
  readonly tab: string;
  /** when it was written, in milliseconds since 1970 */
  readonly at: number;
}

type DraftKey = [username: string, archive: string, revisionId: string, tab: string];

interface DraftSchema extends DBSchema {
  drafts: { key: DraftKey; value: KeptDraft };
}

/** Drafts to be taken off the disk, unless they were written anew since. */
export interface Outdated {
  readonly key: DraftKey;
  readonly at: number;
}

export interface DraftDisk {
  /** the drafts of a user in an archive, of one revision where it is given; rejects where the browser keeps nothing */
  readonly read: (
    username: string,
    archive: string,
    revisionId?: string,
  ) => Promise<readonly KeptDraft[]>;
  /** one transaction; rejects when the disk is full or the browser keeps nothing */
  readonly write: (put: readonly KeptDraft[], remove: readonly Outdated[]) => Promise<void>;
}

/** Drafts in IndexedDB, opened when they are first needed. */
export function draftDisk(): DraftDisk {
  let opened: Promise<IDBPDatabase<DraftSchema>> | undefined;
  const open = () => {
    opened ??= openDB<DraftSchema>('indexdesk-drafts', 1, {
      upgrade: (database) =>
        void database.createObjectStore('drafts', {
          keyPath: ['username', 'archive', 'revisionId', 'tab'],
        }),
      // The browser may close it, for example when the clerk clears what it keeps.
      terminated: () => (opened = undefined),
    });
    return opened;
  };
  return {
    async read(username, archive, revisionId) {
      const start =
        revisionId === undefined ? [username, archive] : [username, archive, revisionId];
      // An array sorts behind every text, so this range holds all that begins with `start`.
      return (await open()).getAll('drafts', IDBKeyRange.bound(start, [...start, []]));
    },
    async write(put, remove) {
      const transaction = (await open()).transaction('drafts', 'readwrite');
      const work = [
        ...put.map((draft) => transaction.store.put(draft)),
        ...remove.map(async ({ key, at }) => {
          const there = await transaction.store.get(key);
          if (there && there.at <= at) await transaction.store.delete(key);
        }),
      ];
      await Promise.all([...work, transaction.done]);
    },
  };
}
