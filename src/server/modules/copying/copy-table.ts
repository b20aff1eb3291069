import { READ_COMMITTED, type Database } from '#server/database/database.ts';
import type { LongSnapshot } from '#server/database/copying/long-snapshot.ts';
import type { TableShape } from '#server/database/copying/schema-introspection.ts';
import {
  keyOf,
  lastKey,
  readTablePage,
  createTableSum,
  type CanonicalRow,
  type TableSum,
} from '#server/database/copying/canonical-rows.ts';
import { insertRows } from '#server/database/records/bulk-statements.ts';

/**
 * Copies the missing rows of a table, page by page, each in its own transaction.
 * @param copied called with the number of copied rows
 * @returns the sum of the whole table in the source
 */
export async function copyTable(
  source: LongSnapshot,
  target: Database,
  shape: TableShape,
  copied: (rows: number) => void,
): Promise<TableSum> {
  const lastCopiedKey = await target.read((db) => lastKey(db, shape));
  const sum = createTableSum(shape);
  let after = lastCopiedKey;
  const read = () => source.use((db) => readTablePage(db, shape, after));
  let page = await read();
  while (page.length > 0) {
    if (lastCopiedKey === null) sum.add(page);
    after = behind(shape, page);
    const rows = page;
    // The source is read while the target is written.
    [page] = await Promise.all([
      read(),
      target.write((db) => insertRows(db, shape.name, shape.columns, rows), READ_COMMITTED),
    ]);
    copied(rows.length);
  }
  return lastCopiedKey === null ? sum.end() : computeTableSum(source, shape);
}

/** The sum of a whole table. */
export async function computeTableSum(
  snapshot: LongSnapshot,
  shape: TableShape,
  passed: (rows: number) => void = () => undefined,
): Promise<TableSum> {
  const sum = createTableSum(shape);
  let page: CanonicalRow[] = [];
  do {
    const after = page.length === 0 ? null : behind(shape, page);
    page = await snapshot.use((db) => readTablePage(db, shape, after));
    sum.add(page);
    passed(page.length);
  } while (page.length > 0);
  return sum.end();
}

function behind(shape: TableShape, page: readonly CanonicalRow[]) {
  const last = page.at(-1);
  return last ? keyOf(shape, last) : null;
}
