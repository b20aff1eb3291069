import type { Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { ValueReference } from '#server/http/stored-body-encoding.ts';
import { isScalar, type Scalar } from '#shared/values/value-type.ts';
import type { Change } from './changes.ts';
import { readEntriesAfterVersion } from './history.store.ts';

/**
 * Reads values in given versions of their records: from the record if it still has that version, else from the change
 * that replaced the value.
 * @returns in the order of the references; undefined if a field is no longer known
 */
export async function readValuesAt(
  db: Transaction,
  collection: Collection,
  references: readonly ValueReference[],
): Promise<(Scalar | undefined)[]> {
  // Before the history: a change committed in between is then found there.
  const records = await readRecords(db, collection, [...new Set(references.map(({ id }) => id))]);
  const indexes = new Map(collection.fields.map(({ name }, index) => [name, index]));
  const replaced = new Map<string, Scalar>();
  const keyOf = ({ id, version, name }: ValueReference) => `${id} ${version} ${name}`;
  const outdated = references.filter(({ id, version }) => records.get(id)?.version !== version);
  const groups = Map.groupBy(outdated, ({ id, version }) => `${id} ${version}`);
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const wanted = new Set(group.map(({ name }) => name));
    for await (const { name, before } of changesAfter(db, collection, first.id, first.version)) {
      if (!wanted.delete(name) || !isScalar(before)) continue;
      replaced.set(keyOf({ ...first, name }), before);
      if (wanted.size === 0) break;
    }
  }
  return references.map((reference) => {
    const before = replaced.get(keyOf(reference));
    if (before !== undefined) return before;
    const index = indexes.get(reference.name);
    return index === undefined ? undefined : records.get(reference.id)?.values[index];
  });
}

async function* changesAfter(
  db: Transaction,
  collection: Collection,
  rowId: number,
  version: number,
): AsyncGenerator<Change> {
  for (let last = 0; ;) {
    const entries = await readEntriesAfterVersion(db, collection, rowId, version, last);
    for (const entry of entries) yield* entry.changes;
    const next = entries.at(-1);
    if (!next) return;
    last = next.id;
  }
}
