import { bodyNeeded } from '#messages/service/http.ts';
import { sql } from 'kysely';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Transaction } from '#server/database/database.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { testDatabases } from '#tests/support/databases.ts';

const databases = testDatabases('sqlite');

/** A database and another process's view of its file. */
async function openWatched() {
  const config = await databases.prepare();
  const database = await databases.open(config);
  const file = new DatabaseSync(join(config.dataDir, SQLITE_FILE));
  const count = file.prepare("select count(*) as n from installation where value = 'mine'");
  return { database, file, committed: () => count.get()?.['n'] };
}

function put(db: Transaction, key: string): Promise<unknown> {
  return db.k.insertInto('installation').values({ key, value: 'mine' }).execute();
}

it('answers the jobs of a batch after their common commit, not before', async () => {
  const { database, file, committed } = await openWatched();
  const goOn = Promise.withResolvers<void>();
  const secondRuns = Promise.withResolvers<void>();
  let answered = false;
  const first = database
    .write((db) => put(db, 'a'))
    .then(() => {
      answered = true;
      return committed();
    });
  const second = database.write(async (db) => {
    await put(db, 'b');
    secondRuns.resolve();
    await goOn.promise;
  });
  await secondRuns.promise;
  await setImmediate();
  expect(answered).toBe(false);
  expect(committed()).toBe(0);
  goOn.resolve();
  expect(await first).toBe(2);
  await second;
  file.close();
});

it('shares one commit among jobs that wait at the same time', async () => {
  const { database, file, committed } = await openWatched();
  // The version counts the commits of others.
  const version = file.prepare('pragma data_version');
  const seen = new Set<unknown>();
  await Promise.all(
    Array.from({ length: 100 }, (_, number) =>
      database
        .write((db) => put(db, `k${number}`))
        .then(() => seen.add(version.get()?.['data_version'])),
    ),
  );
  expect(committed()).toBe(100);
  expect(seen.size).toBeLessThanOrEqual(2);
  file.close();
});

it.each([0, 1, 2])('undoes a job that fails alone, as number %i of its batch', async (position) => {
  const { database, file, committed } = await openWatched();
  const answers = await Promise.allSettled(
    [0, 1, 2].map((number) =>
      database.write(async (db) => {
        await put(db, `k${number}`);
        if (number === position) throw new Error('wanted');
      }),
    ),
  );
  expect(answers.map(({ status }) => status === 'rejected')).toEqual(
    [0, 1, 2].map((number) => number === position),
  );
  expect(committed()).toBe(2);
  file.close();
});

it('saves the others of a batch when one of them fills the disk', async () => {
  const { database, file, committed } = await openWatched();
  await database.write((db) => sql`create table large (value blob)`.execute(db.k));
  const pages = Number(file.prepare('pragma page_count').get()?.['page_count']);
  await database.write((db) => sql`pragma max_page_count = ${sql.lit(pages + 20)}`.execute(db.k));
  const small = [1, 2, 3].map((number) => database.write((db) => put(db, `k${number}`)));
  const large = database.write((db) =>
    sql`insert into large values (zeroblob(1000000))`.execute(db.k),
  );
  const after = database.write((db) => put(db, 'after'));
  await expect(large).rejects.toThrow('full');
  await Promise.all([...small, after]);
  expect(committed()).toBe(4);
  file.close();
});

const CHANGED = new ApiError('changed_meanwhile', bodyNeeded);

it('answers a refusal only after the commit of what it may have read', async () => {
  const { database, file, committed } = await openWatched();
  const commit = Promise.withResolvers<void>();
  const lastRuns = Promise.withResolvers<void>();
  const first = database.write((db) => put(db, 'a'));
  let refused = false;
  const second = database
    .write(() => Promise.reject(CHANGED))
    .catch((error: unknown) => {
      refused = true;
      return [error, committed()];
    });
  const last = database.write(async (db) => {
    lastRuns.resolve();
    await commit.promise;
    await put(db, 'b');
  });
  await lastRuns.promise;
  await setImmediate();
  expect(refused).toBe(false);
  commit.resolve();
  expect(await second).toEqual([CHANGED, 2]);
  await Promise.all([first, last]);
  file.close();
});

it('fails a refusal as the others where their common commit fails', async () => {
  const { database, file, committed } = await openWatched();
  const seen: unknown[] = [];
  const writes = [
    database.write((db) => put(db, 'a')),
    database.write(async (db) => {
      seen.push(
        await db.k.selectFrom('installation').select('key').where('key', '=', 'a').execute(),
      );
      throw CHANGED;
    }),
    database.write(async (db) => {
      // Is found to be wrong by the COMMIT alone.
      await sql`pragma defer_foreign_keys = on`.execute(db.k);
      const right = { user_id: 999, kind: 'archive', thing_id: 1, access: 'read' } as const;
      await db.k.insertInto('user_rights').values(right).execute();
    }),
  ];
  const answers = await Promise.allSettled(writes);
  const failed = { status: 'rejected', reason: { message: 'FOREIGN KEY constraint failed' } };
  expect(answers).toMatchObject([failed, failed, failed]);
  expect([seen, committed()]).toEqual([[[{ key: 'a' }]], 0]);
  file.close();
});

it('runs a refusal again whose batch was lost by another job', async () => {
  const { database, file, committed } = await openWatched();
  const runs: number[] = [];
  const writes = [
    database.write((db) => put(db, 'a')),
    database.write(async (db) => {
      runs.push((await db.k.selectFrom('installation').selectAll().execute()).length);
      throw CHANGED;
    }),
    database.write(async (db) => {
      await put(db, 'b');
      throw new Error('wanted');
    }),
  ];
  expect(await Promise.allSettled(writes)).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: CHANGED },
    { status: 'rejected', reason: { message: 'wanted' } },
  ]);
  expect([runs.length, committed()]).toEqual([2, 1]);
  file.close();
});

it('lets other processes write after a job that was refused', async () => {
  const { database, file } = await openWatched();
  await expect(database.write(() => Promise.reject(CHANGED))).rejects.toBe(CHANGED);
  await database.read(() => Promise.resolve());
  file.exec('begin immediate');
  file.exec('commit');
  file.close();
});

it('waits for another process that writes, without stopping this one', async () => {
  const { database, file, committed } = await openWatched();
  file.exec('begin immediate');
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 5);
  const write = database.write((db) => put(db, 'a'));
  await expect.poll(() => ticks).toBeGreaterThan(5);
  clearInterval(ticking);
  file.exec('commit');
  await write;
  expect(committed()).toBe(1);
  file.close();
});

it('refuses a write that ends the transaction itself', async () => {
  const { database, file, committed } = await openWatched();
  const write = database.write(async (db) => {
    await put(db, 'a');
    await sql`rollback`.execute(db.k);
  });
  await expect(write).rejects.toThrow('ended by the write');
  await database.write((db) => put(db, 'b'));
  expect(committed()).toBe(1);
  file.close();
});

it('syncs each commit', async () => {
  const database = await databases.open();
  const { rows } = await database.write((db) => sql`pragma synchronous`.execute(db.k));
  expect(rows).toEqual([{ synchronous: 2 }]);
  const mode = await database.read((db) => sql`pragma journal_mode`.execute(db.k));
  expect(mode.rows).toEqual([{ journal_mode: 'wal' }]);
});

it('runs the others of a batch again only where one has failed that had written, and then once', async () => {
  const { database, file, committed } = await openWatched();
  const runs = new Map<number, number>();
  const jobs = (fails: (number: number) => 'after writing' | 'before' | undefined) =>
    Promise.allSettled(
      Array.from({ length: 40 }, (_, number) =>
        database.write(async (db) => {
          runs.set(number, (runs.get(number) ?? 0) + 1);
          if (fails(number) === 'before') throw new Error('wanted');
          await put(db, `k${number}-${runs.get(number)}`);
          if (fails(number) === 'after writing') throw new Error('wanted');
        }),
      ),
    );
  await jobs((number) => (number % 4 === 2 ? 'before' : undefined));
  expect(Math.max(...runs.values())).toBe(1);
  expect(committed()).toBe(30);
  file.exec("delete from installation where value = 'mine'");
  runs.clear();
  const answers = await jobs((number) => (number % 4 === 2 ? 'after writing' : undefined));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
  expect(Math.max(...runs.values())).toBe(2);
  expect(committed()).toBe(30);
  file.close();
});

it('lets others go before a large write, each with a commit of its own', async () => {
  const { database, file, committed } = await openWatched();
  const order: string[] = [];
  const write = (key: string, weight: 'usual' | 'large') =>
    database
      .write(
        (db) => {
          order.push(`${key} begins`);
          return put(db, key);
        },
        { isolation: 'read committed', weight },
      )
      .then(() => order.push(`${key} is answered, ${String(committed())} are stored`));
  await Promise.all([
    write('large', 'large'),
    write('a', 'usual'),
    write('other large', 'large'),
    write('b', 'usual'),
  ]);
  expect(order).toEqual([
    'a begins',
    'b begins',
    'a is answered, 2 are stored',
    'b is answered, 2 are stored',
    'large begins',
    'large is answered, 3 are stored',
    'other large begins',
    'other large is answered, 4 are stored',
  ]);
  file.close();
});

it('does not let others go before a large write for ever', async () => {
  const { database, file } = await openWatched();
  const state = { isDone: false };
  const large = database
    .write((db) => put(db, 'large'), { isolation: 'read committed', weight: 'large' })
    .then(() => (state.isDone = true));
  // There is always another one that waits.
  const others = async (name: string) => {
    for (let n = 0; !state.isDone; n++) {
      await database.write((db) => put(db, `${name} ${n}`));
    }
  };
  await Promise.all([large, others('a'), others('b'), others('c')]);
  expect(state.isDone).toBe(true);
  file.close();
});
