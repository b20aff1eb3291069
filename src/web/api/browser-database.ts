import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** The range of the keys that begin with these parts: an array sorts after every text. */
export function keysBeginningWith(...parts: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound(parts, [...parts, []]);
}

/**
 * Opens a database of the browser when it is first used, and again after it could not be opened or was closed.
 * @param create creates its object stores
 */
export function browserDatabase<Schema extends DBSchema>(
  name: string,
  create: (database: IDBPDatabase<Schema>) => void,
): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  return () => {
    if (opened) return opened;
    opened = openDB<Schema>(name, 1, {
      upgrade: create,
      // Another tab has a newer page, and upgrades the database.
      blocking() {
        void opened?.then((database) => database.close());
        opened = undefined;
      },
      // The browser may close it, for example when the user clears the site's data.
      terminated: () => (opened = undefined),
    });
    opened.catch(() => (opened = undefined));
    return opened;
  };
}
