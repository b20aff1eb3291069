import * as texts from '#messages/service/verification.ts';
import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/tables/history-tables.ts';
import {
  CHAIN_START,
  hashBlock,
  MARK_LENGTH,
  entryMark,
  readLastBlock,
  readNewestAppended,
} from '../history/history.service.ts';
import {
  purgesOf,
  PurgeDigest,
  readEntriesUpTo,
  readPurges,
  type EntryPosition,
  type Purge,
} from '../purges/purges.service.ts';
import * as store from './chain.store.ts';
import type { VerificationFindings } from './verification-findings.ts';
import { formatHead, type Head } from './chain-head.ts';
import { IdBitmap } from './id-bitmap.ts';

/** The newest block. */
export async function readHead(db: Transaction): Promise<Head> {
  const newest = await readLastBlock(db);
  return newest ? headOf(newest) : { number: 0, position: 0, hash: CHAIN_START, sealedAt: 0 };
}

/** A block as the head of the chain up to it. */
export function headOf({
  number,
  first_position,
  entries,
  hash,
  sealed_at,
}: HistoryBlockRow): Head {
  return { number, position: first_position + entries - 1, hash, sealedAt: sealed_at };
}

/**
 * Checks that the blocks are chained, that each entry is unchanged since it was sequenced, and that each is in one
 * block.
 * @param since a head that was stored elsewhere, which must still be in the chain
 * @returns the numbers of blocks, of their entries, and of the entries that wait for the sequencer
 */
export async function checkChain(
  db: Transaction,
  since: Head | null,
  findings: VerificationFindings,
) {
  const sequenced = new IdBitmap();
  const purges = await readPurges(db);
  let [blocks, entries, found] = [0, 0, 0];
  let last = { number: 0, hash: CHAIN_START, nextPosition: 1, lastId: 0 };
  let hasHead = since === null || since.number === 0;
  for await (const page of store.iterateBlocks(db)) {
    for (const block of page) {
      const subject = texts.chainBlock(block.number);
      const find = (problem: string) => findings.addAbout(subject, problem);
      if (block.number !== last.number + 1) {
        find(texts.blockMissing(last.number));
      }
      if (block.first_position !== last.nextPosition) {
        find(texts.positionWrong({ first: block.first_position, expected: last.nextPosition }));
      }
      const ids = idsOf(block);
      const lastId = Math.max(last.lastId, ...(ids ?? [block.last_id]));
      if (block.last_id !== lastId) {
        find(texts.endWrong({ said: block.last_id, last: lastId }));
      }
      if (!ids) find(texts.listUnreadable);
      else {
        found += await checkBlock(db, { block, ids, before: last.hash }, purges, findings);
        for (const id of ids) {
          if (sequenced.add(id)) continue;
          findings.addAbout(texts.inHistory({ subject, id }), texts.inEarlierBlock);
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
    findings.report.progress(texts.progress.chain(entries));
  }
  if (!hasHead && since) {
    findings.addAbout(texts.chainBlock(since.number), texts.headGone(formatHead(since)));
  }
  const appended = await readNewestAppended(db);
  if (appended > last.number) {
    findings.add(texts.blocksRemoved({ last: last.number, appended }));
  }
  await checkPurges(db, purges, findings);
  const others = (await store.countEntries(db)) - found;
  const inserted = others === 0 ? 0 : await checkOthers(db, sequenced, findings);
  return { blocks, entries, unsequenced: others - inserted };
}

/**
 * Checks that the entries remaining after purges are unchanged since then: for these the chain has only the hashes from
 * before.
 */
async function checkPurges(
  db: Transaction,
  purges: readonly Purge[],
  findings: VerificationFindings,
): Promise<void> {
  for (const [i, purge] of purges.entries()) {
    const { kind, collectionId, upTo, entries, sha256 } = purge;
    const collection = { kind, id: collectionId };
    // The newest purge of an archive or table covers the entries of all its purges.
    if (purgesOf(purges.slice(i + 1), collection).length > 0) continue;
    const digest = new PurgeDigest(purgesOf(purges, collection));
    for (let after: EntryPosition | null = null; ;) {
      const page = await readEntriesUpTo(db, collection, upTo, after);
      for (const entry of page.entries) digest.add(entry);
      if (!page.next) break;
      after = page.next;
    }
    const found = digest.end();
    if (found.entries === entries && found.sha256 === sha256) continue;
    const subject = texts.definition(collection);
    findings.addAbout(texts.inHistory({ subject, id: purge.id }), texts.purgedAltered);
  }
}

interface ReadBlock {
  readonly block: HistoryBlockRow;
  /** of its entries */
  readonly ids: readonly number[];
  /** the hash of the block before it */
  readonly before: string;
}

/** @returns how many of the block's entries exist */
async function checkBlock(
  db: Transaction,
  { block, ids, before }: ReadBlock,
  purges: readonly Purge[],
  findings: VerificationFindings,
): Promise<number> {
  const { number, first_position, entries, sealed_at } = block;
  const head = { number, firstPosition: first_position, entries, sealedAt: sealed_at };
  const links = await store.readLinks(db, ids, purges);
  const altered = findAlteredEntries(block, ids, links);
  for (const line of altered) findings.add(line);
  const found = ids.flatMap((id) => links.get(id)?.hash ?? []);
  const isWhole = entries === ids.length && hashBlock(before, head, found) === block.hash;
  if (altered.length === 0 && !isWhole) {
    findings.addAbout(texts.chainBlock(number), texts.hashWrong);
  }
  return links.size;
}

/** The findings of the entries of a block that were altered or removed, by their marks. */
function findAlteredEntries(
  block: HistoryBlockRow,
  ids: readonly number[],
  links: ReadonlyMap<number, store.ChainLink>,
): string[] {
  return ids.flatMap((id, i) => {
    const { hash, isBlank = false } = links.get(id) ?? {};
    const mark = block.marks?.slice(i * MARK_LENGTH, (i + 1) * MARK_LENGTH);
    const isChained = hash && (mark === undefined || entryMark(hash) === mark);
    if (isChained && !isBlank) return [];
    const { number, first_position: first } = block;
    const subject = texts.blockEntry({ number, id, position: first + i });
    const problem = isChained ? texts.entryBlank : hash ? texts.entryAltered : texts.entryRemoved;
    return [texts.finding({ subject, problem })];
  });
}

function checkHead(block: HistoryBlockRow, since: Head, findings: VerificationFindings): void {
  const [now, was] = [formatHead(headOf(block)), formatHead(since)];
  if (now === was) return;
  findings.addAbout(texts.chainBlock(block.number), texts.headRewritten({ now, was }));
}

/**
 * Finds entries that are neither in a block nor in the outbox, and will never be sequenced.
 * @returns how many
 */
async function checkOthers(
  db: Transaction,
  sequenced: IdBitmap,
  findings: VerificationFindings,
): Promise<number> {
  const waiting = new IdBitmap();
  for await (const page of store.iterateOutbox(db)) for (const id of page) waiting.add(id);
  let inserted = 0;
  for await (const page of store.iterateIds(db)) {
    for (const id of page) {
      if (sequenced.has(id) || waiting.has(id)) continue;
      findings.addAbout(texts.chainEntry(id), texts.entryInserted);
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
