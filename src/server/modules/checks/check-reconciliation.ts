import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { BuiltInCheck } from '#shared/rules/check-words.ts';
import { deleteMisses } from '../page-texts/page-misses.ts';
import * as store from './check-states.store.ts';
import type { CheckState } from './check-states.store.ts';
import type { CountedCheck } from './recount-check.ts';

export { invalidateStates } from './check-states.store.ts';

const PAGE: BuiltInCheck = '_page';

/** Whether the stored states differ from the defined checks. */
export async function needsReconciliation(
  db: Transaction,
  collections: readonly Collection[],
): Promise<boolean> {
  const { removed, added } = differences(collections, await store.readCheckStates(db, null));
  return removed.length + added.length > 0;
}

/** Removes the states of checks that are no longer defined, and adds states for new and changed checks. */
export async function reconcileStates(
  db: Transaction,
  collections: readonly Collection[],
): Promise<void> {
  const { removed, added } = differences(collections, await store.readCheckStates(db, null));
  await store.deleteStates(
    db,
    removed.map(({ id }) => id),
  );
  for (const { scope, thing_id: id, name } of removed) {
    if (scope === 'archive' && name === PAGE) await deleteMisses(db, { id }, null);
  }
  for (const { collection, name, fingerprint } of added) {
    await store.insertState(db, collection, name, fingerprint);
  }
}

/** The checks that have a state, with it. */
export function countedChecks(
  collection: Collection,
  states: readonly CheckState[],
): CountedCheck[] {
  return collection.checks.flatMap((check) => {
    const state = store.stateOf(check, states);
    return state ? [{ check, state }] : [];
  });
}

/** The states of removed checks, and the checks without a state. */
function differences(collections: readonly Collection[], states: readonly CheckState[]) {
  const keyOfState = (state: CheckState) =>
    JSON.stringify([state.scope, state.thing_id, state.name, state.fingerprint]);
  const checks = collections.flatMap((collection) =>
    collection.checks.map(({ name, fingerprint }) => ({ collection, name, fingerprint })),
  );
  const keyOfCheck = ({ collection: { kind, id }, name, fingerprint }: (typeof checks)[number]) =>
    JSON.stringify([kind, id, name, fingerprint]);
  const defined = new Set(checks.map(keyOfCheck));
  const stored = new Set(states.map(keyOfState));
  return {
    removed: states.filter((state) => !defined.has(keyOfState(state))),
    added: checks.filter((check) => !stored.has(keyOfCheck(check))),
  };
}
