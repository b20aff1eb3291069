import { beforeAll, expect, it, vi } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { planChanges } from '#server/modules/records/records.service.ts';
import { executePlan } from '#server/modules/records/write-plan.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildWriter } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { TEST_LIMIT } from '#tests/support/effort.ts';
import { findCollection, loadFile } from '#tests/support/load.ts';
import { rowsOf, TATE_ARTISTS } from '#tests/support/tate.ts';
import { countArtists, countWorks } from './tate-mistakes.ts';

const ARTISTS = 3_532;

/** Works of the Tate collection and what they hold. */
interface Works {
  readonly definition: string;
  readonly artworks: string;
  readonly rows: number;
  /** values with a line break of two characters */
  readonly crlf: number;
}

/** A stored value as the file spells it. */
function spelt(value: Scalar | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** What holds of works once they are loaded. */
export function describeWorks(name: string, prepareWorks: () => Promise<Works>): void {
  describeOnOneDatabase(name, (open, { prepare }) => {
    let works: Works;
    let config: DatabaseConfig;
    let database: Database;
    beforeAll(async () => {
      works = await prepareWorks();
      config = await prepare();
      database = await open(config);
    });

    it('is loaded whole', async () => {
      const { result, failed } = await loadFile(database, config.dataDir, works.definition);
      expect(failed).toEqual([]);
      expect(result?.collections).toMatchObject([
        { name: 'ARTISTS', added: ARTISTS, bad: 0 },
        { name: 'TATE', added: works.rows, bad: 0 },
      ]);
    });

    /** Compares every row of a file with what is stored. @returns how many rows and values with CRLF there were */
    const compare = async (
      path: string,
      collection: Collection,
      id: string,
      separator?: string,
    ) => {
      let [rows, crlf] = [0, 0];
      let chunk: Record<string, string>[] = [];
      const check = async () => {
        const records = await database.read((db) =>
          readRecords(
            db,
            collection,
            chunk.map((row) => Number(row[id])),
          ),
        );
        for (const row of chunk) {
          const record = records.get(Number(row[id]));
          const stored = Object.fromEntries(
            collection.fields.map(({ name }, place) => [name, spelt(record?.values[place])]),
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

    it('is stored as it stands in the file: every row, value and line break', async () => {
      const archive = await findCollection(database, 'TATE');
      expect(await compare(works.artworks, archive, 'revisionId', '|')).toEqual({
        rows: works.rows,
        crlf: works.crlf,
      });
      const artists = await findCollection(database, 'ARTISTS');
      expect(await compare(TATE_ARTISTS, artists, 'id')).toMatchObject({ rows: ARTISTS });
    });

    it(
      'is left alone by a second load, and so is what was corrected meanwhile',
      { tags: ['long'] },
      async () => {
        const archive = await findCollection(database, 'TATE');
        const paths = { whole: '-', field: () => '-', keyword: () => '-' };
        const sent = { values: [{ name: 'TITLE', value: 'Corrected' }], keywords: [] };
        const entry = { id: 3, paths, ifMatch: null, sent, requiresAllFields: false };
        await database.write(async (db) =>
          executePlan(db, await planChanges(db, archive, buildWriter(), [entry])),
        );
        const state = () =>
          database.read(async (db) => ({
            history: await db.k
              .selectFrom('history')
              .select((eb) => [eb.fn.countAll().as('count'), eb.fn.max('id').as('last')])
              .execute(),
            installation: await db.k
              .selectFrom('installation')
              .selectAll()
              .orderBy('key')
              .execute(),
          }));
        const before = await state();
        // And one for each definition, and the correction.
        expect(Number(before.history[0]?.count)).toBe(works.rows + ARTISTS + 2 + 1);

        const { result } = await loadFile(database, config.dataDir, works.definition);
        expect(result).toEqual({
          complete: true,
          collections: [
            {
              name: 'ARTISTS',
              added: 0,
              unchanged: ARTISTS,
              different: 0,
              deleted: 0,
              attached: 0,
              bad: 0,
            },
            {
              name: 'TATE',
              added: 0,
              unchanged: works.rows - 1,
              different: 1,
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
    );

    it(
      'comes with checks that find as many mistakes as are in the files',
      { tags: ['long'] },
      async () => {
        await buildUser(database, { username: 'admin', role: 'administrator' });
        const own = await open(config);
        const t = await openApp(() => Promise.resolve(own));
        const admin = await t.signedIn('admin');
        const { guid } = await findCollection(database, 'ARTISTS');
        const counts = async (path: string) => {
          const { checks } = checksAnswer.parse((await admin.get(`${path}/checks`)).body);
          const defined = checks.filter(({ name }) => !name.startsWith('_'));
          return Object.fromEntries(defined.map(({ name, count }) => [name, count]));
        };
        const inWorks = await countWorks(works.artworks);
        const inArtists = await countArtists();
        expect(inWorks).toMatchObject({ ACQUIRED: 30, YEARFROM: 19, TITLE: 30 });
        expect(inArtists).toEqual({ BORN: 2, DEATH: 6, DATES: 4, TWICE: 14 });
        await vi.waitFor(
          async () => {
            expect(await counts('application/archiveapp/archives/TATE')).toEqual(inWorks);
            expect(await counts(`application/dataapp/tables/${guid}`)).toEqual(inArtists);
          },
          { timeout: TEST_LIMIT, interval: 200 },
        );
      },
    );
  });
}
