import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import { readTableShapes } from '#server/database/copying/schema-introspection.ts';
import { SYSTEM_COPIES } from '#server/database/copying/system-table-copies.ts';
import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { listIds } from '#server/modules/records/lists.service.ts';
import { copyInstallation, type CopyEnd } from '#server/modules/copying/copying.service.ts';
import { buildUser } from '#tests/support/app.ts';
import { buildRecords } from '#tests/support/builders.ts';
import { describeOnBothDatabases, testDatabases } from '#tests/support/databases.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { buildFolder, findCollection } from '#tests/support/load.ts';
import { contentOf, fillInstallation, PARTNERS, SCAN_LOCATION } from './content.ts';

const QUIET = {
  progress: () => undefined,
  info: () => undefined,
  warn: (line: string) => expect.fail(line),
  fail: (line: string) => expect.fail(line),
};

function end(database: Database, { dataDir }: DatabaseConfig): CopyEnd {
  return {
    database,
    files: openFileStore({ dataDir, files: undefined }),
    name: database.adapter.isShared ? 'postgres' : 'sqlite',
  };
}

describeOnBothDatabases('what is copied', (open) => {
  it('names every table of the real schema: decide how a new one is copied in system-copies.ts', async () => {
    const database = await open();
    const shapes = await database.read(readTableShapes);
    const ofOthers = database.adapter.isShared
      ? ['search_due', 'check_record_keys']
      : ['viewers', 'record_counts'];
    const wanted = Object.keys(SYSTEM_COPIES).filter((name) => !ofOthers.includes(name));
    expect([...shapes.keys()].toSorted()).toEqual(wanted.toSorted());
    const copied = Object.entries(SYSTEM_COPIES).filter(([, { copied: is }]) => is);
    expect(copied.filter(([name]) => shapes.get(name)?.key.length === 0)).toEqual([]);
  });
});

const PAIRS = [
  { from: 'sqlite', to: 'postgres' },
  { from: 'postgres', to: 'sqlite' },
] as const;

describe.each(PAIRS)('a copy from $from to $to', { tags: ['postgres'] }, ({ from, to }) => {
  const sources = testDatabases(from);
  const targets = testDatabases(to);
  let sourceConfig: DatabaseConfig;
  let source: Database;
  // What copies in both directions in the same way.
  const inOneDirection = from === 'sqlite' ? ['long'] : [];
  beforeAll(async () => {
    sourceConfig = await sources.prepare();
    source = await sources.open(sourceConfig);
    await fillInstallation(source, sourceConfig.dataDir, buildFolder());
  });

  it('holds every row, file and number, and goes on as the source would', async () => {
    const config = await targets.prepare();
    const target = await targets.open(config);
    const result = await copyInstallation(
      end(source, sourceConfig),
      end(target, config),
      QUIET,
      'nothing',
    );
    expect(result).toMatchObject({ files: 1, bad: [] });

    const content = await contentOf(source);
    expect([...content].filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(await contentOf(target)).toEqual(content);
    const scan = join('files', SCAN_LOCATION);
    expect(await readFile(join(config.dataDir, scan))).toEqual(
      await readFile(join(sourceConfig.dataDir, scan)),
    );

    const partners = await findCollection(target, 'PARTNERS');
    // The dataset of the highest jrid was deleted: its number is not given again.
    expect(await buildRecords(target, partners, [['new', null]])).toEqual([PARTNERS + 1]);
    const letters = await findCollection(target, 'LETTERS');
    expect(
      await buildRecords(target, letters, [['Fresh', 1, 1, true, '2024-01-01', null]], () => [[]]),
    ).toEqual([5]);
    const found = await target.read((db) => listIds(db, letters, [['q', 'grusse']]));
    expect([...found.ids].map(Number)).toEqual([1]);
    await expect(
      target.write((db) => sql`update history set username = 'x'`.execute(db.k)),
    ).rejects.toThrow('history is append-only');
  });

  it('is refused where the target is not empty', { tags: ['long'] }, async () => {
    const config = await targets.prepare();
    const target = await targets.open(config);
    await fillInstallation(target, config.dataDir, buildFolder());
    const before = await contentOf(target);
    await expect(
      copyInstallation(end(source, sourceConfig), end(target, config), QUIET, 'nothing'),
    ).rejects.toThrow('is not empty');
    expect(await contentOf(target)).toEqual(before);
    await target.close();
    await (await openDatabase(config)).close();
  });

  it(
    'goes on wherever it is cut off, and cannot be used before it is whole',
    { tags: ['long'] },
    async () => {
      const config = await targets.prepare();
      const content = await contentOf(source);
      // Cut after 0, 3, 6, … commits each time, until nothing is left to do.
      let cuts = 0;
      for (let whole = false; !whole; cuts += 3) {
        const target = await openDatabase(config, { unfinished: true });
        const copied = copyInstallation(
          end(source, sourceConfig),
          end(failingAfter(target, cuts), config),
          QUIET,
          'nothing',
        );
        whole = await copied.then(
          () => true,
          (error: unknown) => {
            expect(error).toEqual(new Error('cut'));
            return false;
          },
        );
        await target.close();
        if (whole || cuts < 1) continue;
        await expect(openDatabase(config)).rejects.toThrow('is the unfinished copy of');
      }
      expect(cuts).toBeGreaterThan(5);
      const target = await targets.open(config);
      expect(await contentOf(target)).toEqual(content);
    },
  );

  it('reports a source that was changed between two runs', { tags: inOneDirection }, async () => {
    const config = await targets.prepare();
    const target = await openDatabase(config, { unfinished: true });
    await expect(
      copyInstallation(
        end(source, sourceConfig),
        // The records are copied after the users.
        end(failingAfter(target, 12), config),
        QUIET,
        'nothing',
      ),
    ).rejects.toThrow('cut');
    await source.write((db) =>
      db.k
        .updateTable('users')
        .set({ display_name: sql`display_name || '!'` })
        .execute(),
    );
    await expect(
      copyInstallation(end(source, sourceConfig), end(target, config), QUIET, 'nothing'),
    ).rejects.toThrow(/users is not the same .* Empty the target/);
    await target.close();
    await expect(openDatabase(config)).rejects.toThrow('is the unfinished copy of');
  });

  it.each(['nothing', 'anything'] as const)(
    'of a source that is written to meanwhile, where %s may be',
    { tags: inOneDirection },
    async (meanwhile) => {
      const config = await targets.prepare();
      const target = await openDatabase(config, { unfinished: true });
      const late = () => buildUser(source, { username: `late to ${meanwhile}` });
      const copied = copyInstallation(
        end(source, sourceConfig),
        end(doingFirst(target, late), config),
        QUIET,
        meanwhile,
      );
      if (meanwhile === 'nothing') {
        await expect(copied).rejects.toThrow(
          'was changed while it was copied. Stop what runs on it',
        );
      } else expect(await copied).toMatchObject({ files: 1, bad: [] });
      await target.close();
    },
  );
});

/** The database; before its first write something else is done. */
function doingFirst(database: Database, work: () => Promise<unknown>): Database {
  let done: Promise<unknown> | undefined;
  return {
    ...failingAfter(database, Infinity),
    async write(own, options) {
      done ??= work();
      await done;
      return database.write(own, options);
    },
  };
}

/** The database, of which only so many further transactions succeed. */
function failingAfter(database: Database, writes: number): Database {
  let left = writes;
  return wrapDatabase(database, {
    write: (work, options) =>
      left-- > 0 ? database.write(work, options) : Promise.reject(new Error('cut')),
  });
}
