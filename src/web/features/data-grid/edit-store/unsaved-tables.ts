import { type DBSchema, openDB } from 'idb';

/** The browser's database of unsaved table entries; `edit-storage.ts` creates it, and writes and encrypts its contents. */
export const EDITS_DATABASE = 'indexdesk-encrypted-grid';

/** The store of the entries, whose keys begin with the user and the table. */
const ENTRIES_STORE = 'bundles';

interface EntryKeys extends DBSchema {
  [ENTRIES_STORE]: {
    key: [username: string, guid: string, tab: string, bundle: number];
    value: unknown;
  };
}

/**
 * The GUIDs of the tables in which a user has entries that are not saved, in any tab of this browser. Reads the keys
 * alone, which are not encrypted.
 */
export async function unsavedTables(username: string): Promise<ReadonlySet<string>> {
  const names = (await indexedDB.databases()).map(({ name }) => name);
  // Opened here first it would be created without its stores.
  if (!names.includes(EDITS_DATABASE)) return new Set();
  const database = await openDB<EntryKeys>(EDITS_DATABASE);
  try {
    if (!database.objectStoreNames.contains(ENTRIES_STORE)) return new Set();
    const own = IDBKeyRange.bound([username], [username, []]);
    const keys = await database.getAllKeys(ENTRIES_STORE, own);
    return new Set(keys.map(([, guid]) => guid));
  } finally {
    database.close();
  }
}
