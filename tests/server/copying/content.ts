import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { readTableShapes } from '#server/database/copying/schema-introspection.ts';
import {
  keyOf,
  readTablePage,
  type CanonicalRow,
} from '#server/database/copying/canonical-rows.ts';
import { SYSTEM_COPIES } from '#server/database/copying/system-table-copies.ts';
import type { Database } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { findCollection, loadFile, writeFiles } from '#tests/support/load.ts';
import { buildUser } from '#tests/support/app.ts';

const SCAN = 'a page of paper';
export const SCAN_LOCATION = locationOf(SCAN);

function locationOf(text: string): string {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${sha256.slice(0, 2)}/${sha256}`;
}

const DEFINITION = {
  archives: [
    {
      guid: 'b7a4c1de-7b0f-4a1d-8a63-5c7f1e2d3b41',
      table: 'LETTERS',
      name: 'Letters',
      indexFields: [
        { name: 'TITLE', type: 'text', maxLength: 200_000 },
        { name: 'PAGES', type: 'integer' },
        { name: 'PRICE', type: 'decimal', scale: 14 },
        { name: 'PAID', type: 'boolean' },
        { name: 'DAY', type: 'date' },
        { name: 'SENT', type: 'datetime' },
      ],
      keywordFields: [{ name: 'SUBJECT' }],
      documents: [
        ['Grüße, “Ł” 𝄞 \u0001\r\n\t"\\', 9_007_199_254_740_991, '0.30000000000001', true],
        ['', -9_007_199_254_740_991, '-99999999999999.9', false],
        [null, null, null, null],
        ['long '.repeat(30_000), 0, '-0', true],
      ].map(([title, pages, price, paid], i) => ({
        revisionId: i + 1,
        indexFields: [
          { name: 'TITLE', value: title },
          { name: 'PAGES', value: pages },
          { name: 'PRICE', value: price },
          { name: 'PAID', value: paid },
          { name: 'DAY', value: i === 2 ? null : `000${i + 1}-12-31` },
          { name: 'SENT', value: i === 2 ? null : `2024-02-29T23:59:59.${i}00+05:30` },
        ],
        keywordFields: [
          { name: 'SUBJECT', value: 'paper' },
          { name: 'SUBJECT', value: 'été' },
        ],
        files: i === 0 ? ['scan.txt'] : [],
      })),
    },
  ],
  tables: [
    {
      guid: 'b7a4c1de-7b0f-4a1d-8a63-5c7f1e2d3b42',
      name: 'PARTNERS',
      columns: [
        { name: 'name', type: 'text', unique: true },
        { name: 'since', type: 'date' },
      ],
      datasetsFrom: { csv: 'partners.csv' },
    },
  ],
};
/** More than a page of a copy holds. */
export const PARTNERS = 2_500;

/** Fills a new installation so that no table that is copied is empty. The last dataset is deleted again. */
export async function fillInstallation(
  database: Database,
  dataDir: string,
  folder: string,
): Promise<void> {
  const partners = Array.from({ length: PARTNERS }, (_, i) => `Partner ${i},2020-01-01`);
  await writeFiles(folder, {
    'scan.txt': SCAN,
    'content.json': DEFINITION,
    'partners.csv': ['name,since', ...partners, ''].join('\n'),
  });
  const { failed, warned } = await loadFile(database, dataDir, join(folder, 'content.json'));
  if (failed.length + warned.length > 0) throw new Error([...failed, ...warned].join('\n'));
  await buildUser(database, { username: 'anna', role: 'administrator' });
  const table = await findCollection(database, 'PARTNERS');
  await database.write(async (db) => {
    await sql`delete from ${sql.table(tableName(table))} where _id = ${PARTNERS}`.execute(db.k);
    const shapes = await readTableShapes(db);
    for (const [name, copy] of Object.entries(SYSTEM_COPIES)) {
      const shape = shapes.get(name);
      if (!copy.copied || !shape) continue;
      const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db.k);
      if (rows.length > 0) continue;
      const values = shape.columns.map((column) => (shape.texts.includes(column) ? `'é'` : 1));
      await db.k.executeQuery(
        CompiledQuery.raw(
          `insert into "${name}" (${shape.columns.map((column) => `"${column}"`).join()}) values (${values.join()})`,
        ),
      );
    }
  });
}

/** Every row of every table that is copied, by table, with its sum. */
export async function contentOf(database: Database): Promise<Map<string, CanonicalRow[]>> {
  return database.read(async (db) => {
    const content = new Map<string, CanonicalRow[]>();
    for (const whole of (await readTableShapes(db)).values()) {
      const leftOut = Object.entries(SYSTEM_COPIES).flatMap(([name, { copied }]) =>
        copied ? [] : [name],
      );
      if (leftOut.includes(whole.name)) continue;
      // Of the database itself: transactions, and how far they are sealed.
      const columns = whole.columns.filter((name) => !['xid', 'progress'].includes(name));
      const shape = { ...whole, columns };
      const rows: CanonicalRow[] = [];
      for (let page = await readTablePage(db, shape, null); page.length > 0;) {
        rows.push(...page);
        const last = page.at(-1);
        page = last ? await readTablePage(db, shape, keyOf(shape, last)) : [];
      }
      content.set(shape.name, rows);
    }
    return content;
  });
}
