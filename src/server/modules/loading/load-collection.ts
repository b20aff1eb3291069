import * as loadingTexts from '#messages/service/loading.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { createIndexes } from '#server/database/records/record-tables.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Actor } from '../history/history.service.ts';
import type { BadRows } from './bad-rows.ts';
import type { CsvMapping } from './csv-columns.ts';
import { CsvRows } from './csv-rows.ts';
import { InlineRows } from './inline-rows.ts';
import { LoadError } from '../definition-files/load-error.ts';
import type { LoadReport } from './load-report.ts';
import type { Pass, LoadedRow, RowSource } from './loaded-row.ts';
import { CHUNK_SIZE, RowLoader, type RowCounts } from './row-loader.ts';

/** The rows for one archive or table. */
export interface CollectionRows {
  /** the name of the definition file in the ledger */
  readonly name: string;
  /** base of relative paths */
  readonly directory: string;
  readonly inline: readonly LoadedRow[];
  readonly csv: CsvMapping | null;
}

interface LoadedRows {
  readonly counts: RowCounts;
  /** notes for the administrator */
  readonly remarks: readonly string[];
}

/** What all parts of a load share. */
export interface LoadContext {
  readonly database: Database;
  readonly files: FileStore;
  readonly actor: Actor;
  readonly report: LoadReport;
}

/**
 * Loads the rows of one archive or table, within the transaction of `db`.
 * @param isNew whether it was defined in this transaction
 * @throws {LoadError} if a file cannot be read, or for bad rows that are not skipped
 */
export async function loadRows(
  db: Transaction,
  collection: Collection,
  isNew: boolean,
  content: CollectionRows,
  context: LoadContext & { readonly bad: BadRows },
): Promise<LoadedRows> {
  const remarks: string[] = [];
  const sources: RowSource[] = [new InlineRows(content.name, content.inline)];
  if (content.csv) {
    const rows = await CsvRows.open(collection, content.directory, content.csv);
    remarks.push(...rows.remarks);
    if (rows.unmatched.length > 0) {
      const names = rows.unmatched.map((name) => `“${name}”`).join(', ');
      remarks.push(
        loadingTexts.columnsIgnored({
          count: rows.unmatched.length,
          name: rows.name,
          names,
        }),
      );
    }
    sources.push(rows);
  }
  const loader = new RowLoader(db, collection, isNew, context);
  const { bad, report } = context;
  const take = async (pass: Pass) => {
    for (const source of sources) {
      if (pass === 'with id' ? !source.mayHaveIds : !source.mayLackIds) continue;
      await forEachChunk(source.rows(pass), async (rows, count) => {
        await loader.load(source, rows);
        const percent = Math.floor(source.fraction() * 100);
        report.progress(loadingTexts.rowsRead({ name: collection.name, count, percent }));
      });
    }
    await loader.loadWaiting();
  };
  await take('with id');
  if (loader.counts.added > 0) await db.adapter.advanceIdCounter(db, collection);
  await take('without id');
  if (bad.isFatal) throw new LoadError(bad.lines);
  await loader.end();

  if (isNew) {
    report.progress(loadingTexts.creatingIndexes(collection.name));
    await createIndexes(db, collection);
  }
  if (loader.counts.added > 0) await db.adapter.analyze(db, tableName(collection));
  return { counts: loader.counts, remarks };
}

async function forEachChunk(
  rows: AsyncIterable<LoadedRow>,
  work: (rows: readonly LoadedRow[], count: number) => Promise<void>,
): Promise<void> {
  let chunk: LoadedRow[] = [];
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (chunk.push(row) < CHUNK_SIZE) continue;
    await work(chunk, count);
    chunk = [];
  }
  if (chunk.length > 0) await work(chunk, count);
}
