import type { Dataset } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { readDatasets } from '#web/api/record-lists.ts';

/** How many values, and characters, fit into one address. */
const MAX_PER_CALL = { values: 100, characters: 3_000 };

/** Splits values into parts that fit into one address each. */
function* partsOf(values: readonly string[]): Generator<readonly string[], void, void> {
  let part: string[] = [];
  let characters = 0;
  for (const value of values) {
    const more = encodeURIComponent(value).length + 3;
    const isFull =
      part.length === MAX_PER_CALL.values || characters + more > MAX_PER_CALL.characters;
    if (isFull && part.length > 0) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(value);
    characters += more;
  }
  if (part.length > 0) yield part;
}

/**
 * Finds the records that have any of some values in a unique column.
 * @param values none of them null; one request per hundred
 * @returns the records by the values' `equalityKey`
 * @throws {CallError}
 */
export async function findRecordsByValue(
  guid: string,
  column: Pick<Column, 'name' | 'type'>,
  values: readonly Scalar[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Scalar, Dataset>> {
  const found = new Map<Scalar, Dataset>();
  for (const part of partsOf(values.map(String))) {
    const where = [{ field: column.name, op: 'in', value: joinList(part) } as const];
    // One request at a time leaves room for others.
    const { datasets } = await readDatasets(guid, { where }, { limit: part.length }, signal);
    for (const dataset of datasets) {
      found.set(equalityKey(column.type, dataset[column.name] ?? null), dataset);
    }
  }
  return found;
}
