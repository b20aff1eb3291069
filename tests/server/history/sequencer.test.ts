import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database, Transaction } from '#server/database/database.ts';
import { openDatabase } from '#server/database/open-database.ts';
import type { HistoryBlockRow } from '#server/database/tables/history-tables.ts';
import {
  CHAIN_START,
  hashBlock,
  hashEntry,
  type ChainedEntry,
} from '#server/modules/history/chain.ts';
import { readLag } from '#server/modules/history/sequencing-lag.ts';
import { sequenceAllEntries, sequenceNextEntries } from '#server/modules/history/sequencer.ts';
import { checkChain } from '#server/modules/verification/chain-check.ts';
import { VerificationFindings } from '#server/modules/verification/verification-findings.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { repeated } from '#tests/support/effort.ts';
import { administer } from '#tests/support/postgres-server.ts';
import { tamper } from '../verification/installation.ts';

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

interface Sequenced {
  readonly blocks: readonly HistoryBlockRow[];
  /** the row_ids of the entries in their order */
  readonly rows: readonly number[];
}

/** Reads what is sequenced, and checks that positions and hashes continue from block to block. */
async function readSequenced(database: Database): Promise<Sequenced> {
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
      if (!entry) throw new Error(`Entry ${id} is sequenced twice, or is missing.`);
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

/** Written while several processes sequence. */
const ENTRIES = repeated(150);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describeOnBothDatabases('the sequencer', (open, { dialect, prepare }) => {
  it('gives each entry one position, in blocks that are chained', async () => {
    const database = await open();
    expect(await sequenceNextEntries(database)).toBe(0);
    await database.write((db) => addEntries(db, [1, 2]));
    expect(await sequenceNextEntries(database)).toBe(2);
    await database.write((db) => addEntries(db, [3]));
    await sequenceAllEntries(database);
    const { blocks, rows } = await readSequenced(database);
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
    } as const;
    // sha256sum of: [7,1790000000000,null,"Zoë \"Z\"","::1","PATCH","archive",1,32,2,"change","[]"]
    expect(hashEntry(entry).toString('hex')).toMatchInlineSnapshot(
      `"12a627375d7c44b5fed6570a2f1cc46d88bacfbd30742b32259bd54ea7f91066"`,
    );
    const head = { number: 1, firstPosition: 1, entries: 1, sealedAt: 1_790_000_000_500 };
    expect(hashBlock(CHAIN_START, head, [hashEntry(entry)])).toMatchInlineSnapshot(
      `"8079bc0de767f484bc71b3afa6aa939c7cac01da78e1ec6182134891252b8be2"`,
    );
  });

  it('appends many entries in blocks of at most a thousand', { tags: ['long'] }, async () => {
    const database = await open();
    for (let start = 0; start < 11_500; start += 500) {
      await database.write((db) =>
        addEntries(
          db,
          upTo(500).map((row) => row + start),
        ),
      );
    }
    await sequenceAllEntries(database);
    const { blocks, rows } = await readSequenced(database);
    expect(rows).toEqual(upTo(11_500));
    expect(Math.max(...blocks.map(({ entries }) => entries))).toBe(1_000);
  });

  it('never gives an entry two positions where several processes sequence at once', async () => {
    const config = await prepare();
    const databases = [await open(config), await open(config), await open(config)];
    const written = new AbortController();
    const sequencing = databases.map(async (database) => {
      while (!written.signal.aborted) {
        await sequenceNextEntries(database);
        await setImmediate();
      }
      await sequenceAllEntries(database);
    });
    const next = upTo(ENTRIES).values();
    await Promise.all(
      databases.map(async (database) => {
        for (const row of next) await database.write((db) => addEntries(db, [row, -row]));
      }),
    );
    written.abort();
    await Promise.all(sequencing);
    for (const database of databases.slice(0, 1)) {
      await sequenceAllEntries(database);
      const { rows } = await readSequenced(database);
      expect(rows).toHaveLength(2 * ENTRIES);
      expect(new Set(rows).size).toBe(2 * ENTRIES);
    }
  });

  it('sequences after a restart what was left', async () => {
    const config = await prepare();
    const first = await openDatabase(config);
    await first.write((db) => addEntries(db, upTo(900)));
    await sequenceAllEntries(first);
    await first.write((db) => addEntries(db, [1_000]));
    await first.close();
    const database = await open(config);
    await database.write((db) => addEntries(db, [1_001]));
    await sequenceAllEntries(database);
    expect((await readSequenced(database)).rows).toEqual([...upTo(900), 1_000, 1_001]);
  });

  it('skips an entry that was removed past the service', async () => {
    const database = await open();
    await database.write((db) => addEntries(db, [1, 2]));
    await tamper(database, (db) => db.k.deleteFrom('history').where('row_id', '=', 1).execute());
    await sequenceAllEntries(database);
    expect((await readSequenced(database)).rows).toEqual([2]);
    expect(await database.read(readLag)).toEqual({ entries: 0, age: 0 });
  });

  if (dialect === 'sqlite') return;

  const insertOf = (row: number) =>
    `insert into history (at, username, call, scope, thing_id, row_id, version, kind, changes)
     values (1, 'u', 'c', 'archive', 1, ${row}, 1, 'change', '[]')`;

  it('misses nothing that is committed out of order, and waits for nobody', async () => {
    const config = await prepare();
    const database = await open(config);
    const rowsNow = async () => {
      await sequenceAllEntries(database);
      return (await readSequenced(database)).rows;
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
        await c.query('commit');
        await database.write((db) => addEntries(db, [5]));
        expect(await rowsNow()).toEqual([2, 4, 1, 3, 5]);
        await a.query('begin');
        await a.query(insertOf(6));
        await a.query('rollback');
        await database.write((db) => addEntries(db, [7]));
        expect(await rowsNow()).toEqual([2, 4, 1, 3, 5, 7]);
      }),
    );
  });

  it('misses nothing that is committed while many entries are sequenced', async () => {
    const config = await prepare();
    const database = await open(config);
    await administer(config.databaseUrl ?? '', async (client) => {
      await client.query('begin');
      await client.query(insertOf(-1));
      for (let start = 0; start < 3_000; start += 500) {
        await database.write((db) =>
          addEntries(
            db,
            upTo(500).map((row) => row + start),
          ),
        );
      }
      expect(await sequenceNextEntries(database)).toBe(1_000);
      await database.write((db) => addEntries(db, [3_001]));
      await client.query('commit');
      await sequenceAllEntries(database);
    });
    const { rows } = await readSequenced(database);
    expect(rows.slice(0, 1_001)).toEqual([...upTo(1_000), -1]);
    expect(rows.slice(1_001)).toEqual(upTo(3_001).slice(1_000));
  });

  it('sequences what others commit before the rest of a load', async () => {
    const config = await prepare();
    const database = await open(config);
    await database.write((db) => addEntries(db, [1]));
    await sequenceAllEntries(database);
    await administer(config.databaseUrl ?? '', async (load) => {
      await load.query('begin');
      for (let start = 100; start < 12_600; start += 2_500) {
        await load.query(`insert into history (at, username, call, scope, thing_id, row_id, version, kind, changes)
          select 1, 'load', 'load a.json', 'archive', 1, ${start} + n, 1, 'load', '[]' from generate_series(1, 2500) n`);
      }
      await load.query('commit');
    });
    await database.write((db) => addEntries(db, [3]));
    expect(await sequenceNextEntries(database)).toBe(2_501);
    expect((await readSequenced(database)).rows).toContain(3);
    await database.write((db) => addEntries(db, [4]));
    expect(await sequenceNextEntries(database)).toBe(2_501);
    expect((await readSequenced(database)).rows).toContain(4);
    // The verification finds nothing wrong in the rest.
    const quiet = () => undefined;
    const lines: string[] = [];
    const findings = new VerificationFindings({
      progress: quiet,
      info: quiet,
      fail: (l) => lines.push(l),
    });
    const { unsequenced } = await database.read((db) => checkChain(db, null, findings));
    expect({ unsequenced, lines }).toEqual({ unsequenced: 7_500, lines: [] });
    expect(await database.read(readLag)).toMatchObject({ entries: 7_500 });
    await sequenceAllEntries(database);
    const { rows } = await readSequenced(database);
    expect(rows.toSorted((a, b) => a - b)).toEqual([
      1,
      3,
      4,
      ...upTo(12_500).map((row) => 100 + row),
    ]);
    expect(rows.filter((row) => row > 100)).toEqual(upTo(12_500).map((row) => 100 + row));
    expect(await database.read(readLag)).toEqual({ entries: 0, age: 0 });
  });
});
