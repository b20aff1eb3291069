import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/storage.ts';
import { DatabaseSync, backup } from 'node:sqlite';
import { messageOf } from '#server/lib/caught-errors.ts';
import type { FileEntry } from '../copying/copy-files.ts';

/** All pages of a database are copied at once: otherwise each concurrent write would restart the copy. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a SQLite database, even while it is in use, as of one moment, and checks the copy.
 * @throws {OperatorError} if the database is damaged
 */
export async function takeSnapshot(path: string, copy: string): Promise<void> {
  const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    await backup(source, copy, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  checkIntegrity(copy, path);
}

/** @throws {OperatorError} which names the database by `path` */
function checkIntegrity(copy: string, path: string): void {
  const database = new DatabaseSync(copy);
  let found: unknown;
  try {
    // One file, without a log beside it.
    database.exec('PRAGMA journal_mode = DELETE');
    found = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
  } catch (error) {
    found = messageOf(error);
  } finally {
    database.close();
  }
  if (found === 'ok') return;
  const why = String(found).replaceAll(/\s+/g, ' ');
  throw new OperatorError(texts.backupOfDamaged({ path, why }));
}

/** The metadata of a snapshot. */
export interface OpenSnapshot {
  readonly schemaVersion: number;
  /** whether it is an incomplete copy of another installation */
  readonly unfinished: boolean;
  /** the distinct documents' files that it references */
  files(): Generator<FileEntry>;
  close(): void;
}

export function openSnapshotFile(path: string): OpenSnapshot {
  const database = new DatabaseSync(path, { readOnly: true });
  const valueOf = (key: string) =>
    database.prepare('select value from installation where key = ?').get(key)?.['value'];
  return {
    schemaVersion: Number(valueOf('schema_version') ?? 0),
    unfinished: valueOf('copying') !== undefined,
    *files() {
      const statement = database.prepare(
        'select location, max(sha256) as sha256, max(size) as size from files group by location order by location',
      );
      for (const { location, sha256, size } of statement.iterate()) {
        yield { location: String(location), sha256: String(sha256), size: Number(size) };
      }
    },
    close: () => database.close(),
  };
}
