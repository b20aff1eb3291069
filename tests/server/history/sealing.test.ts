import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database, Transaction } from '#server/database/database.ts';
import { openDatabase } from '#server/database/open-database.ts';
import type { HistoryBlockRow } from '#server/database/schema.ts';
import {
  CHAIN_START,
  hashBlock,
  hashEntry,
  type ChainedEntry,
} from '#server/modules/history/chain.ts';
import { openSealing, sealLeftOut } from '#server/modules/history/seal.ts';
import { readLag } from '#server/modules/history/lag.ts';
import { checkChain } from '#server/modules/verification/chain-check.ts';
import { Findings } from '#server/modules/verification/findings.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { administer } from '#tests/support/postgres-server.ts';

function addEntries(db: Transaction, rows: readonly number[]): Promise<unknown> {
  return db.k
    .insertInto('history')
    .values(
      rows.map((row_id) => ({
        at: 1_790_000_000_000,
        user_id: null,
        username: 'Zoë',
        address: null,
        call: 'PATCH',
        scope: 'archive' as const,
        thing_id: 1,
        row_id,
        version: 1,
        kind: 'change' as const,
        changes: '[]',
      })),
    )
    .execute();
}

async function sealAll(seal: ReturnType<typeof openSealing>): Promise<void> {
  while ((await seal()).more);
}

interface Sealed {
  readonly blocks: readonly HistoryBlockRow[];
  /** the row_ids of the entries in their order */
  readonly rows: readonly number[];
}

/** Reads what is sealed, and checks that places and hashes go on from block to block. */
async function readSealed(database: Database): Promise<Sealed> {
  const { blocks, entries } = await database.read(async (db) => ({
    blocks: await db.k.selectFrom('history_blocks').selectAll().orderBy('number').execute(),
    entries: await db.k.selectFrom('history').selectAll().execute(),
  }));
  const byId = new Map(entries.map((entry): [number, ChainedEntry] => [entry.id, entry]));
  let before = CHAIN_START;
  let position = 1;
  const rows: number[] = [];
  for (const [i, block] of blocks.entries()) {
    const ids: number[] = JSON.parse(block.ids);
    const hashes = ids.map((id) => {
      const entry = byId.get(id);
      if (!entry) throw new Error(`Entry ${id} is sealed twice, or is not there.`);
      byId.delete(id);
      rows.push(entry.row_id);
      return hashEntry(entry);
    });
    const head = {
      number: i + 1,
      firstPosition: position,
      entries: ids.length,
      sealedAt: block.sealed_at,
    };
    expect(block).toMatchObject({
      number: head.number,
      first_position: position,
      entries: ids.length,
      hash: hashBlock(before, head, hashes),
    });
    before = block.hash;
    position += ids.length;
  }
  return { blocks, rows };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describeOnBothDatabases('sealing', (open, { dialect, prepare }) => {
  it('gives each entry one place, in blocks that are chained', async () => {
    const database = await open();
    const seal = openSealing(database);
    expect(await seal()).toEqual({ entries: 0, more: false });
    await database.write((db) => addEntries(db, [1, 2]));
    expect(await seal()).toEqual({ entries: 2, more: false });
    await database.write((db) => addEntries(db, [3]));
    await sealAll(seal);
    const { blocks, rows } = await readSealed(database);
    expect(rows).toEqual([1, 2, 3]);
    expect(blocks.map(({ entries }) => entries)).toEqual([2, 1]);
    const refused: ((db: Transaction) => Promise<unknown>)[] = [
      (db) => db.k.updateTable('history_blocks').set({ sealed_at: 1 }).execute(),
      (db) => db.k.deleteFrom('history_blocks').execute(),
    ];
    for (const attempt of refused) {
      await expect(database.write(attempt)).rejects.toThrow('append-only');
    }
  });

  it('is the hash that the decision describes', async () => {
    const entry = {
      id: 7,
      at: 1_790_000_000_000,
      user_id: null,
      username: 'Zoë "Z"',
      address: '::1',
      call: 'PATCH',
      scope: 'archive',
      thing_id: 1,
      row_id: 32,
      version: 2,
      kind: 'change',
      changes: '[]',
    };
    // sha256sum of: [7,1790000000000,null,"Zoë \"Z\"","::1","PATCH","archive",1,32,2,"change","[]"]
    expect(hashEntry(entry).toString('hex')).toMatchInlineSnapshot(
      `"12a627375d7c44b5fed6570a2f1cc46d88bacfbd30742b32259bd54ea7f91066"`,
    );
    const head = { number: 1, firstPosition: 1, entries: 1, sealedAt: 1_790_000_000_500 };
    expect(hashBlock(CHAIN_START, head, [hashEntry(entry)])).toMatchInlineSnapshot(
      `"8079bc0de767f484bc71b3afa6aa939c7cac01da78e1ec6182134891252b8be2"`,
    );
  });

  it('works off many entries in blocks of a thousand', async () => {
    const database = await open();
    for (let start = 0; start < 11_500; start += 500) {
      await database.write((db) =>
        addEntries(
          db,
          upTo(500).map((row) => row + start),
        ),
      );
    }
    await sealAll(openSealing(database));
    const { blocks, rows } = await readSealed(database);
    expect(rows).toEqual(upTo(11_500));
    expect(blocks).toHaveLength(12);
  });

  it('never seals twice where several do it at once', async () => {
    const config = await prepare();
    const databases = [await open(config), await open(config), await open(config)];
    const written = new AbortController();
    const sealing = databases.map(async (database) => {
      const seal = openSealing(database);
      while (!written.signal.aborted) {
        await seal();
        await setTimeout(1);
      }
      await sealAll(seal);
    });
    const next = upTo(150).values();
    await Promise.all(
      databases.map(async (database) => {
        for (const row of next) await database.write((db) => addEntries(db, [row, -row]));
      }),
    );
    written.abort();
    await Promise.all(sealing);
    for (const database of databases.slice(0, 1)) {
      await sealAll(openSealing(database));
      const { rows } = await readSealed(database);
      expect(rows).toHaveLength(300);
      expect(new Set(rows).size).toBe(300);
    }
  });

  it('seals on after a restart what was left', async () => {
    const config = await prepare();
    const first = await openDatabase(config);
    await first.write((db) => addEntries(db, upTo(900)));
    await sealAll(openSealing(first));
    await first.write((db) => addEntries(db, [1_000]));
    await first.close();
    const database = await open(config);
    await database.write((db) => addEntries(db, [1_001]));
    await sealAll(openSealing(database));
    expect((await readSealed(database)).rows).toEqual([...upTo(900), 1_000, 1_001]);
  });

  it('gives places in a copy to what the source had not sealed in its turn', async () => {
    const database = await open();
    const withId = (id: number) => (db: Transaction) =>
      sql`insert into history (id, at, username, call, scope, thing_id, row_id, version, kind, changes)
        values (${id}, 1, 'u', 'c', 'archive', 1, ${id}, 1, 'change', '[]')`.execute(db.k);
    await database.write(withId(10));
    await sealAll(openSealing(database));
    await database.write(sealLeftOut);
    expect((await readSealed(database)).rows).toEqual([10]);
    await database.write(withId(5));
    await database.write(sealLeftOut);
    await database.write(withId(11));
    await sealAll(openSealing(database));
    const { blocks, rows } = await readSealed(database);
    expect(rows).toEqual([10, 5, 11]);
    expect(blocks.map(({ last_id }) => last_id)).toEqual([10, 10, 11]);
  });

  if (dialect === 'sqlite') return;

  const insertOf = (row: number) =>
    `insert into history (at, username, call, scope, thing_id, row_id, version, kind, changes)
     values (1, 'u', 'c', 'archive', 1, ${row}, 1, 'change', '[]')`;

  it('misses nothing that is committed out of order, and waits for nobody', async () => {
    const config = await prepare();
    const database = await open(config);
    const seal = openSealing(database);
    const rowsNow = async () => {
      await sealAll(seal);
      return (await readSealed(database)).rows;
    };
    const url = config.databaseUrl ?? '';
    await administer(url, (a) =>
      administer(url, async (c) => {
        await a.query('begin');
        await a.query(insertOf(1));
        await c.query('begin');
        await c.query('select pg_current_xact_id()');
        await database.write((db) => addEntries(db, [2]));
        expect(await rowsNow()).toEqual([2]);
        await c.query(insertOf(3));
        await database.write((db) => addEntries(db, [4]));
        expect(await rowsNow()).toEqual([2, 4]);
        await a.query('commit');
        expect(await rowsNow()).toEqual([2, 4, 1]);
        // Another process knows no more than what is stored.
        await sealAll(openSealing(database));
        await c.query('commit');
        await database.write((db) => addEntries(db, [5]));
        await sealAll(openSealing(database));
        expect(await rowsNow()).toEqual([2, 4, 1, 3, 5]);
        await a.query('begin');
        await a.query(insertOf(6));
        await a.query('rollback');
        await database.write((db) => addEntries(db, [7]));
        expect(await rowsNow()).toEqual([2, 4, 1, 3, 5, 7]);
      }),
    );
  });

  it('misses nothing that is committed while many entries are worked off', async () => {
    const config = await prepare();
    const database = await open(config);
    const seal = openSealing(database);
    await administer(config.databaseUrl ?? '', async (client) => {
      await client.query('begin');
      await client.query(insertOf(-1));
      for (let start = 0; start < 11_000; start += 1_000) {
        await database.write((db) =>
          addEntries(
            db,
            upTo(1_000).map((row) => row + start),
          ),
        );
      }
      expect(await seal()).toEqual({ entries: 10_000, more: true });
      await database.write((db) => addEntries(db, [11_001]));
      await client.query('commit');
      // As another process goes on.
      await sealAll(openSealing(database));
    });
    const { rows } = await readSealed(database);
    expect(rows).toEqual([...upTo(11_000), -1, 11_001]);
  });

  it('gives what others commit its places beside those of a large transaction', async () => {
    const config = await prepare();
    const database = await open(config);
    const seal = openSealing(database);
    await database.write((db) => addEntries(db, [1]));
    await sealAll(seal);
    await administer(config.databaseUrl ?? '', (large) =>
      administer(config.databaseUrl ?? '', async (long) => {
        await long.query('begin');
        await long.query(insertOf(2));
        await large.query(`insert into history (at, username, call, scope, thing_id, row_id, version, kind, changes)
          select 1, 'u', 'c', 'archive', 1, 100 + n, 1, 'load', '[]' from generate_series(1, 20000) n`);
        await database.write((db) => addEntries(db, [3]));
        expect(await seal()).toEqual({ entries: 3_001, more: true });
        expect((await readSealed(database)).rows.slice(0, 3)).toEqual([1, 3, 101]);
        await database.write((db) => addEntries(db, [4]));
        await long.query('commit');
        // As another process goes on.
        expect(await openSealing(database)()).toEqual({ entries: 3_002, more: true });
        expect((await readSealed(database)).rows.slice(3_002, 3_005)).toEqual([2, 4, 3_101]);
        // To the verification the rest is still to be sealed, and was not inserted.
        const quiet = () => undefined;
        const lines: string[] = [];
        const findings = new Findings({ progress: quiet, say: quiet, fail: (l) => lines.push(l) });
        const { unsealed } = await database.read((db) => checkChain(db, null, findings));
        expect({ unsealed, lines }).toEqual({ unsealed: 14_000, lines: [] });
        expect(await database.read(readLag)).toMatchObject({ entries: 10_000 });
        await sealAll(seal);
      }),
    );
    const { rows } = await readSealed(database);
    expect(rows.toSorted((a, b) => a - b)).toEqual([
      ...upTo(4),
      ...upTo(20_000).map((row) => 100 + row),
    ]);
    expect(rows.filter((row) => row > 100)).toEqual(upTo(20_000).map((row) => 100 + row));
    expect(await database.read(readLag)).toEqual({ entries: 0, age: 0 });
  });

  it('goes on in a database that was dumped and restored into another cluster', async () => {
    const database = await open();
    await database.write((db) => addEntries(db, upTo(5)));
    await sealAll(openSealing(database));
    // What was written elsewhere tells of transactions that are still to come here.
    await database.write(async (db) => {
      await sql`alter table history disable trigger user`.execute(db.k);
      await sql`alter table history_blocks disable trigger user`.execute(db.k);
      await sql`update history set xid = (xid::text::bigint + 40)::text::xid8`.execute(db.k);
      await sql`update history_blocks set progress = '{"from":0,"sealed":"9000000:9000000:","pending":null}'`.execute(
        db.k,
      );
      await sql`alter table history enable trigger user`.execute(db.k);
      await sql`alter table history_blocks enable trigger user`.execute(db.k);
      await addEntries(db, [6]);
    });
    // Far enough for the old numbers to come again.
    for (let row = 7; row < 70; row += 1) {
      await database.write((db) => addEntries(db, [row]));
      if (row % 3 === 0) await sealAll(openSealing(database));
    }
    await sealAll(openSealing(database));
    expect((await readSealed(database)).rows).toEqual(upTo(69));
  });
});
