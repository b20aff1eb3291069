import type { DBSchema } from 'idb';
import { browserDatabase, keysBeginningWith } from '#web/api/browser-database.ts';
import { userCipher } from '#web/api/storage-key.ts';
import type { Encrypted, UserCipher } from '#web/api/user-cipher.ts';
import type { Steps } from './steps.ts';
import { type Edits, hasUnsaved } from './edits.ts';

/** The stored edits of one table from one tab. */
export interface StoredEdits {
  readonly edits: Edits;
  readonly steps: Steps;
}

/** Where a tab stores its edits of one table. Only the edits are encrypted. */
interface EditsLocation {
  readonly username: string;
  /** in lower case */
  readonly guid: string;
  /** the name of the tab */
  readonly tab: string;
}

interface Entry extends EditsLocation {
  /** the encrypted edits, under the name of version 0.2 */
  readonly desk: Encrypted<StoredEdits>;
  /** whether it contains unsaved edits; missing in entries of version 0.2 */
  readonly isUnsaved?: boolean;
}

/** Version 0.2 stored the rows of an entry separately. */
interface EntryPart extends EditsLocation {
  readonly bundle: number;
  readonly edits: Encrypted<Pick<Edits, 'records' | 'newRows'>>;
}

type EntryKey = [username: string, guid: string, tab: string];

// The names of version 0.2, so that its entries are found.
const ENTRIES = 'desks';
const PARTS = 'bundles';

interface EditsSchema extends DBSchema {
  [ENTRIES]: { key: EntryKey; value: Entry };
  [PARTS]: { key: [...EntryKey, part: number]; value: EntryPart };
}

const keyOf = ({ username, guid, tab }: EditsLocation): EntryKey => [username, guid, tab];

const open = browserDatabase<EditsSchema>('indexdesk-encrypted-grid', (database) => {
  const keyPath = ['username', 'guid', 'tab'];
  database.createObjectStore(ENTRIES, { keyPath });
  database.createObjectStore(PARTS, { keyPath: [...keyPath, 'bundle'] });
});

/** Stores the edits of a tab. Rejects if the storage is full or blocked, or encryption is not available. */
export async function writeEdits(
  location: EditsLocation,
  stored: StoredEdits,
  cipher: UserCipher = userCipher,
): Promise<void> {
  // A transaction of IndexedDB does not wait for the encryption.
  const encryptedEdits = await cipher.encrypt(location.username, stored);
  const entry = { ...location, desk: encryptedEdits, isUnsaved: hasUnsaved(stored.edits) };
  await (await open()).put(ENTRIES, entry);
}

/** The tabs that have stored edits of a table. */
export async function tabsWithEdits(username: string, guid: string): Promise<readonly string[]> {
  const keys = await (await open()).getAllKeys(ENTRIES, keysBeginningWith(username, guid));
  return keys.map(([, , tab]) => tab);
}

/** Reads the edits of a tab; null: there are none. Rejects if they were encrypted with another key. */
export async function readEdits(
  location: EditsLocation,
  cipher: UserCipher = userCipher,
): Promise<StoredEdits | null> {
  const { username, tab } = location;
  const database = await open();
  const entry = await database.get(ENTRIES, keyOf(location));
  if (!entry) return null;
  const parts = await database.getAll(PARTS, keysBeginningWith(...keyOf(location)));
  const { edits, steps } = await cipher.decrypt(username, entry.desk);
  const rows = await Promise.all(parts.map((part) => cipher.decrypt(username, part.edits)));
  const newRows = rows.flatMap((part) => part.newRows);
  return {
    edits: {
      ...edits,
      records: new Map([...edits.records, ...rows.flatMap(({ records }) => [...records])]),
      // In version 0.2 the rows of two tabs could have the same keys.
      newRows: [...edits.newRows, ...newRows.map((row) => ({ ...row, key: `${row.key} ${tab}` }))],
    },
    steps,
  };
}

export async function removeEdits(location: EditsLocation): Promise<void> {
  const transaction = (await open()).transaction([ENTRIES, PARTS], 'readwrite');
  await Promise.all([
    transaction.objectStore(ENTRIES).delete(keyOf(location)),
    transaction.objectStore(PARTS).delete(keysBeginningWith(...keyOf(location))),
    transaction.done,
  ]);
}

/** The GUIDs, in lower case, of the tables in which a user has unsaved edits, in any tab of this browser. */
export async function unsavedTables(username: string): Promise<ReadonlySet<string>> {
  const database = await open();
  const [entries, parts] = await Promise.all([
    database.getAll(ENTRIES, keysBeginningWith(username)),
    database.getAllKeys(PARTS, keysBeginningWith(username)),
  ]);
  const unsaved = entries.filter(({ isUnsaved }) => isUnsaved === true);
  return new Set([...unsaved.map(({ guid }) => guid), ...parts.map(([, guid]) => guid)]);
}
