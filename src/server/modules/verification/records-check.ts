import type { Db } from '#server/db/database.ts';
import { walkRecords } from '#server/db/records/read-records.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { walkFiles } from '../files/files.service.ts';
import { readChanges, walkHistory } from '../history/history.service.ts';
import { counted, type Findings } from './findings.ts';
import { Pages } from './pages.ts';
import { placesOf, Rebuilt } from './rebuilt.ts';

async function* noFiles(): AsyncGenerator<never[]> {}

/**
 * Compares every record of an archive or table with what its history says it is. Goes through both in the order of
 * their ids, so that a few pages are in memory.
 * @returns how many records and entries there are
 */
export async function checkRecords(
  db: Db,
  thing: Thing,
  findings: Findings,
): Promise<{ records: number; entries: number }> {
  const places = placesOf(thing);
  const record = thing.kind === 'archive' ? 'revision' : 'dataset';
  const what = `${thing.kind === 'archive' ? 'Archive' : 'Table'} ${thing.name}`;
  const counts = { records: 0, entries: 0 };
  const records = new Pages(walkRecords(db, thing));
  const files = new Pages(thing.kind === 'archive' ? walkFiles(db, thing.id) : noFiles());

  const tellAdditional = async (before: number) => {
    for (let head = await records.head(); head && head.id < before; head = await records.next()) {
      counts.records += 1;
      findings.add(
        `${what}, ${record} ${head.id}: it is there, and the history knows nothing of it.`,
      );
    }
  };
  const filesOf = async (rowId: number) => {
    const names: string[] = [];
    for (let head = await files.head(); head && head.rowId <= rowId; head = await files.next()) {
      if (head.rowId === rowId) names.push(head.name);
    }
    return names;
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
    counts.records += 1;
    if (!rebuilt.exists) {
      findings.add(`${what}, ${record} ${head.id}: it is there, and was deleted${told ?? ''}.`);
    } else {
      for (const problem of rebuilt.differences(head, await filesOf(head.id))) {
        findings.add(`${what}, ${record} ${head.id}: ${problem}${told ?? ''}.`);
      }
    }
    await records.next();
  };

  let current: Rebuilt | undefined;
  for await (const page of walkHistory(db, thing)) {
    for (const entry of page) {
      if (entry.rowId !== current?.rowId) {
        if (current) await finish(current);
        current = new Rebuilt(thing, places, entry.rowId);
      }
      for (const problem of current.take(entry, readChanges(entry.changes))) {
        findings.add(`${what}, ${record} ${entry.rowId}, history ${entry.id}: ${problem}.`);
      }
    }
    counts.entries += page.length;
    findings.report.progress(`${what}: ${counted(counts.entries, 'entry', 'entries')}`);
  }
  if (current) await finish(current);
  await tellAdditional(Infinity);
  return counts;
}
