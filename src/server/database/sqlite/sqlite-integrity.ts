import * as texts from '#messages/service/database.ts';
import { sql, type RawBuilder } from 'kysely';
import type { IntegrityChecks, Transaction } from '../database.ts';
import { refreshSearchIndexes } from './search-index.ts';

export const INTEGRITY: IntegrityChecks = {
  async checkIntegrity(database, deep, { progress, attempt }) {
    const check = deep ? 'integrity_check' : 'quick_check';
    progress(texts.checkingPages);
    await attempt(texts.theDatabase, async () => {
      const lines = await database.read(async (db) => {
        await refreshSearchIndexes(db);
        return rowsOf<Record<string, string>>(db, sql`pragma ${sql.raw(check)}`);
      });
      return lines
        .flatMap((row) => (row[check] ?? '').split('\n'))
        .filter((line) => line !== 'ok' && !line.startsWith('***'))
        .map((line) => texts.databaseProblem(line));
    });
    await attempt(texts.references, async () => {
      const strays = await database.read((db) =>
        rowsOf<{ table: string; rowid: number | null; parent: string }>(
          db,
          sql`pragma foreign_key_check`,
        ),
      );
      return strays.map(({ table, rowid, parent }) =>
        texts.rowWithoutParent({ rowid, table, parent }),
      );
    });
    return deep ? texts.integrity.sqliteDeep : texts.integrity.sqlite;
  },
};

async function rowsOf<Row>({ k }: Transaction, query: RawBuilder<unknown>): Promise<Row[]> {
  return (await query.$castTo<Row>().execute(k)).rows;
}
