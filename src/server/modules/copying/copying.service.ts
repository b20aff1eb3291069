import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/storage.ts';
import { readNewestHistoryId } from '#server/database/records/changed-records.ts';
import { sql } from 'kysely';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { readCounter, writeCounter } from '#server/database/copying/counters.ts';
import { openSnapshot, type LongSnapshot } from '#server/database/copying/long-snapshot.ts';
import type { TableShape } from '#server/database/copying/schema-introspection.ts';
import { DATABASE_SETTINGS } from '#server/database/copying/system-table-copies.ts';
import {
  readCopyState,
  removeCopyState,
  writeCopyState,
  type CopyState,
} from '#server/database/copying/copy-state.ts';
import { tableName } from '#server/database/records/columns.ts';
import { createIndexes } from '#server/database/records/record-tables.ts';
import { restartChanges } from '../definition-jobs/job-rows.ts';
import type { FileStore } from '../files/file-store.ts';
import type { LoadReport } from '../loading/load-report.ts';
import { copyMissingFiles, type FileTally } from './copy-files.ts';
import { copyTable, computeTableSum } from './copy-table.ts';
import { compareTables, createMissingTables, planCopy, type CopyPlan } from './copy-plan.ts';

/** One side of a copy. */
export interface CopyEnd {
  readonly database: Database;
  /** where the documents' files are; null: they are not copied */
  readonly files: FileStore | null;
  /** its name for the administrator, without a password */
  readonly name: string;
}

/** The content of a copy. */
export interface CopyResult extends FileTally {
  readonly tables: number;
  readonly rows: number;
}

/**
 * Copies a whole installation into an empty one: every table with its counters, and the documents' files if both sides
 * store them in different places. An interrupted copy is continued. At the end the sums of each table are compared.
 * Until then nothing else can open the target.
 * @param meanwhile what may be written to the source during the copy: `nothing`, otherwise the copy is rejected at its
 * end; `anything`: the copy has the state at its start
 * @throws {OperatorError} if the target is not empty, or the source was changed since the copy began; the target stays
 * unfinished
 */
export async function copyInstallation(
  from: CopyEnd,
  to: CopyEnd,
  report: LoadReport,
  meanwhile: 'nothing' | 'anything',
): Promise<CopyResult> {
  const source = await openSnapshot(from.database);
  try {
    const plan = await source.use(planCopy);
    for (const name of plan.unknownTables) {
      report.warn(texts.tableNotCopied(name));
    }
    let state = await begin(to, plan, from.name);
    await to.database.write((db) => createMissingTables(db, plan), READ_COMMITTED);
    await to.database.read((db) => compareTables(db, plan));
    for (const [i, shape] of plan.tables.entries()) {
      const progressText = texts.copyingTable({
        name: shape.name,
        value: i + 1,
        count: plan.tables.length,
      });
      state = await finishTable(source, to.database, shape, state, (rows) =>
        report.progress(texts.rowsOf({ progress: progressText, rows })),
      );
    }
    await indexCollections(to.database, plan, report);
    const files =
      from.files && to.files
        ? await copyMissingFiles(source, from.files, to.files, (count) =>
            report.progress(texts.copyingFiles(count)),
          )
        : { files: 0, bytes: 0, bad: [] };
    await verify(to.database, plan, state, report);
    if (meanwhile === 'nothing') await assertUnchanged(source, from);
    await finish(source, to.database, plan);
    const rows = Object.values(state.finished).reduce((sum, table) => sum + table.rows, 0);
    return { tables: plan.tables.length, rows, ...files };
  } finally {
    await source.close();
  }
}

async function assertUnchanged(copied: LongSnapshot, { database, name }: CopyEnd): Promise<void> {
  const newest = await copied.use((db) => readNewestHistoryId(db));
  if (newest === (await database.read(readNewestHistoryId))) return;
  throw new OperatorError(texts.changedWhileCopied(name));
}

async function begin(
  { database, name }: CopyEnd,
  plan: CopyPlan,
  from: string,
): Promise<CopyState> {
  return database.write(async (db) => {
    const state = await readCopyState(db);
    if (state) {
      if (state.from === from) return state;
      throw new OperatorError(texts.targetIsOtherCopy({ name, from: state.from }));
    }
    await assertEmpty(db, plan, name);
    const begun = { from, finished: {} };
    await writeCopyState(db, begun);
    return begun;
  });
}

async function assertEmpty(
  db: Transaction,
  { tables, collections }: CopyPlan,
  name: string,
): Promise<void> {
  const records = collections.map(tableName);
  for (const shape of tables) {
    if (records.some((record) => shape.name.startsWith(record))) continue;
    const { rows } = await sql`select 1 from ${sql.table(shape.name)} limit 1`.execute(db.k);
    if (rows.length > 0) {
      throw new OperatorError(texts.targetNotEmpty(name));
    }
  }
}

async function finishTable(
  source: LongSnapshot,
  target: Database,
  shape: TableShape,
  state: CopyState,
  progress: (rows: number) => void,
): Promise<CopyState> {
  const known = state.finished[shape.name];
  if (known) {
    const now = await computeTableSum(source, shape);
    if (now.sha256 !== known.sha256) throw changedMeanwhile(shape.name);
    return state;
  }
  let rows = 0;
  const sum = await copyTable(source, target, shape, (count) => progress((rows += count)));
  const next = { ...state, finished: { ...state.finished, [shape.name]: sum } };
  await target.write((db) => writeCopyState(db, next));
  return next;
}

function changedMeanwhile(table: string): Error {
  return new OperatorError(texts.copyDiffers(table));
}

/** Also adds the records to the search index. */
async function indexCollections(
  target: Database,
  { collections }: CopyPlan,
  report: LoadReport,
): Promise<void> {
  for (const [i, collection] of collections.entries()) {
    report.progress(
      texts.indexingTable({ name: collection.name, value: i + 1, count: collections.length }),
    );
    await target.write((db) => createIndexes(db, collection), READ_COMMITTED);
    await target.write((db) => db.adapter.analyze(db, tableName(collection)), READ_COMMITTED);
  }
}

/** Compares the data in the target with the data read from the source. */
async function verify(
  target: Database,
  { tables }: CopyPlan,
  { finished }: CopyState,
  report: LoadReport,
): Promise<void> {
  const snapshot = await openSnapshot(target);
  try {
    for (const [i, shape] of tables.entries()) {
      const progressText = texts.checkingTable({
        name: shape.name,
        value: i + 1,
        count: tables.length,
      });
      let rows = 0;
      const there = await computeTableSum(snapshot, shape, (passed) =>
        report.progress(texts.rowsOf({ progress: progressText, rows: (rows += passed) })),
      );
      if (there.sha256 !== finished[shape.name]?.sha256) throw changedMeanwhile(shape.name);
    }
  } finally {
    await snapshot.close();
  }
}

/** Completes the target installation. */
async function finish(source: LongSnapshot, target: Database, { tables }: CopyPlan): Promise<void> {
  const counters = await source.use(async (db) => {
    const found: [TableShape, number][] = [];
    for (const shape of tables) {
      const given = await readCounter(db, shape);
      if (given !== null) found.push([shape, given]);
    }
    return found;
  });
  const entries = await source.use((db) =>
    db.k.selectFrom('installation').selectAll().where('key', 'not in', DATABASE_SETTINGS).execute(),
  );
  await target.write(async (db) => {
    for (const [shape, given] of counters) await writeCounter(db, shape, given);
    await restartChanges(db);
    await db.k.deleteFrom('installation').where('key', 'not in', DATABASE_SETTINGS).execute();
    if (entries.length > 0) await db.k.insertInto('installation').values(entries).execute();
    await removeCopyState(db);
  });
}
