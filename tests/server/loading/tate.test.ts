/** @module-tag slow */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testDatabases } from '#tests/support/databases.ts';
import { buildFolder, findCollection, loadFile } from '#tests/support/load.ts';
import { rowsOf, TATE_ARTWORKS, writeTateVariant } from '#tests/support/tate.ts';
import { mistakesOfWork } from './tate-mistakes.ts';
import { describeWorks } from './tate-works.ts';

/** Writes a file of the works with a mistake that a check finds, and of each hundredth of the others. */
async function writePart(): Promise<{ path: string; rows: number; crlf: number }> {
  const path = join(buildFolder(), 'tate-artworks.csv');
  const lines: string[] = [];
  let [count, crlf] = [0, 0];
  for await (const row of rowsOf(TATE_ARTWORKS)) {
    const { values, raw } = row;
    if (lines.length === 0) lines.push(`${Object.keys(values).join(',')}\r\n`);
    if (mistakesOfWork(row).length > 0 || count % 100 === 0) {
      lines.push(raw);
      crlf += Object.values(values).filter((value) => value.includes('\r\n')).length;
    }
    count += 1;
  }
  await writeFile(path, lines.join(''));
  return { path, rows: lines.length - 1, crlf };
}

const part = await writePart();

describeWorks('a part of the Tate collection', async () => ({
  ...part,
  artworks: part.path,
  definition: await writeTateVariant({ artworks: part.path, withArtists: true }),
}));

// On one database: what bad rows do is tested on both with fewer of them.
describe('the Tate collection with typed years', () => {
  const { open, prepare } = testDatabases('sqlite');
  it(
    'is refused for 19 rows without a year, or loaded without them',
    { tags: ['long'] },
    async () => {
      const config = await prepare();
      const database = await open(config);
      const definition = await writeTateVariant({ typedYears: true, artworks: part.path });
      const refused = await loadFile(database, config.dataDir, definition);
      expect(refused.failed).toHaveLength(20);
      for (const line of refused.failed.slice(0, 19)) {
        expect(line).toMatch(
          /^TATE, tate-artworks\.csv, line \d+: YEARFROM: The value must be a number/,
        );
      }
      await expect(findCollection(database, 'TATE')).rejects.toThrow('not defined');

      const path = join(buildFolder(), 'bad.csv');
      const loaded = await loadFile(database, config.dataDir, definition, { path });
      expect(loaded.result?.collections).toMatchObject([{ added: part.rows - 19, bad: 19 }]);
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
  );
});
