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
      try {
        const ids: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
        return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
      } catch {
        return new Set();
      }
    },
    write(ids) {
      try {
        sessionStorage.setItem(key, JSON.stringify([...ids]));
      } catch {
        // Storage is full or disabled: the marks last as long as the page.
      }
    },
  };
}
