import * as texts from '#messages/service/database.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Database, IntegrityChecks } from '../database.ts';

export const INTEGRITY: IntegrityChecks = {
  async checkIntegrity(database, deep, { progress, attempt }) {
    const check = deep ? 'integrity_check' : 'quick_check';
    progress(texts.checkingPages);
    await attempt(texts.theDatabase, async () => {
      const lines = await read<Record<string, string>>(database, sql`pragma ${sql.raw(check)}`);
      return lines
        .flatMap((row) => (row[check] ?? '').split('\n'))
        .filter((line) => line !== 'ok' && !line.startsWith('***'))
        .map((line) => texts.databaseProblem(line));
    });
    await attempt(texts.references, async () => {
      const strays = await read<{ table: string; rowid: number | null; parent: string }>(
        database,
        sql`pragma foreign_key_check`,
      );
      return strays.map(({ table, rowid, parent }) =>
        texts.rowWithoutParent({ rowid, table, parent }),
      );
    });
    return deep
      ? 'its pages, tables, indexes and references were checked'
      : 'its pages, tables and references were checked, its indexes not (--deep)';
  },
};

function read<Row>(database: Database, query: RawBuilder<unknown>): Promise<Row[]> {
  return database.read(async ({ k }) => (await query.$castTo<Row>().execute(k)).rows);
}
