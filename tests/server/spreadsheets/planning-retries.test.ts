/** @module-tag slow */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database, Transaction } from '#server/database/database.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import {
  replacePlannedRows,
  type ReplacingRow,
} from '#server/modules/bulk-edits/planned-rows.store.ts';
import { planImport } from '#server/modules/spreadsheets/import.service.ts';
import { buildArchive, buildRecords, buildTable, buildWriter } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';

/** More than the rows that are planned together. */
const MANY = 120;
/** When a read loses its connection: after its first or second prepared statement, or after its last statement. */
type Loss = 'after one statement' | 'after two statements' | 'at the end';
const LOSSES = {
  archive: sampled<Loss>(1, ['at the end', 'after one statement', 'after two statements']),
  table: sampled<Loss>(1, ['after one statement', 'at the end', 'after two statements']),
};

describe('the plan of an import during which connections are lost', { tags: ['postgres'] }, () => {
  const databases = testDatabases('postgres');
  /** Plans the import of a file; each read loses its first connection. */
  const plan = async (kind: 'archive' | 'table', loss: Loss, lines: readonly string[]) => {
    const config = await databases.prepare();
    const database = await databases.open(config);
    const title = { name: 'TITLE', label: 'Title' };
    const collection =
      kind === 'archive'
        ? await buildArchive(database, [title], [])
        : await buildTable(database, [{ ...title, unique: true }]);
    await buildRecords(
      database,
      collection,
      Array.from({ length: MANY }, (_, i) => [`title ${i + 1}`]),
    );
    const path = join(config.dataDir, 'rows.csv');
    await writeFile(path, lines.join('\n'));
    const { id, counts } = await planImport(losing(database, loss), collection, buildWriter(), {
      file: { path, name: 'rows.csv', header: null },
      columns: [{ as: 'id' }, { as: 'field', field: 'TITLE', decimal: null, order: null }],
      mode: kind === 'archive' ? 'change' : 'both',
      key: null,
    });
    const rows = await database.read((db) =>
      db.k
        .selectFrom('bulk_edit_revisions')
        .select(['row_id as rowId', 'outcome', 'changes', 'message'])
        .where('bulk_edit_id', '=', id)
        .orderBy('position')
        .execute(),
    );
    return { counts, rows };
  };
  const rowsOf = (titleOf: (id: number) => string) =>
    Array.from({ length: MANY }, (_, i) => `${i + 1},${titleOf(i + 1)}`);

  it.each(LOSSES.archive)('of an archive is that of all rows (lost %s of a read)', async (loss) => {
    const { counts, rows } = await plan('archive', loss, [
      'Revision id,Title',
      ...rowsOf((id) => `new ${id}`),
      '2,again',
    ]);
    expect(counts).toMatchObject({ total: MANY, changed: MANY - 1, invalid: 1 });
    for (const [i, { rowId, outcome, changes, message }] of rows.entries()) {
      expect([rowId, outcome]).toEqual([i + 1, i === 1 ? 'invalid' : 'changed']);
      expect(changes).toContain(`"after":"new ${i + 1}"`);
      if (i === 1) expect(message).toContain('again in row');
    }
  });

  it.each(LOSSES.table)('of a table is that of all rows (lost %s of a read)', async (loss) => {
    const { counts, rows } = await plan('table', loss, [
      'jrid,Title',
      // Each takes the value that the row before it frees.
      ...rowsOf((id) => `title ${id - 1}`),
      `,title ${MANY}`,
      ',title 3',
      '4,twice',
    ]);
    expect(counts).toMatchObject({ total: MANY + 3, changed: MANY, created: 1, invalid: 2 });
    for (const [i, { rowId, outcome, changes }] of rows.slice(0, MANY).entries()) {
      expect([rowId, outcome]).toEqual([i + 1, 'changed']);
      expect(changes).toContain(`"after":"title ${i}"`);
    }
  });
});

describe('a row of a plan that replaces another', () => {
  const { open } = testDatabases('sqlite');

  it('must be one of the same record', async () => {
    const database = await open();
    const row: ReplacingRow = {
      rowId: 7,
      version: 1,
      outcome: 'invalid',
      changes: [],
      keywordChanges: [],
      refused: null,
      message: null,
      replaces: { position: 0, outcome: 'changed', findings: undefined, characters: 0 },
    };
    await expect(database.write((db) => replacePlannedRows(db, 1, [row]))).rejects.toThrow(
      'Position 0 of the plan is not that of 7',
    );
  });
});

/** A database each of whose reads loses its connection once. */
function losing(database: Database, loss: Loss): Database {
  return wrapDatabase(database, {
    read(work, context) {
      let isLost = false;
      const lose = async (db: Transaction) => {
        isLost = true;
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db.k);
      };
      return database.read(async (db) => {
        if (isLost) return work(db);
        let left = loss === 'after one statement' ? 1 : loss === 'after two statements' ? 2 : 0;
        const result = await work({
          adapter: db.adapter,
          isWrite: db.isWrite,
          startedAt: db.startedAt,
          k: db.k,
          async run(statement, parameters) {
            const rows = await db.run(statement, parameters);
            left -= 1;
            if (left === 0) await lose(db);
            return rows;
          },
          send: (statement, parameters) => db.send(statement, parameters),
          notify: (payload) => db.notify(payload),
          runInReadWorker: db.runInReadWorker,
          lists: db.lists,
        });
        if (loss === 'at the end') await lose(db);
        return result;
      }, context);
    },
  });
}
