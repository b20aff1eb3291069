import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/tables/history-tables.ts';
import {
  CHAIN_START,
  chainedHash,
  parseBlockIds,
  readChainedEntries,
} from '../history/history.service.ts';
import { headOf } from '../verification/verification.service.ts';
import { readBlockRange, readBlocks } from './audit.store.ts';

/* The part of an export besides its entries that lets a program without Indexdesk verify them (docs/guides/audit.md). */

/** The head of a chain without blocks. */
export const NO_HEAD = { number: 0, position: 0, hash: CHAIN_START, sealedAt: 0 };

/** Blocks that are read together; each may have several kilobytes of ids. */
const PAGE = 20;

/** The blocks from the first one that can have an entry up to the newest, with the hashes of all of their entries. */
export async function* proofFrom(database: Database, entryId: number) {
  const yieldToOthers = createCooperativeYield();
  const range = await database.read((db) => readBlockRange(db, entryId));
  let { before } = range;
  for (let number = range.first; number <= range.last; number += PAGE) {
    const end = Math.min(number + PAGE - 1, range.last);
    for (const block of await database.read((db) => readBlocks(db, number, end))) {
      const started = performance.now();
      const proof = await database.read((db) => proofOf(db, block, before));
      yield { head: headOf(block), proof };
      before = block.hash;
      await yieldToOthers(performance.now() - started);
    }
  }
}

async function proofOf(db: Transaction, block: HistoryBlockRow, before: string) {
  const ids = parseBlockIds(block.ids);
  const entries = await readChainedEntries(db, ids);
  // An entry that was removed outside of the service has no hash, which reveals the removal.
  const hashes = ids.map((id) => {
    const entry = entries.get(id);
    return entry ? chainedHash(entry).toString('base64') : '';
  });
  const { number, first_position: firstPosition, sealed_at: sealedAt, hash } = block;
  return { number, firstPosition, entries: block.entries, sealedAt, before, hash, ids, hashes };
}
