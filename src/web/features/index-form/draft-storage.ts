import { type DBSchema, deleteDB, openDB } from 'idb';
import { browserDatabase, keysBeginningWith } from '#web/api/browser-database.ts';
import { userCipher } from '#web/api/storage-key.ts';
import type { Encrypted, UserCipher } from '#web/api/user-cipher.ts';
import { type FieldValue } from '#web/fields/field-model.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { type FormEdits } from './form-values.ts';

/** Unsaved changes, and the version that they are based on. */
export interface Draft {
  readonly base: VersionedRevision;
  readonly edits: FormEdits;
}

/** Where a draft is stored. Each tab writes its own, so that none overwrites another. */
interface DraftLocation {
  readonly username: string;
  readonly archive: string;
  readonly revisionId: string;
  /** the tab that wrote it */
  readonly tab: string;
  /** when it was written, in milliseconds since 1970 */
  readonly at: number;
}

/** A draft of the browser's database. */
export interface StoredDraft extends DraftLocation, Draft {}

interface EncryptedDraft extends DraftLocation {
  readonly draft: Encrypted<Draft>;
}

type DraftKey = [username: string, archive: string, revisionId: string, tab: string];

interface DraftSchema extends DBSchema {
  drafts: { key: DraftKey; value: EncryptedDraft };
}

/** Drafts to remove from the disk, unless they have been rewritten. */
export interface DraftVersion {
  readonly key: DraftKey;
  readonly at: number;
}

export interface DraftStorage {
  /** the drafts of a user in an archive, or only of the given revision; rejects if the browser has no storage */
  readonly read: (
    username: string,
    archive: string,
    revisionId?: string,
  ) => Promise<readonly StoredDraft[]>;
  /** a single transaction; rejects if the disk is full or the browser has no storage */
  readonly write: (put: readonly StoredDraft[], remove: readonly DraftVersion[]) => Promise<void>;
}

/** The database in which earlier versions stored drafts without encryption. */
const UNENCRYPTED = 'indexdesk-drafts';

/** Drafts in IndexedDB, opened on demand, encrypted for their user. */
export function draftStorage(cipher: UserCipher = userCipher): DraftStorage {
  const open = browserDatabase<DraftSchema>('indexdesk-encrypted-drafts', (database) => {
    database.createObjectStore('drafts', {
      keyPath: ['username', 'archive', 'revisionId', 'tab'],
    });
  });
  const encrypted = async ({ base, edits, ...metadata }: StoredDraft): Promise<EncryptedDraft> => ({
    ...metadata,
    draft: await cipher.encrypt(metadata.username, { base, edits }),
  });
  const write: DraftStorage['write'] = async (put, remove) => {
    // A transaction of IndexedDB does not wait for anything else.
    const drafts = await Promise.all(put.map(encrypted));
    const transaction = (await open()).transaction('drafts', 'readwrite');
    const work = [
      ...drafts.map((draft) => transaction.store.put(draft)),
      ...remove.map(async ({ key, at }) => {
        const stored = await transaction.store.get(key);
        if (stored && stored.at <= at) await transaction.store.delete(key);
      }),
    ];
    await Promise.all([...work, transaction.done]);
  };
  const encryptEarlier = async (username: string) => {
    const all = await indexedDB.databases();
    if (!all.some(({ name }) => name === UNENCRYPTED)) return;
    const database = await openDB(UNENCRYPTED);
    try {
      if (database.objectStoreNames.contains('drafts')) {
        const own = keysBeginningWith(username);
        const drafts: readonly StoredDraft[] = await database.getAll('drafts', own);
        await write(drafts, []);
      }
    } finally {
      database.close();
    }
    await deleteDB(UNENCRYPTED);
  };
  return {
    async read(username, archive, revisionId) {
      if (revisionId === undefined) await encryptEarlier(username);
      const keys = keysBeginningWith(username, archive, ...[revisionId ?? []].flat());
      const found = await (await open()).getAll('drafts', keys);
      const drafts = await Promise.allSettled(
        found.map(async ({ draft, ...metadata }) => ({
          ...metadata,
          ...withEditsByPath(await cipher.decrypt(username, draft)),
        })),
      );
      // A draft that was encrypted with another key cannot be read.
      return drafts.flatMap((draft) => (draft.status === 'fulfilled' ? [draft.value] : []));
    },
    write,
  };
}

/** Drafts up to version 0.2 have their edits in two maps, by field name. */
interface EarlierEdits {
  readonly fields: ReadonlyMap<string, FieldValue>;
  readonly keywords: ReadonlyMap<string, FieldValue>;
}

function withEditsByPath({
  base,
  edits,
}: {
  readonly base: Draft['base'];
  readonly edits: FormEdits | EarlierEdits;
}): Draft {
  if (!('fields' in edits)) return { base, edits };
  const fields = [...edits.fields].map(([name, value]) => [`indexFields.${name}`, value] as const);
  const keywords = [...edits.keywords].map(
    ([name, value]) => [`keywordFields.${name}`, value] as const,
  );
  return { base, edits: new Map([...fields, ...keywords]) };
}
