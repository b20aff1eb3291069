import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { chunks, insertRows } from '#server/database/records/bulk.ts';

/** A file of a revision; its bytes are under `location` in the file store. */
export interface StoredFile {
  readonly id: number;
  readonly rowId: number;
  readonly position: number;
  readonly name: string;
  readonly contentType: string;
  /** bytes */
  readonly size: number;
  readonly sha256: string;
  readonly location: string;
}

export type NewFile = Omit<StoredFile, 'id'>;

interface Row {
  id: number;
  row_id: number;
  position: number;
  name: string;
  content_type: string;
  size: number;
  sha256: string;
  location: string;
}

/** The files of revisions, in their order. */
export async function readFiles(
  db: Transaction,
  archiveId: number,
  revisionIds: readonly number[],
): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const chunk of chunks(revisionIds, [500, 50, 1])) {
    const { rows } = await sql<Row>`
      select id, row_id, position, name, content_type, size, sha256, location from files
      where archive_id = ${archiveId} and row_id in (${sql.join(chunk)}) order by row_id, position`.execute(
      db.k,
    );
    files.push(...rows.map(toFile));
  }
  return files;
}

function toFile(row: Row): StoredFile {
  return {
    id: row.id,
    rowId: row.row_id,
    position: row.position,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
    location: row.location,
  };
}

const WALK_PAGE = 500;

/** All files in pages, those of deleted revisions included, in any order. */
export async function* walkFiles(db: Transaction): AsyncGenerator<StoredFile[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<Row>`
      select id, row_id, position, name, content_type, size, sha256, location from files
      where id > ${after} order by id limit ${WALK_PAGE}`.execute(db.k);
    if (rows.length > 0) yield rows.map(toFile);
    const last = rows.at(-1);
    if (!last || rows.length < WALK_PAGE) return;
    after = last.id;
  }
}

export async function insertFiles(
  db: Transaction,
  archiveId: number,
  files: readonly NewFile[],
): Promise<void> {
  await insertRows(
    db,
    'files',
    ['archive_id', 'row_id', 'position', 'name', 'content_type', 'size', 'sha256', 'location'],
    files.map((file) => [
      archiveId,
      file.rowId,
      file.position,
      file.name,
      file.contentType,
      file.size,
      file.sha256,
      file.location,
    ]),
  );
}
