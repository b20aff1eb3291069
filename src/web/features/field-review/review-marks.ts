import { readStoredJson, storeText } from '#web/api/browser-storage.ts';

/** The revisions that a user has marked as right, until the tab is closed. */
export interface ReviewMarks {
  readonly read: () => ReadonlySet<string>;
  readonly write: (ids: ReadonlySet<string>) => void;
}

/** The marks of a user for a field of an archive (its table name). */
export function reviewMarks(username: string, archive: string, field: string): ReviewMarks {
  const key = `indexdesk-review ${JSON.stringify([username, archive, field])}`;
  return {
    read() {
      const ids = readStoredJson(key, 'session');
      return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
    },
    write(ids) {
      storeText(key, JSON.stringify([...ids]), 'session');
    },
  };
}
