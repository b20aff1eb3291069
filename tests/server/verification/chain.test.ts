/** @module-tag slow */
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/tables/history-tables.ts';
import {
  CHAIN_START,
  hashBlock,
  hashEntry,
  entryMark,
  sequenceAllEntries,
} from '#server/modules/history/history.service.ts';
import { formatHead, readHead } from '#server/modules/verification/verification.service.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { append, buildInstallation, tamper, type Installation } from './installation.ts';

/** What the command says on a machine that lets it take its time. */
const PROGRESS = /^(?:The database|Files): |: [\d,]+ entr(?:y|ies)$/;

describeOnOneDatabase('verify finds in the chain', (_, databases) => {
  let t: Installation;
  beforeAll(async () => {
    t = await buildInstallation(databases);
  });
  afterEach(() => t.restore());

  const blocks = () =>
    t.database.read((db) =>
      db.k.selectFrom('history_blocks').selectAll().orderBy('number').execute(),
    );
  const head = () => t.database.read(readHead);
  /** An entry in the last block but one, with which nothing else is compared, and where it is. */
  const someEntry = async () => {
    const block = (await blocks()).at(-2);
    if (!block) throw new Error('There are not enough blocks.');
    const [id = 0] = idsOf(block);
    return {
      id,
      block,
      place: `Chain, block ${block.number}, history ${id}, position ${block.first_position}`,
    };
  };
  const alter = (id: number) => (db: Transaction) =>
    db.k.updateTable('history').set({ address: '10.9.9.9' }).where('id', '=', id).execute();
  const changeBlock = (number: number, values: Partial<HistoryBlockRow>) =>
    tamper(t.database, (db) =>
      db.k.updateTable('history_blocks').set(values).where('number', '=', number).execute(),
    );

  it('nothing where nothing was done to it, and counts what is not sequenced yet', async () => {
    expect((await blocks()).length).toBeGreaterThan(3);
    const since = await head();
    expect(await t.findings({ since })).toEqual([]);
    await append(t.database, 'not sealed');
    expect(await t.findings({ since })).toEqual([]);
    const console = lines();
    expect(await run(console, 'verify')).toBe(0);
    expect(console.told.join('\n')).toContain('; the newest 2 entries not sealed yet: no findings');
    await sequenceAllEntries(t.database);
    expect(await t.findings({ since })).toEqual([]);
  });

  it('an altered entry', async () => {
    const { id, place } = await someEntry();
    await tamper(t.database, alter(id));
    expect(await t.findings()).toEqual([`${place}: the entry was altered.`]);
    expect(await t.findings({ usesThreads: true })).toEqual([`${place}: the entry was altered.`]);
  });

  it('a removed entry', async () => {
    const { id, place } = await someEntry();
    await tamper(t.database, (db) => db.k.deleteFrom('history').where('id', '=', id).execute());
    expect(await t.findings()).toEqual([`${place}: the entry was removed.`]);
  });

  it('inserted entries', async () => {
    const { id } = await someEntry();
    await t.database.write(async (db) => {
      const { id: _id, ...entry } = await db.k
        .selectFrom('history')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      for (const inserted of [-3, 0]) {
        await db.k
          .insertInto('history')
          .values({ ...entry, id: inserted })
          .execute();
      }
    });
    await sequenceAllEntries(t.database);
    expect(await t.findings()).toEqual(
      [-3, 0].map(
        (inserted) => `Chain, history ${inserted}: the entry was inserted: no block contains it.`,
      ),
    );
  });

  it('altered, removed and doubled blocks', async () => {
    const { id, block } = await someEntry();
    const what = `Chain, block ${block.number}`;
    const next = `Chain, block ${block.number + 1}`;
    const unlike = 'its hash does not match its entries and the block before it.';
    await changeBlock(block.number, { hash: 'a'.repeat(64) });
    expect(await t.findings()).toEqual([`${what}: ${unlike}`, `${next}: ${unlike}`]);
    await t.restore();
    await changeBlock(block.number, { sealed_at: block.sealed_at - 1 });
    expect(await t.findings()).toEqual([`${what}: ${unlike}`]);
    await t.restore();
    await changeBlock(block.number, { ids: `[${idsOf(block).toReversed().join()}]` });
    expect(await t.findings()).toHaveLength(2);
    await t.restore();
    await changeBlock(block.number, { ids: '[' });
    expect(await t.findings()).toContain(`${what}: its list of entries cannot be read.`);
    await t.restore();
    await changeBlock(block.number, { first_position: 9_999 });
    expect(await t.findings()).toContain(
      `${what}: it begins at position 9999, not at ${block.first_position}.`,
    );
    await t.restore();
    await tamper(t.database, (db) =>
      db.k.deleteFrom('history_blocks').where('number', '=', block.number).execute(),
    );
    expect(await t.findings()).toEqual([
      `${next}: it follows block ${block.number - 1}; the blocks between are missing.`,
      `${next}: it begins at position ${block.first_position + block.entries}, not at ${block.first_position}.`,
      `${next}: ${unlike}`,
      ...idsOf(block).map(
        (one) => `Chain, history ${one}: the entry was inserted: no block contains it.`,
      ),
    ]);
    await t.restore();
    const [first] = await blocks();
    await changeBlock(block.number, { ids: JSON.stringify([idsOf(first ?? block)[0], id]) });
    expect(await t.findings()).toContain(
      `${what}, history ${idsOf(first ?? block)[0]}: an earlier block contains it too.`,
    );
  });

  it('a rewritten end with right hashes by a head that was kept elsewhere, and by nothing else', async () => {
    const { id, block } = await someEntry();
    const all = await blocks();
    const heads = all.map(headOf);
    await tamper(t.database, async (db) => {
      await alter(id)(db);
      await rewrite(db, all, block.number);
    });
    expect(await t.findings()).toEqual([]);
    for (const since of heads) {
      const found = await t.findings({ since });
      if (since.number < block.number) expect(found).toEqual([]);
      else {
        const now = (await blocks()).find(({ number }) => number === since.number);
        expect(found).toEqual([
          `Chain, block ${since.number}: it is ${formatHead(headOf(now ?? block))}, but was ${formatHead(since)}; ` +
            'this or an earlier block was rewritten.',
        ]);
      }
    }
  });

  it('an end that was cut off, and by a head that was kept elsewhere whoever did it', async () => {
    const since = await head();
    const [before, last] = (await blocks()).slice(-2);
    if (!before || !last) throw new Error('There are not enough blocks.');
    const cut = (all: 'with its entries' | 'alone') =>
      tamper(t.database, async (db) => {
        await db.k.deleteFrom('history_blocks').where('number', '=', since.number).execute();
        if (all === 'alone') return;
        await db.k.deleteFrom('history').where('id', 'in', idsOf(last)).execute();
      });
    const ended = `Chain: it ends with block ${before.number}, but had blocks up to ${last.number}.`;
    const gone = `Chain, block ${since.number}: the head ${formatHead(since)} is missing.`;
    for (const all of ['alone', 'with its entries'] as const) {
      await cut(all);
      const inserted = (all === 'alone' ? idsOf(last) : []).map(
        (id) => `Chain, history ${id}: the entry was inserted: no block contains it.`,
      );
      expect(await t.findings()).toEqual([ended, ...inserted]);
      expect(await t.findings({ since })).toEqual([gone, ended, ...inserted]);
      // Who knows how makes the database forget it, too.
      await t.database.write((db) =>
        db.k
          .updateTable('installation')
          .set({ value: String(before.number) })
          .where('key', '=', 'newest_history_block')
          .execute(),
      );
      expect(await t.findings()).toEqual(inserted);
      expect(await t.findings({ since })).toEqual([gone, ...inserted]);
      await t.restore();
    }
    await tamper(t.database, (db) => db.k.deleteFrom('history_blocks').execute());
    const { rows } = await t.database.read(({ k }) =>
      sql<{ id: number }>`select id from history order by id`.execute(k),
    );
    expect(await t.findings()).toEqual([
      `Chain: it ends with block 0, but had blocks up to ${last.number}.`,
      ...rows.map(
        ({ id }) => `Chain, history ${id}: the entry was inserted: no block contains it.`,
      ),
    ]);
    await sequenceAllEntries(t.database);
    expect((await t.findings({ since })).join()).toMatch(/was rewritten|is missing/);
  });

  it('entries removed from the end before they were sequenced, by what they told of', async () => {
    const newest = await t.database.read((db) =>
      db.k
        .selectFrom('history')
        .selectAll()
        .where('scope', '=', 'table')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
    );
    const from = (await blocks()).find((block) => idsOf(block).includes(newest.id));
    await tamper(t.database, async (db) => {
      // As it was while they were not sequenced yet.
      const number = from?.number ?? 0;
      await db.k.deleteFrom('history_blocks').where('number', '>=', number).execute();
      await db.k
        .updateTable('installation')
        .set({ value: String(number - 1) })
        .where('key', '=', 'newest_history_block')
        .execute();
      await db.k.deleteFrom('history').where('id', '=', newest.id).execute();
    });
    expect((await t.findings()).join()).toContain(
      `Table ${t.table.name}, dataset ${newest.row_id}: `,
    );
  });

  it('entries forged at the end, sequenced or not, by what they tell of', async () => {
    const forged = {
      at: Date.now(),
      user_id: null,
      username: 'nobody',
      address: null,
      call: 'PATCH',
      version: 0,
      changes: JSON.stringify([{ name: 'role', before: 'clerk', after: 'administrator' }]),
    };
    const about = [
      ['archive', t.archive.id, 1, 'change', `Archive ${t.archive.name}, revision 1, history`],
      ['table', t.table.id, 1, 'delete', `Table ${t.table.name}, dataset 1, history`],
      ['table', t.table.id, 99, 'create', `Table ${t.table.name}, dataset 99, history`],
      ['table', 99, 1, 'change', 'it is about table 99, which never existed (1 entry).'],
      ['user', 0, 99, 'change', 'User 99, history'],
      ['definition', 1, 99, 'create', 'The definition of archive 99: it is missing.'],
      ['session', 0, 99, 'create', 'a session of user 99, who never existed.'],
      ['session', 7, 1, 'create', 'it is about session 7, which never existed (1 entry).'],
    ] as const;
    await t.database.write(async (db) => {
      for (const [scope, thing_id, row_id, kind] of about) {
        const entry = { ...forged, scope, thing_id, row_id, kind };
        await db.k.insertInto('history').values(entry).execute();
      }
    });
    for (const sequenced of [false, true]) {
      if (sequenced) await sequenceAllEntries(t.database);
      const found = (await t.findings()).join('\n');
      for (const [, , , , told] of about) expect(found).toContain(told);
    }
  });

  it('a block that says that more is sequenced than is', async () => {
    const last = (await blocks()).at(-1);
    const number = last?.number ?? 0;
    await changeBlock(number, { last_id: 9_999 });
    expect(await t.findings()).toEqual([
      `Chain, block ${number}: its end is stored as history 9999, not ${last?.last_id}.`,
    ]);
  });

  it('what the command line tells with its exit code', async () => {
    const exported = lines();
    expect(await run(exported, 'verify', '--export')).toBe(0);
    expect(exported.told).toEqual([formatHead(await head())]);
    const [kept = ''] = exported.told;
    const good = lines();
    expect(await run(good, 'verify', '--since', kept, '--export', '--contents', '--deep')).toBe(0);
    expect(good.told).toEqual([kept]);
    expect(good.errors.at(-1)).toBe('Verified: no findings.');

    const { id, place } = await someEntry();
    await tamper(t.database, alter(id));
    const bad = lines();
    expect(await run(bad, 'verify', '--since', kept)).toBe(1);
    expect(bad.errors).toEqual([`${place}: the entry was altered.`, 'Not verified: 1 finding.']);
    expect(await run(lines(), 'verify', '--since', 'nonsense')).toBe(2);
    expect(await run(lines(), 'verify', 'nonsense')).toBe(2);
  });

  const lines = () => {
    const [told, errors]: [string[], string[]] = [[], []];
    return {
      told,
      errors,
      out: (line: string) => told.push(line),
      err: (line: string) => void (PROGRESS.test(line) || errors.push(line)),
    };
  };
  const run = (console: ReturnType<typeof lines>, ...args: string[]) =>
    runCommandLine(
      args,
      { INDEXDESK_DATA: t.config.dataDir, INDEXDESK_DATABASE_URL: t.config.databaseUrl },
      console,
    );
});

function idsOf({ ids }: HistoryBlockRow): number[] {
  return JSON.parse(ids);
}

function headOf(block: HistoryBlockRow) {
  const { number, hash, sealed_at: sealedAt } = block;
  return { number, position: block.first_position + block.entries - 1, hash, sealedAt };
}

/** Chains all blocks from one on anew, as somebody would who knows how. */
async function rewrite(
  db: Transaction,
  all: readonly HistoryBlockRow[],
  from: number,
): Promise<void> {
  let before = all.find(({ number }) => number === from - 1)?.hash ?? CHAIN_START;
  for (const block of all.filter(({ number }) => number >= from)) {
    const entries = await db.k
      .selectFrom('history')
      .selectAll()
      .where('id', 'in', idsOf(block))
      .orderBy('id')
      .execute();
    const hashes = entries.map(hashEntry);
    const { number, first_position: firstPosition, sealed_at: sealedAt } = block;
    const about = { number, firstPosition, entries: block.entries, sealedAt };
    before = hashBlock(before, about, hashes);
    await db.k
      .updateTable('history_blocks')
      .set({ hash: before, marks: hashes.map(entryMark).join('') })
      .where('number', '=', number)
      .execute();
  }
}
