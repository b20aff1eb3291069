import { changeTables } from '#server/database/change-tables.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import type { AnsweredPlan } from '#shared/contract/configuration-definitions.ts';
import type { Actor } from '../history/history.service.ts';
import {
  changeDefinition,
  requireNoJob,
  requireVersion,
} from '../definitions/definitions.service.ts';
import {
  requireStoredDefinition,
  type StoredDefinition,
} from '../definitions/stored-definitions.ts';
import { countRecords } from '../definitions/present-definition.ts';

/** What `setRetired` would do. */
export async function planRetirement(
  db: Transaction,
  definition: StoredDefinition,
  isRetired: boolean,
): Promise<AnsweredPlan> {
  if (isRetired === (definition.retiredAt !== null)) return { changes: [], safe: true };
  const change = {
    kind: isRetired ? ('retire' as const) : ('restore' as const),
    field: null,
    properties: [],
    affected: await countRecords(db, definition),
    misfits: 0,
    examples: [],
  };
  return { changes: [change], safe: true };
}

/**
 * Retires an archive or table as a whole, or restores it; nothing is deleted.
 * @param ifMatch null: any version
 * @throws {DefinitionChanged}
 * @throws {ApiError} 409 while a job changes the definition
 */
export async function setRetired(
  database: Database,
  { kind, id }: CollectionRef,
  isRetired: boolean,
  actor: Actor,
  ifMatch: string | null,
): Promise<void> {
  await changeTables(database, async (db) => {
    const { state, retiredAt } = await requireStoredDefinition(db, kind, id);
    await requireNoJob(db, kind, id);
    requireVersion(state, ifMatch);
    if (isRetired === (retiredAt !== null)) return;
    // Nothing is written to a retired archive or table, and its SQL tables may have been deleted.
    if (isRetired) await db.adapter.lockDefinition(db, { kind, id });
    const next = { ...state, version: state.version + 1 };
    await changeDefinition(db, id, next, isRetired ? Date.now() : null, actor);
  });
}
