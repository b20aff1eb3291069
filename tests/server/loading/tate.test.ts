import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database, DatabaseConfig } from '#server/db/database.ts';
import { readRecords } from '#server/db/records/read-records.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { changeRecords } from '#server/modules/records/records.service.ts';
import type { Scalar } from '#shared/values.ts';
import { buildWriter } from '#tests/support/builders.ts';
import { describeOnBothDatabases, testDatabases } from '#tests/support/databases.ts';
import { buildFolder, findThing, loadFile } from '#tests/support/load.ts';
import {
  TATE_ARTISTS,
  TATE_ARTWORKS,
  TATE_DEFINITION,
  writeTateWorks,
} from '#tests/support/tate.ts';

const ROWS = 69_202;
const ARTISTS = 3_532;
/** On a machine that others use too; a quiet one takes a third of it. */
const LONGEST = 180_000;

interface Row {
  readonly values: Record<string, string>;
  /** as it stands in the file, with its line break */
  readonly raw: string;
}

/** The rows of a CSV file as they stand in it: read here on its own, as it is what the load is measured by. */
async function* rowsOf(path: string): AsyncGenerator<Row> {
  const source = createReadStream(path);
  const text = path.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  const rows: AsyncIterable<{ record: Record<string, string>; raw: string }> = text.pipe(
    parse({ columns: true, raw: true, record_delimiter: ['\r\n', '\n'] }),
  );
  for await (const { record, raw } of rows) yield { values: record, raw };
}

/** A stored value as the file spells it. */
function spelt(value: Scalar | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

describeOnBothDatabases('the Tate collection', (open, { prepare }) => {
  let config: DatabaseConfig;
  let database: Database;
  beforeAll(async () => {
    config = await prepare();
    database = await open(config);
  });

  it(
    'is loaded whole',
    async () => {
      const { result, failed } = await loadFile(database, config.dataDir, TATE_DEFINITION);
      expect(failed).toEqual([]);
      expect(result?.things).toMatchObject([
        { name: 'TATE', added: ROWS, bad: 0 },
        { name: 'ARTISTS', added: ARTISTS, bad: 0 },
      ]);
    },
    LONGEST,
  );

  /** Compares every row of a file with what is stored. @returns how many rows and values with CRLF there were */
  const compare = async (path: string, thing: Thing, id: string, separator?: string) => {
    let [rows, crlf] = [0, 0];
    let chunk: Record<string, string>[] = [];
    const check = async () => {
      const records = await database.read((db) =>
        readRecords(
          db,
          thing,
          chunk.map((row) => Number(row[id])),
        ),
      );
      for (const row of chunk) {
        const record = records.get(Number(row[id]));
        const stored = Object.fromEntries(
          thing.fields.map(({ name }, place) => [name, spelt(record?.values[place])]),
        );
        const keywords =
          separator === undefined ? {} : { keywords: record?.keywords[0]?.join(separator) };
        expect({ [id]: String(record?.id), ...stored, ...keywords }).toEqual(row);
        crlf += Object.values(stored).filter((value) => value.includes('\r\n')).length;
        rows += 1;
      }
      chunk = [];
    };
    for await (const { values } of rowsOf(path)) {
      if (chunk.push(values) === 500) await check();
    }
    await check();
    return { rows, crlf };
  };

  it(
    'is stored as it stands in the file: every row, value and line break',
    async () => {
      const archive = await findThing(database, 'TATE');
      expect(await compare(TATE_ARTWORKS, archive, 'revisionId', '|')).toEqual({
        rows: ROWS,
        crlf: 5_013,
      });
      const artists = await findThing(database, 'ARTISTS');
      expect(await compare(TATE_ARTISTS, artists, 'id')).toMatchObject({ rows: ARTISTS });
    },
    LONGEST,
  );

  it(
    'is left alone by a second load, and so is what was corrected meanwhile',
    async () => {
      const archive = await findThing(database, 'TATE');
      const places = { whole: '-', field: () => '-', keyword: () => '-' };
      const sent = { values: [{ name: 'TITLE', value: 'Corrected' }], keywords: [] };
      await database.write((db) =>
        changeRecords(
          db,
          archive,
          buildWriter(),
          [{ id: 3, places, ifMatch: null, sent, full: false }],
          () => null,
          true,
        ),
      );
      const state = () =>
        database.read(async (db) => ({
          history: await db.k
            .selectFrom('history')
            .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('id').as('last')])
            .execute(),
          installation: await db.k.selectFrom('installation').selectAll().orderBy('key').execute(),
        }));
      const before = await state();
      // And one for each definition, and the correction.
      expect(Number(before.history[0]?.count)).toBe(ROWS + ARTISTS + 2 + 1);

      const { result } = await loadFile(database, config.dataDir, TATE_DEFINITION);
      expect(result).toEqual({
        complete: true,
        things: [
          {
            name: 'TATE',
            added: 0,
            unchanged: ROWS - 1,
            different: 1,
            deleted: 0,
            attached: 0,
            bad: 0,
          },
          {
            name: 'ARTISTS',
            added: 0,
            unchanged: ARTISTS,
            different: 0,
            deleted: 0,
            attached: 0,
            bad: 0,
          },
        ],
      });
      expect(await state()).toEqual(before);
      const records = await database.read((db) => readRecords(db, archive, [3]));
      expect(records.get(3)).toMatchObject({
        version: 2,
        values: expect.arrayContaining(['Corrected']),
      });
    },
    LONGEST,
  );
});

/** Writes a file of the works whose year is no number and of each twentieth of the others. */
async function writePart(): Promise<{ path: string; rows: number }> {
  const path = join(buildFolder(), 'tate-artworks.csv');
  const lines: string[] = [];
  let count = 0;
  for await (const { values, raw } of rowsOf(TATE_ARTWORKS)) {
    if (lines.length === 0) lines.push(`${Object.keys(values).join(',')}\r\n`);
    if (!/^\d*$/.test(values['YEARFROM'] ?? '') || count % 20 === 0) lines.push(raw);
    count += 1;
  }
  await writeFile(path, lines.join(''));
  return { path, rows: lines.length - 1 };
}

// On one database: what bad rows do is tested on both with fewer of them.
describe('the Tate collection with typed years', () => {
  const { open, prepare } = testDatabases('sqlite');
  it(
    'is refused for 19 rows without a year, or loaded without them',
    async () => {
      const config = await prepare();
      const database = await open(config);
      const part = await writePart();
      const definition = await writeTateWorks({ typedYears: true, artworks: part.path });
      const refused = await loadFile(database, config.dataDir, definition);
      expect(refused.failed).toHaveLength(20);
      for (const line of refused.failed.slice(0, 19)) {
        expect(line).toMatch(
          /^TATE, tate-artworks\.csv, line \d+: YEARFROM: The value must be a number/,
        );
      }
      await expect(findThing(database, 'TATE')).rejects.toThrow('not defined');

      const path = join(buildFolder(), 'bad.csv');
      const loaded = await loadFile(database, config.dataDir, definition, { path });
      expect(loaded.result?.things).toMatchObject([{ added: part.rows - 19, bad: 19 }]);
      const text = await readFile(path, 'utf8');
      expect(text.split('\n')[0]).toMatch(/^revisionId,ACCESSIONNO,.*,keywords,error,line$/);
      let bad = 0;
      for await (const { values } of rowsOf(path)) {
        expect(values['YEARFROM']).toMatch(/^(?:no date|c\.1997-9)$/);
        expect(values['error']).toMatch(/^YEARFROM: /);
        bad += 1;
      }
      expect(bad).toBe(19);
    },
    LONGEST,
  );
});
