import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk.ts';
import { walkRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { filesByRevision } from '../files/files.service.ts';
import { readChanges, walkHistory } from '../history/history.service.ts';
import { counted, type Findings } from './findings.ts';
import { Pages } from './pages.ts';
import { type IdRange, walkSlices } from './plain-records.ts';
import { placesOf, Rebuilt, type ErrorPaths } from './rebuilt.ts';

/** So many records are compared together; the names of their files are in memory. */
const AT_ONCE = 1_000;

/** How many records are compared, and with how many entries. */
export interface Compared {
  records: number;
  entries: number;
}

/**
 * Compares records of an archive or table with what their histories say they are. A few pages are in memory.
 * @param compared counts them
 */
export async function checkRecords(
  db: Transaction,
  collection: Collection,
  range: IdRange,
  findings: Findings,
  compared: Compared,
): Promise<void> {
  const places = placesOf(collection);
  const what = `${collection.kind === 'archive' ? 'Archive' : 'Table'} ${collection.name}`;
  for await (const { records, entries, others } of walkSlices(db, collection, range)) {
    for (const ids of chunks(others, AT_ONCE)) {
      await compareEach(db, { collection, places, what }, ids, findings);
    }
    compared.records += records;
    compared.entries += entries;
    findings.report.progress(`${what}: ${counted(compared.entries, 'entry', 'entries')} in all`);
  }
}

/**
 * Compares records value by value. Goes through them and their entries in the order of their ids.
 * @param ids of records or of entries that have none, ascending
 */
async function compareEach(
  db: Transaction,
  { collection, places, what }: { collection: Collection; places: ErrorPaths; what: string },
  ids: readonly number[],
  findings: Findings,
): Promise<void> {
  const record = collection.kind === 'archive' ? 'revision' : 'dataset';
  const records = new Pages(walkRecords(db, collection, ids));
  const files = collection.kind === 'archive' ? await filesByRevision(db, collection, ids) : null;

  const tellAdditional = async (before: number) => {
    for (let head = await records.head(); head && head.id < before; head = await records.next()) {
      findings.add(
        `${what}, ${record} ${head.id}: it is there, and the history knows nothing of it.`,
      );
    }
  };
  const finish = async (rebuilt: Rebuilt) => {
    await tellAdditional(rebuilt.rowId);
    const head = await records.head();
    const last = rebuilt.last;
    const told = last && `; the newest entry is history ${last.id} of ${last.username}`;
    if (head?.id !== rebuilt.rowId) {
      if (!rebuilt.exists) return;
      findings.add(`${what}, ${record} ${rebuilt.rowId}: it is missing${told ?? ''}.`);
      return;
    }
    if (!rebuilt.exists) {
      findings.add(`${what}, ${record} ${head.id}: it is there, and was deleted${told ?? ''}.`);
    } else {
      const names = (files?.get(head.id) ?? []).map(({ name }) => name);
      for (const problem of rebuilt.differences(head, names)) {
        findings.add(`${what}, ${record} ${head.id}: ${problem}${told ?? ''}.`);
      }
    }
    await records.next();
  };

  let current: Rebuilt | undefined;
  for await (const page of walkHistory(db, collection, ids)) {
    for (const entry of page) {
      if (entry.rowId !== current?.rowId) {
        if (current) await finish(current);
        current = new Rebuilt(collection, places, entry.rowId);
      }
      for (const problem of current.take(entry, readChanges(entry.changes))) {
        findings.add(`${what}, ${record} ${entry.rowId}, history ${entry.id}: ${problem}.`);
      }
    }
  }
  if (current) await finish(current);
  await tellAdditional(Infinity);
}
