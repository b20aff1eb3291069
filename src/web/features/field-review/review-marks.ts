import { readStoredJson, storeText } from '#web/api/browser-storage.ts';

/** The revisions that a user has marked as right for a field of an archive (its table name), until the tab is closed. */
export function reviewMarks(username: string, archive: string, field: string) {
  const key = `indexdesk-review ${JSON.stringify([username, archive, field])}`;
  return {
    read(): ReadonlySet<string> {
      const ids = readStoredJson(key, 'session');
      return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
    },
    write(ids: ReadonlySet<string>) {
      storeText(key, JSON.stringify([...ids]), 'session');
    },
  };
}
