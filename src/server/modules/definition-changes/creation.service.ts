import { randomUUID } from 'node:crypto';
import * as texts from '#messages/service/definitions.ts';
import type { Transaction } from '#server/database/database.ts';
import { createIndexes } from '#server/database/records/record-tables.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { RequestedDefinition } from '#shared/contract/configuration-bodies.ts';
import { EntryErrors } from '#shared/contract/errors.ts';
import type { Actor } from '../history/history.service.ts';
import { defineCollection } from '../definitions/definitions.service.ts';
import {
  isTaken,
  requireStoredDefinition,
  readTables,
  type StoredDefinition,
} from '../definitions/stored-definitions.ts';
import { checkProblems } from '../definitions/check-problems.ts';
import { nameProblems, nameTaken, optionProblems } from '../definitions/name-problems.ts';
import { stateOfNew } from '../definitions/definition-state.ts';

/**
 * Creates an archive or a table with its database tables.
 * @throws {ApiError} 422 if its parts contradict each other; 409 if the name or the GUID is taken, also by a retired one;
 * with all errors together
 */
export async function createDefinition(
  db: Transaction,
  kind: Collection['kind'],
  wanted: RequestedDefinition,
  actor: Actor,
): Promise<StoredDefinition> {
  const guid = wanted.guid ?? randomUUID();
  const state = stateOfNew(kind, {
    ...wanted,
    guid,
    fields: wanted.fields.flatMap(({ field, isRetired }) => (isRetired ? [] : [field])),
    keywordFields: wanted.keywordFields.flatMap(({ field, isRetired }) =>
      isRetired ? [] : [field],
    ),
  });
  const errors = new EntryErrors({
    ...nameProblems(state, []),
    ...optionProblems(state, []),
    ...checkProblems(state, await readTables(db)),
  });
  for (const other of ['archive', 'table'] as const) {
    if (await isTaken(db, other, 'guid', guid)) {
      errors.add('conflict', 'guid', texts.guidTaken({ kind: other }));
    }
  }
  if (await isTaken(db, kind, 'name_key', wanted.name)) {
    errors.addAll('conflict', nameTaken(kind, wanted.name));
  }
  errors.throwIfAny(true);
  const collection = await defineCollection(db, state, actor);
  await createIndexes(db, collection);
  return requireStoredDefinition(db, kind, collection.id);
}
