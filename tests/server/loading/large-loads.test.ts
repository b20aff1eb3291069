/** @module-tag slow */
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';
import { buildFolder, loadFile, writeFiles } from '#tests/support/load.ts';
import { recordStatements } from '#tests/support/database-statements.ts';

/** Many times what a load judges together. */
const ROWS = IS_LONG_RUN ? 4_000 : 1_500;
const GUID = 'cccccccc-0000-0000-0000-000000000023';
const folder = buildFolder();

describeOnBothDatabases('a load of many rows', (open, { onOneDatabase, prepare }) => {
  let database: Database;
  let dataDir: string;
  beforeEach(async () => {
    const config = await prepare();
    ({ dataDir } = config);
    database = await open(config);
  });

  /** @param lines of the CSV file, after its header */
  async function load(lines: readonly string[], skipBadRows: { path: string } | null = null) {
    await writeFiles(folder, {
      'many.csv': `jrid,no\n${lines.join('\n')}\n`,
      'many.json': {
        tables: [
          {
            guid: GUID,
            name: 'MANY',
            columns: [{ name: 'no', type: 'integer', unique: true }],
            datasetsFrom: { csv: 'many.csv' },
          },
        ],
      },
    });
    const recorded = recordStatements(database);
    const loaded = await loadFile(
      recorded.database,
      dataDir,
      join(folder, 'many.json'),
      skipBadRows,
    );
    return { ...loaded, statements: recorded.statements };
  }
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `${from + i},${from + i}`);

  it('names the first row of an id and a value that come again very many rows later', async () => {
    const { failed, statements } = await load([
      '1,bad',
      ...rows(2, ROWS),
      `2,${ROWS + 1}`,
      `${ROWS + 2},3`,
    ]);
    expect(failed).toEqual([
      'MANY, many.csv, line 2: no: The value must be a number: digits, with a minus sign if negative.',
      `MANY, many.csv, line ${ROWS + 1}: The jrid 2 occurs more than once, first in line 3.`,
      `MANY, many.csv, line ${ROWS + 2}: no: The value is already in line 4; it must be unique.`,
      'Nothing of the table MANY was loaded.',
    ]);
    // Ids and values of all rows are in the database, not in the memory of the process.
    const made = statements.filter(({ text }) => text.includes('create temporary table'));
    expect(made.map(({ text }) => /"load_\w+"/.exec(text)?.[0])).toEqual([
      '"load_ids"',
      '"load_values"',
    ]);
  });

  it('has no statement that grows with the rows', async () => {
    const largest = async (from: number, to: number) => {
      const { result, statements } = await load(rows(from, to));
      expect(result?.collections).toMatchObject([{ added: to - from, bad: 0 }]);
      return Math.max(
        ...statements.map(
          ({ text, parameters }) => text.length + JSON.stringify(parameters).length,
        ),
      );
    };
    const few = await largest(100_000, 100_500);
    expect(await largest(200_000, 200_000 + ROWS)).toBeLessThanOrEqual(few);
  });

  // The same statements on both.
  it('asks once for the stored values of many rows', onOneDatabase, async () => {
    await load(rows(1, 1_001));
    const taken = Array.from({ length: 250 }, (_, i) => `${10_001 + i},${1 + i}`);
    const { failed, statements } = await load(taken);
    expect(failed[0]).toBe(
      'MANY, many.csv, line 2: no: The value is already in record 1; it must be unique.',
    );
    expect(failed).toContain('MANY: 230 further bad rows.');
    // A chunk of 250 rows is looked up by the values of 200, of 10 five times.
    const questions = statements.filter(({ text }) => /^\s*select _id as id from/.test(text));
    expect(questions.map(({ parameters }) => parameters.length)).toEqual([200, 10, 10, 10, 10, 10]);
  });
});
