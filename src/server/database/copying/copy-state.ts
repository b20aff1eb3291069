import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import * as z from 'zod';
import type { Transaction } from '../database.ts';
import type { TableSum } from './canonical-rows.ts';
import { readSetting, removeSetting, writeSetting } from '../installation.ts';

/** Progress of the copy of an installation; stored in the target until the copy is complete. */
export interface CopyState {
  /** name of the copied part, for the administrator */
  readonly from: string;
  /** the checksums of the tables whose rows are all copied */
  readonly finished: Readonly<Record<string, TableSum>>;
}

const KEY = 'copying';
const stateSchema = z.object({
  from: z.string(),
  finished: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
});

/** @returns null if the database is not the target of a copy, or the copy is complete */
export async function readCopyState(db: Transaction): Promise<CopyState | null> {
  const stored = await readSetting(db, KEY);
  return stored === undefined ? null : stateSchema.parse(JSON.parse(stored));
}

export async function writeCopyState(db: Transaction, state: CopyState): Promise<void> {
  await writeSetting(db, KEY, JSON.stringify(state));
}

export async function removeCopyState(db: Transaction): Promise<void> {
  await removeSetting(db, KEY);
}

/** @throws {OperatorError} if the database is an incomplete copy */
export async function assertNoPartialCopy(db: Transaction): Promise<void> {
  const state = await readCopyState(db);
  if (!state) return;
  throw new OperatorError(texts.databaseIsPartialCopy(state.from));
}
