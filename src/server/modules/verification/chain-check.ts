import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/schema.ts';
import {
  CHAIN_START,
  hashBlock,
  MARK_LENGTH,
  markOf,
  readLastBlock,
  readNewestAppended,
} from '../history/history.service.ts';
import * as store from './chain.store.ts';
import { counted } from '#server/report-texts.ts';
import type { Findings } from './findings.ts';
import { formatHead, type Head } from './head.ts';
import { IdBitmap } from './id-bitmap.ts';

export interface ChainResult {
  readonly blocks: number;
  /** that have their positions */
  readonly entries: number;
  /** that are still to be sequenced */
  readonly unsequenced: number;
}

/** The newest block. */
export async function readHead(db: Transaction): Promise<Head> {
  const newest = await readLastBlock(db);
  return newest ? headOf(newest) : { number: 0, position: 0, hash: CHAIN_START, sealedAt: 0 };
}

function headOf({ number, first_position, entries, hash, sealed_at }: HistoryBlockRow): Head {
  return { number, position: first_position + entries - 1, hash, sealedAt: sealed_at };
}

/**
 * Checks that the blocks are chained, that each entry is as it was sequenced, and that each is in one block.
 * @param since a head that was stored elsewhere, which must still be in the chain
 */
export async function checkChain(
  db: Transaction,
  since: Head | null,
  findings: Findings,
): Promise<ChainResult> {
  const sequenced = new IdBitmap();
  let [blocks, entries, found] = [0, 0, 0];
  let last = { number: 0, hash: CHAIN_START, nextPosition: 1, lastId: 0 };
  let hasHead = since === null || since.number === 0;
  for await (const page of store.walkBlocks(db)) {
    for (const block of page) {
      const what = `Chain, block ${block.number}`;
      if (block.number !== last.number + 1) {
        findings.add(`${what}: it follows block ${last.number}; what was between is missing.`);
      }
      if (block.first_position !== last.nextPosition) {
        findings.add(
          `${what}: it begins at position ${block.first_position} and not at ${last.nextPosition}.`,
        );
      }
      const ids = idsOf(block);
      const lastId = Math.max(last.lastId, ...(ids ?? [block.last_id]));
      if (block.last_id !== lastId) {
        findings.add(`${what}: it says that it ends with history ${block.last_id}, not ${lastId}.`);
      }
      if (!ids) findings.add(`${what}: its list of entries cannot be read.`);
      else {
        found += await checkBlock(db, block, ids, last.hash, findings);
        for (const id of ids) {
          if (!sequenced.add(id)) {
            findings.add(`${what}, history ${id}: an earlier block has it too.`);
          }
        }
        entries += ids.length;
      }
      if (block.number === since?.number) {
        hasHead = true;
        checkHead(block, since, findings);
      }
      blocks += 1;
      const nextPosition = block.first_position + block.entries;
      last = { number: block.number, hash: block.hash, nextPosition, lastId };
    }
    findings.report.progress(`Chain: ${counted(entries, 'entry', 'entries')}`);
  }
  if (!hasHead && since) {
    findings.add(
      `Chain, block ${since.number}: the head ${formatHead(since)} is not there any more.`,
    );
  }
  const appended = await readNewestAppended(db);
  if (appended > last.number) {
    findings.add(`Chain: it ends with block ${last.number}, and went up to block ${appended}.`);
  }
  const others = (await store.countEntries(db)) - found;
  const inserted = others === 0 ? 0 : await checkOthers(db, sequenced, findings);
  return { blocks, entries, unsequenced: others - inserted };
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
  const hashes = await store.readHashes(db, ids);
  const what = `Chain, block ${number}`;
  const altered = alteredOf(block, ids, hashes);
  for (const line of altered) findings.add(`${what}, ${line}`);
  const found = ids.flatMap((id) => hashes.get(id) ?? []);
  const isWhole = entries === ids.length && hashBlock(before, head, found) === block.hash;
  if (altered.length === 0 && !isWhole) {
    findings.add(`${what}: its hash is not that of its entries and of the block before it.`);
  }
  return hashes.size;
}

/** Which entries of a block were altered or removed, by their marks. */
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
  const [now, was] = [formatHead(headOf(block)), formatHead(since)];
  if (now === was) return;
  findings.add(
    `Chain, block ${block.number}: it is ${now}, and was ${was}; ` +
      'it or what was before it was rewritten.',
  );
}

/**
 * Looks for entries that are neither in a block nor in the outbox, so that they will never be sequenced.
 * @returns how many
 */
async function checkOthers(
  db: Transaction,
  sequenced: IdBitmap,
  findings: Findings,
): Promise<number> {
  const waiting = new IdBitmap();
  for await (const page of store.walkOutbox(db)) for (const id of page) waiting.add(id);
  let inserted = 0;
  for await (const page of store.walkIds(db)) {
    for (const id of page) {
      if (sequenced.has(id) || waiting.has(id)) continue;
      findings.add(`Chain, history ${id}: the entry was inserted, as no block has it.`);
      inserted += 1;
    }
  }
  return inserted;
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
