import type { Transaction } from '#server/database/database.ts';
import { walkRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { filesByRevision } from '../files/files.service.ts';
import { walkHistory, type WalkedEntry } from '../history/history.service.ts';
import { counted, subjectOf } from '#server/report-texts.ts';
import type { Findings } from './findings.ts';
import { Pages, readAhead } from './pages.ts';
import { isAsCreated, Replay, toReplayed, type CheckedRecord } from './replay.ts';

/** How many records were compared, and with how many entries. */
export interface Compared {
  records: number;
  entries: number;
}

/**
 * Compares records of an archive or table with what their entries lead to. Records and entries are read side by side in
 * the order of the records' ids, a page of each in memory at a time.
 * @param compared counts them
 */
export async function checkRecords(
  db: Transaction,
  collection: Collection,
  findings: Findings,
  compared: Compared,
): Promise<void> {
  const subject = toReplayed(collection);
  const what = subjectOf(collection);
  const recordName = `${what}, ${collection.kind === 'archive' ? 'revision' : 'dataset'}`;
  const records = new Pages(walkChecked(db, collection, compared));

  const apply = (replay: Replay, entry: WalkedEntry) => {
    for (const problem of replay.apply(entry)) {
      findings.add(`${recordName} ${entry.rowId}, history ${entry.id}: ${problem}.`);
    }
  };
  const findWithoutEntries = async (before: number) => {
    for (let head = await records.head(); head && head.id < before; head = await records.next()) {
      findings.add(`${recordName} ${head.id}: it is there, and the history knows nothing of it.`);
    }
  };
  const compare = async (replay: Replay) => {
    const { rowId, exists, last } = replay;
    await findWithoutEntries(rowId);
    const head = await records.head();
    const newest = last ? `; the newest entry is history ${last.id} of ${last.username}` : '';
    if (head?.id !== rowId) {
      if (exists) findings.add(`${recordName} ${rowId}: it is missing${newest}.`);
      return;
    }
    if (!exists) {
      findings.add(`${recordName} ${rowId}: it is there, and was deleted${newest}.`);
    } else {
      for (const problem of replay.differences(head)) {
        findings.add(`${recordName} ${rowId}: ${problem}${newest}.`);
      }
    }
    await records.next();
  };
  const compareOnly = async (entry: WalkedEntry) => {
    const head = await records.head();
    if (head?.id === entry.rowId && isAsCreated(collection, entry, head)) {
      await records.next();
      return;
    }
    const replay = new Replay(subject, entry.rowId);
    apply(replay, entry);
    await compare(replay);
  };

  // The first entry of a record, until it has a second one or another record begins.
  let first: WalkedEntry | undefined;
  let replay: Replay | undefined;
  const finish = async () => {
    if (replay) await compare(replay);
    else if (first) await compareOnly(first);
  };
  for await (const page of readAhead(walkHistory(db, collection))) {
    for (const entry of page) {
      if (first?.rowId !== entry.rowId) {
        await finish();
        [first, replay] = [entry, undefined];
        continue;
      }
      if (!replay) {
        replay = new Replay(subject, entry.rowId);
        apply(replay, first);
      }
      apply(replay, entry);
    }
    compared.entries += page.length;
    findings.report.progress(`${what}: ${counted(compared.entries, 'entry', 'entries')} in all`);
  }
  await finish();
  await findWithoutEntries(Number.POSITIVE_INFINITY);
}

async function* walkChecked(
  db: Transaction,
  collection: Collection,
  compared: Compared,
): AsyncGenerator<CheckedRecord[]> {
  for await (const page of walkRecords(db, collection)) {
    const files =
      collection.kind === 'archive'
        ? await filesByRevision(
            db,
            collection,
            page.map(({ id }) => id),
          )
        : null;
    compared.records += page.length;
    yield page.map((record) => ({
      ...record,
      files: files?.get(record.id)?.map(({ name }) => name) ?? [],
    }));
  }
}
