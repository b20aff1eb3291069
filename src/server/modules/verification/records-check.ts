import * as texts from '#messages/service/verification.ts';
import type { Transaction } from '#server/database/database.ts';
import { iterateRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { filesByRevision } from '../files/files.service.ts';
import { iterateEntries, type EntryRecord } from '../history/history.service.ts';
import type { VerificationFindings } from './verification-findings.ts';
import { Pages, readAhead } from './read-ahead.ts';
import { readConversions } from './conversions.ts';
import { matchesOnlyEntry, Replay, toReplayed, type VerifiedRecord } from './replay.ts';

/** The number of compared records and entries. */
export interface Compared {
  records: number;
  entries: number;
}

/**
 * Compares records of an archive or table with the states rebuilt from their entries. Records and entries are read side
 * by side in the order of the records' ids, one page of each in memory at a time.
 * @param compared counts them
 */
export async function checkRecords(
  db: Transaction,
  collection: Collection,
  findings: VerificationFindings,
  compared: Compared,
): Promise<void> {
  const subject = toReplayed(collection, await readConversions(db, collection));
  const { kind, name } = collection;
  const find = (id: number, problem: string) =>
    findings.addAbout(texts.record({ kind, name, id }), problem);
  const records = new Pages(iterateChecked(db, collection, compared));

  const apply = (replay: Replay, entry: EntryRecord) => {
    for (const problem of replay.apply(entry)) {
      const subject = texts.record({ kind, name, id: entry.rowId });
      findings.addAbout(texts.inHistory({ subject, id: entry.id }), problem);
    }
  };
  const findWithoutEntries = async (before: number) => {
    for (let head = await records.head(); head && head.id < before; head = await records.next()) {
      find(head.id, texts.notInHistory);
    }
  };
  const compare = async (replay: Replay) => {
    const { rowId, exists, last } = replay;
    await findWithoutEntries(rowId);
    const head = await records.head();
    if (head?.id !== rowId) {
      if (exists) find(rowId, last ? texts.isMissingSince(last) : texts.isMissing);
      return;
    }
    if (exists) {
      for (const problem of replay.differences(head)) {
        find(rowId, last ? texts.differsSince({ ...last, problem }) : problem);
      }
    } else if (last) find(rowId, texts.deletedSince(last));
    await records.next();
  };
  const compareOnly = async (entry: EntryRecord) => {
    const head = await records.head();
    if (head?.id === entry.rowId && matchesOnlyEntry(collection, entry, head)) {
      await records.next();
      return;
    }
    const replay = new Replay(subject, entry.rowId);
    apply(replay, entry);
    await compare(replay);
  };

  // The first entry of a record, until it has a second one or another record begins.
  let first: EntryRecord | undefined;
  let replay: Replay | undefined;
  const finish = async () => {
    if (replay) await compare(replay);
    else if (first) await compareOnly(first);
  };
  for await (const page of readAhead(iterateEntries(db, collection))) {
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
    findings.report.progress(texts.progress.collection({ kind, name, entries: compared.entries }));
  }
  await finish();
  await findWithoutEntries(Number.POSITIVE_INFINITY);
}

async function* iterateChecked(
  db: Transaction,
  collection: Collection,
  compared: Compared,
): AsyncGenerator<VerifiedRecord[]> {
  for await (const page of iterateRecords(db, collection)) {
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
