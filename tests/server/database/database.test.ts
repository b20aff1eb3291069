import { sql } from 'kysely';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Database, Transaction } from '#server/database/database.ts';
import {
  describeOnBothDatabases,
  WITHOUT_NOTIFICATIONS,
  type TestDatabases,
} from '#tests/support/databases.ts';
import { rawStatement } from '#tests/support/database-statements.ts';

function put(db: Transaction, key: string, value: string): Promise<unknown> {
  return db.k.insertInto('installation').values({ key, value }).execute();
}

async function get(db: Transaction, key: string): Promise<string | undefined> {
  const row = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.value;
}

/** A database for all tests of a suite; each finds it without what those before have put into it. */
function sharedDatabase(open: TestDatabases['open']): () => Database {
  let database: Database;
  let own: string[] = [];
  beforeAll(async () => {
    database = await open();
    const rows = await database.read((db) =>
      db.k.selectFrom('installation').select('key').execute(),
    );
    own = rows.map(({ key }) => key);
  });
  afterEach(() =>
    database.write((db) => db.k.deleteFrom('installation').where('key', 'not in', own).execute()),
  );
  return () => database;
}

function inserting(key: string): string {
  return `insert into installation (key, value) values ('${key}', 'sent')`;
}

function getFrom(database: Database, key: string): Promise<string | undefined> {
  return database.read((db) => get(db, key));
}

describeOnBothDatabases('writes', (open, { prepare }) => {
  const shared = sharedDatabase(open);

  it('are read afterwards', async () => {
    const database = shared();
    expect(await database.write((db) => put(db, 'a', 'b').then(() => 'done'))).toBe('done');
    expect(await getFrom(database, 'a')).toBe('b');
  });

  it('notify the listeners of their process before they are done, and of those alone that are committed', async () => {
    const database = await open({ ...(await prepare()), ...WITHOUT_NOTIFICATIONS });
    const heard: unknown[] = [];
    const listener = database.listen((payload) => heard.push(payload));
    await database.write((db) => db.notify('committed'));
    expect(heard).toEqual(['committed']);
    const failing = database.write(async (db) => {
      await db.notify('undone');
      throw new Error('none');
    });
    await expect(failing).rejects.toThrow('none');
    await listener.close();
    await database.write((db) => db.notify('unheard'));
    expect(heard).toEqual(['committed']);
  });

  it('that fail leave nothing of themselves, and all of the others', async () => {
    const database = shared();
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, (_, number) =>
        database.write(async (db) => {
          await put(db, `key ${number}`, 'kept');
          if (number % 3 === 0) throw new Error(`not ${number}`);
        }),
      ),
    );
    for (const [number, { status }] of answers.entries()) {
      expect(status).toBe(number % 3 === 0 ? 'rejected' : 'fulfilled');
      expect(await getFrom(database, `key ${number}`)).toBe(number % 3 === 0 ? undefined : 'kept');
    }
    expect(answers[3]).toMatchObject({ reason: { message: 'not 3' } });
  });

  it('that run at the same time lose nothing', async () => {
    const database = shared();
    await database.write((db) => put(db, 'count', '0'));
    await Promise.all(
      Array.from({ length: 8 }, () =>
        database.write(async (db) => {
          const value = String(Number(await get(db, 'count')) + 1);
          await db.k
            .updateTable('installation')
            .set({ value })
            .where('key', '=', 'count')
            .execute();
        }),
      ),
    );
    expect(await getFrom(database, 'count')).toBe('8');
  });

  it('that all find a key missing write it once', async () => {
    const database = shared();
    let created = 0;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        database.write(async (db) => {
          const found = await get(db, 'mine');
          if (found !== undefined) return found;
          await put(db, 'mine', `of ${number}`);
          return 'created';
        }),
      ),
    );
    for (const answer of answers) if (answer === 'created') created += 1;
    expect(created).toBe(1);
  });

  it('fail whole where a statement failed, even if its error was caught', async () => {
    const database = shared();
    const write = database.write(async (db) => {
      await put(db, 'a', '1');
      await put(db, 'a', '2').catch(() => undefined);
    });
    await expect(write).rejects.toThrow(/unique/i);
    expect(await getFrom(database, 'a')).toBeUndefined();
  });

  it('fail whole, too, where a statement of known text failed', async () => {
    const database = shared();
    const text = "insert into installation (key, value) values ('a', 'known')";
    const write = database.write(async (db) => {
      await db.run(rawStatement(text), []);
      await db.run(rawStatement(text), []).catch(() => undefined);
    });
    await expect(write).rejects.toThrow(/unique/i);
    expect(await getFrom(database, 'a')).toBeUndefined();
  });

  it('commit what was only sent, in its turn', async () => {
    const database = shared();
    const add = "update installation set value = value || '!' where key = 'a'";
    await database.write(async (db) => {
      await db.send(rawStatement(inserting('a')), []);
      await db.send(rawStatement(add), []);
      expect(await get(db, 'a')).toBe('sent!');
      await db.send(rawStatement(add), []);
    });
    expect(await getFrom(database, 'a')).toBe('sent!!');
  });

  it('fail whole where a statement failed that was only sent, also behind their last answer', async () => {
    const database = shared();
    const write = database.write(async (db) => {
      await put(db, 'a', '1');
      for (const key of ['b', 'a', 'c']) await db.send(rawStatement(inserting(key)), []);
    });
    await expect(write).rejects.toThrow(/unique/i);
    for (const key of ['a', 'b', 'c']) expect(await getFrom(database, key)).toBeUndefined();
    await database.write((db) => put(db, 'a', '3'));
    expect(await getFrom(database, 'a')).toBe('3');
  });

  it('run statements of known text in their turn, and none after their end', async () => {
    const database = shared();
    const text = "select value from installation where key = 'a'";
    const kept = await database.write(async (db) => {
      const first = put(db, 'a', '1');
      expect(await db.run(rawStatement(text), [])).toEqual([['1']]);
      await first;
      expect(await db.run(rawStatement(text), [])).toEqual([['1']]);
      return db;
    });
    await expect(kept.run(rawStatement(text), [])).rejects.toThrow('transaction is over');
  });

  it('refuse statements after their end', async () => {
    const database = shared();
    const kept = await database.write((db) => Promise.resolve(db));
    await expect(put(kept, 'late', '1')).rejects.toThrow('transaction is over');
    expect(await getFrom(database, 'late')).toBeUndefined();
  });

  it('wait for statements that were not awaited, or refuse them', async () => {
    const database = shared();
    const over = Promise.withResolvers<void>();
    let stray: Promise<unknown> | undefined;
    await database.write(async (db) => {
      await put(db, 'a', '1');
      stray = over.promise.then(() => put(db, 'stray', '1'));
    });
    over.resolve();
    await expect(stray).rejects.toThrow('transaction is over');
    expect(await getFrom(database, 'stray')).toBeUndefined();
  });

  it('are refused within each other, where they would wait for ever', async () => {
    const database = shared();
    const nested = database.write(() => database.write((db) => put(db, 'a', '1')));
    await expect(nested).rejects.toThrow('within another');
    await expect(database.read(() => getFrom(database, 'a'))).rejects.toThrow('within another');
    await database.write((db) => put(db, 'a', '2'));
    expect(await getFrom(database, 'a')).toBe('2');
  });
});

describeOnBothDatabases('reads', (open) => {
  const shared = sharedDatabase(open);

  it('see one snapshot, whatever is written meanwhile', async () => {
    const database = shared();
    await database.write((db) => put(db, 'a', 'before'));
    const seen = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const reading = database.read(async (db) => {
      const first = await get(db, 'a');
      seen.resolve();
      await written.promise;
      return [first, await get(db, 'a')];
    });
    await seen.promise;
    await database.write((db) =>
      db.k.updateTable('installation').set({ value: 'after' }).where('key', '=', 'a').execute(),
    );
    written.resolve();
    expect(await reading).toEqual(['before', 'before']);
    expect(await getFrom(database, 'a')).toBe('after');
  });

  it('cannot write', async () => {
    const database = shared();
    await expect(database.read((db) => put(db, 'a', '1'))).rejects.toThrow(/read.?only/i);
    expect(await getFrom(database, 'a')).toBeUndefined();
  });

  it('wait for each other where there are many, and survive one that fails', async () => {
    const database = shared();
    await database.write((db) => put(db, 'a', 'kept'));
    const answers = await Promise.allSettled(
      Array.from({ length: 60 }, (_, number) =>
        database.read(async (db) => {
          await get(db, 'a');
          await setImmediate();
          if (number % 5 === 0) throw new Error('refused');
          return sql`select no_such_column`.execute(db.k);
        }),
      ),
    );
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await getFrom(database, 'a')).toBe('kept');
  });

  it(
    'let others have their turn where many come together, and all come to their end',
    { tags: ['slow'] },
    async () => {
      const database = shared();
      let done = 0;
      const count = (db: Transaction) =>
        sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 25000)
        select count(*) from n`.execute(db.k);
      // All connections are open and free: the reads below come at the very same moment.
      await Promise.all(Array.from({ length: 8 }, () => database.read(count)));
      const reads = Array.from({ length: 100 }, async () => {
        await database.read(count);
        done += 1;
      });
      // Whatever waits for the event loop, such as a request for health.
      await setImmediate();
      expect(done).toBeLessThan(reads.length / 2);
      await Promise.all(reads);
      expect(done).toBe(reads.length);
    },
  );

  it('give whole numbers as numbers, and refuse those that a number cannot hold', async () => {
    const database = shared();
    const largest = await database.read((db) =>
      sql<{ n: number }>`select cast(9007199254740991 as bigint) as n`.execute(db.k),
    );
    expect(largest.rows[0]?.n).toBe(9_007_199_254_740_991);
    const larger = database.read((db) =>
      sql`select cast(9007199254740993 as bigint) as n`.execute(db.k),
    );
    await expect(larger).rejects.toThrow('too large');
  });

  it('sort and compare texts by their code points', async () => {
    const database = shared();
    const keys = ['a', 'B', 'ä', 'Z', 'b', '_', '\u{ffff}', '\u{10000}'];
    await database.write(async (db) => {
      for (const key of keys) await put(db, key, 'sorted');
    });
    const rows = await database.read((db) =>
      db.k
        .selectFrom('installation')
        .select('key')
        .where('value', '=', 'sorted')
        .orderBy('key')
        .execute(),
    );
    expect(rows.map(({ key }) => key)).toEqual([
      'B',
      'Z',
      '_',
      'a',
      'b',
      'ä',
      '\u{ffff}',
      '\u{10000}',
    ]);
  });
});

describeOnBothDatabases('closing', (open) => {
  it('waits for what is under way and refuses what comes after', async () => {
    const database = await open();
    const order: string[] = [];
    const [reads, writes, goOn] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const read = database.read(async (db) => {
      await get(db, 'a');
      reads.resolve();
      await goOn.promise;
      await get(db, 'a');
      order.push('read');
    });
    const write = database.write(async (db) => {
      await put(db, 'a', '1');
      writes.resolve();
      await goOn.promise;
      await put(db, 'b', '1');
      order.push('write');
    });
    await Promise.all([reads.promise, writes.promise]);
    const closed = database.close().then(() => order.push('closed'));
    await setImmediate();
    goOn.resolve();
    await Promise.all([read, write, closed]);
    expect(order.at(-1)).toBe('closed');
    expect(order.slice(0, -1).sort()).toEqual(['read', 'write']);
    await expect(database.read(() => Promise.resolve())).rejects.toThrow('closed');
    await expect(database.write(() => Promise.resolve())).rejects.toThrow('closed');
    await database.close();
  });
});
