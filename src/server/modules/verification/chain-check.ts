import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/schema.ts';
import {
  CHAIN_START,
  hashBlock,
  insertedAmong,
  MARK_LENGTH,
  markOf,
  readNewestAppended,
} from '../history/history.service.ts';
import * as store from './chain.store.ts';
import { counted, type Findings } from './findings.ts';
import { formatHead, type Head } from './head.ts';
import { IdBitmap } from './id-bitmap.ts';

export interface ChainResult {
  readonly blocks: number;
  /** that have their places */
  readonly entries: number;
  /** the newest, which no block has taken yet */
  readonly unsealed: number;
}

/** The end of the chain as it stands. */
export async function readHead(db: Transaction): Promise<Head> {
  const newest = await store.readNewestBlock(db);
  if (!newest) return { number: 0, position: 0, hash: CHAIN_START, sealedAt: 0 };
  const { number, first_position, entries, hash, sealed_at } = newest;
  return { number, position: first_position + entries - 1, hash, sealedAt: sealed_at };
}

/**
 * Checks that the blocks are chained, that each entry is as it was sealed, and that each is in one block.
 * @param since a head kept elsewhere: what leads to it must still be what it was
 */
export async function checkChain(
  db: Transaction,
  since: Head | null,
  findings: Findings,
): Promise<ChainResult> {
  const sealed = new IdBitmap();
  const result = { blocks: 0, entries: 0, found: 0 };
  let before = { number: 0, hash: CHAIN_START, nextPosition: 1, lastId: 0 };
  let stands = since === null || since.number === 0;
  for await (const page of store.walkBlocks(db)) {
    for (const block of page) {
      const what = `Chain, block ${block.number}`;
      if (block.number !== before.number + 1) {
        findings.add(`${what}: it follows block ${before.number}; what was between is missing.`);
      }
      if (block.first_position !== before.nextPosition) {
        findings.add(
          `${what}: it begins at position ${block.first_position} and not at ${before.nextPosition}.`,
        );
      }
      const ids = idsOf(block);
      // Up to there everything counts as sealed.
      const lastId = Math.max(before.lastId, ...(ids ?? [block.last_id]));
      if (block.last_id !== lastId) {
        findings.add(`${what}: it says that it ends with history ${block.last_id}, not ${lastId}.`);
      }
      if (!ids) findings.add(`${what}: its list of entries cannot be read.`);
      else {
        result.found += await checkBlock(db, block, ids, before.hash, findings);
        for (const id of ids) {
          if (!sealed.add(id)) findings.add(`${what}, history ${id}: an earlier block has it too.`);
        }
        result.entries += ids.length;
      }
      if (block.number === since?.number) {
        stands = true;
        checkHead(block, since, findings);
      }
      result.blocks += 1;
      const nextPosition = block.first_position + block.entries;
      before = { number: block.number, hash: block.hash, nextPosition, lastId };
    }
    findings.report.progress(`Chain: ${counted(result.entries, 'entry', 'entries')}`);
  }
  if (!stands && since) {
    findings.add(
      `Chain, block ${since.number}: the head ${formatHead(since)} is not there any more.`,
    );
  }
  const appended = await readNewestAppended(db);
  if (appended > before.number) {
    findings.add(`Chain: it ends with block ${before.number}, and went up to block ${appended}.`);
  }
  const unsealed = await checkUnsealed(db, sealed, result.found, findings);
  return { blocks: result.blocks, entries: result.entries, unsealed };
}

/** @returns how many of the block's entries there are */
async function checkBlock(
  db: Transaction,
  block: HistoryBlockRow,
  ids: readonly number[],
  before: string,
  findings: Findings,
): Promise<number> {
  const { number, first_position, entries, sealed_at } = block;
  const head = { number, firstPosition: first_position, entries, sealedAt: sealed_at };
  const found = (hashes: ReadonlyMap<number, Buffer>) =>
    ids.map((id) => hashes.get(id)).filter((hash) => hash !== undefined);
  const isWhole = (hashes: ReadonlyMap<number, Buffer>) =>
    entries === ids.length && hashBlock(before, head, found(hashes)) === block.hash;
  const told = (hashes: ReadonlyMap<number, Buffer>) => alteredOf(block, ids, hashes);

  let hashes = await store.readHashes(db, ids, 'by the database');
  if (!isWhole(hashes) || told(hashes).length > 0) {
    hashes = await store.readHashes(db, ids, 'by the service');
  }
  const what = `Chain, block ${number}`;
  const altered = told(hashes);
  for (const line of altered) findings.add(`${what}, ${line}`);
  if (altered.length === 0 && !isWhole(hashes)) {
    findings.add(`${what}: its hash is not that of its entries and of the block before it.`);
  }
  return hashes.size;
}

/** Which entries of a block are not what was sealed, as far as their marks tell. */
function alteredOf(
  block: HistoryBlockRow,
  ids: readonly number[],
  hashes: ReadonlyMap<number, Buffer>,
): string[] {
  return ids.flatMap((id, i) => {
    const hash = hashes.get(id);
    const mark = block.marks?.slice(i * MARK_LENGTH, (i + 1) * MARK_LENGTH);
    if (hash && (mark === undefined || markOf(hash) === mark)) return [];
    const position = `position ${block.first_position + i}`;
    return [`history ${id}, ${position}: the entry was ${hash ? 'altered' : 'removed'}.`];
  });
}

function checkHead(block: HistoryBlockRow, since: Head, findings: Findings): void {
  const position = block.first_position + block.entries - 1;
  const now = { number: block.number, position, hash: block.hash, sealedAt: block.sealed_at };
  if (formatHead(now) === formatHead(since)) return;
  findings.add(
    `Chain, block ${block.number}: it is ${formatHead(now)}, and was ${formatHead(since)}; ` +
      'it or what was before it was rewritten.',
  );
}

/** Looks for entries that no block has and that none will ever have. @returns how many are still to be sealed */
async function checkUnsealed(
  db: Transaction,
  sealed: IdBitmap,
  found: number,
  findings: Findings,
): Promise<number> {
  const last = await store.readNewestBlock(db);
  const others = (await store.countEntries(db)) - found;
  if (others === 0 || !last) return others;
  let inserted = 0;
  for await (const page of store.walkIds(db)) {
    const unnamed = page.filter((id) => !sealed.has(id));
    if (unnamed.length === 0) continue;
    const past =
      db.dialect === 'sqlite'
        ? unnamed.filter((id) => id <= last.last_id)
        : await insertedAmong(db, last, unnamed);
    for (const id of past) {
      findings.add(`Chain, history ${id}: the entry was inserted, as no block has it.`);
    }
    inserted += past.length;
  }
  return others - inserted;
}

function idsOf({ ids, entries }: HistoryBlockRow): number[] | null {
  try {
    const parsed: unknown = JSON.parse(ids);
    const whole = (id: unknown): id is number => Number.isSafeInteger(id);
    return Array.isArray(parsed) && parsed.every(whole) && parsed.length === entries
      ? parsed
      : null;
  } catch {
    return null;
  }
}
