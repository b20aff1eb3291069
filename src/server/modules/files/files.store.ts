import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import {
  READ_CHUNK_SIZES,
  chunks,
  deleteRows,
  insertRows,
} from '#server/database/records/bulk-statements.ts';

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

/** A file to be added. */
export type NewFile = Omit<StoredFile, 'id'> & {
  /**
   * for a newly stored file: the job that had removed the bytes of equal content before, null: none had; missing if
   * another revision already has the file
   */
  readonly removedBefore?: number | null;
};

/** Of `StoredFile`. */
const COLUMNS = sql`id, row_id as "rowId", position, name, content_type as "contentType", size, sha256, location`;

/** The files of revisions, in their order. */
export async function readFiles(
  db: Transaction,
  archiveId: number,
  revisionIds: readonly number[],
): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const chunk of chunks(revisionIds, READ_CHUNK_SIZES)) {
    const { rows } = await sql<StoredFile>`
      select ${COLUMNS} from files
      where archive_id = ${archiveId} and row_id in (${sql.join(chunk)}) order by row_id, position`.execute(
      db.k,
    );
    files.push(...rows);
  }
  return files;
}

const PAGE_SIZE = 500;

/** All files in pages, those of deleted revisions included, in any order. */
export async function* iterateFiles(db: Transaction): AsyncGenerator<StoredFile[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<StoredFile>`
      select ${COLUMNS} from files where id > ${after} order by id limit ${PAGE_SIZE}`.execute(
      db.k,
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
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

/**
 * Removes the rows of some files of an archive, and records the locations that no other row has, so that their bytes
 * can be removed. No files may be added meanwhile (`Adapter.lockTable`).
 * @param jobId identifies the removal
 * @returns the number of rows
 */
export async function removeFileRows(
  db: Transaction,
  archiveId: number,
  jobId: number,
  count: number,
): Promise<number> {
  const rows = await db.k
    .selectFrom('files')
    .select(['id', 'location'])
    .where('archive_id', '=', archiveId)
    .orderBy('id')
    .limit(count)
    .execute();
  if (rows.length === 0) return 0;
  await deleteRows(
    db,
    'files',
    'id',
    rows.map(({ id }) => id),
  );
  const locations = [...new Set(rows.map(({ location }) => location))];
  const inUse = await db.k
    .selectFrom('files')
    .select('location')
    .distinct()
    .where('location', 'in', locations)
    .execute();
  const used = new Set(inUse.map(({ location }) => location));
  for (const location of locations) {
    if (used.has(location)) continue;
    const removal = { job_id: jobId, is_done: 0 };
    await db.k
      .insertInto('file_removals')
      .values({ location, ...removal })
      .onConflict((conflict) => conflict.column('location').doUpdateSet(removal))
      .execute();
  }
  return rows.length;
}

/** Takes over the removals that jobs have not finished and never will: they failed or were cancelled. */
export async function reassignUnfinishedRemovals(db: Transaction, jobId: number): Promise<void> {
  await db.k
    .updateTable('file_removals')
    .set({ job_id: jobId })
    .where('is_done', '=', 0)
    .where('job_id', 'in', (jobs) =>
      jobs.selectFrom('definition_jobs').select('id').where('state', 'in', ['failed', 'cancelled']),
    )
    .execute();
}

/** The locations whose bytes are not removed yet. */
export async function readUnfinishedRemovals(db: Transaction, jobId: number): Promise<string[]> {
  const rows = await db.k
    .selectFrom('file_removals')
    .select('location')
    .where('job_id', '=', jobId)
    .where('is_done', '=', 0)
    .execute();
  return rows.map(({ location }) => location);
}

/** Records that bytes are removed, so that equal content can be stored again. */
export async function markRemovalsDone(
  db: Transaction,
  jobId: number,
  locations: readonly string[],
): Promise<void> {
  await db.k
    .updateTable('file_removals')
    .set({ is_done: 1 })
    .where('job_id', '=', jobId)
    .where('location', 'in', locations)
    .execute();
}

interface Removal {
  readonly jobId: number;
  readonly isDone: boolean;
}

/** The last removals of bytes, by location. */
export async function readRemovals(
  db: Transaction,
  locations: readonly string[],
): Promise<Map<string, Removal>> {
  const removals = new Map<string, Removal>();
  for (const chunk of chunks(locations, READ_CHUNK_SIZES)) {
    const rows = await db.k
      .selectFrom('file_removals')
      .selectAll()
      .where('location', 'in', [...chunk])
      .execute();
    for (const { location, job_id: jobId, is_done } of rows) {
      removals.set(location, { jobId, isDone: is_done === 1 });
    }
  }
  return removals;
}

/** Deletes the removals of jobs that ended before a time. */
export async function deleteRemovalsBefore(db: Transaction, time: number): Promise<void> {
  const ended = db.k.selectFrom('definition_jobs').select('id').where('finished_at', '<', time);
  await db.k
    .deleteFrom('file_removals')
    .where('is_done', '=', 1)
    .where('job_id', 'in', ended)
    .execute();
}
