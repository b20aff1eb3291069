import { queryOptions } from '@tanstack/react-query';
import { nameKey } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import type { ListFilter } from '#web/api/list-view.ts';
import { readDatasets, readIndex } from '#web/api/record-lists.ts';
import { shownValue } from '../fields/value-text.ts';

/** How many of the first fields identify a record for people. */
const LEADING = 3;

/**
 * The current values of the records' first fields, by revisionId or jrid: people recognize records by values, not by
 * numbers.
 * @param ids of one page, at most 1,000
 * @param stateKey part of the key that distinguishes states of the records
 */
export const leadingValuesQuery = (target: BulkTarget, ids: readonly string[], stateKey: string) =>
  queryOptions({
    queryKey: [...collectionKey(target.collection), 'leading', stateKey, ids],
    enabled: ids.length > 0 && idOf(target) !== null,
    queryFn: async ({ signal }) => {
      const field = idOf(target);
      const where = field === null ? [] : [{ field, op: 'in', value: ids.join(',') } as const];
      const entries = await readEntries(target, { where }, ids.length, signal);
      return new Map(entries.map(({ id, valueOf }) => [id, inWords(target, valueOf)]));
    },
    staleTime: 60_000,
  });

/** The list's name for the id of a record; null: a field of that name hides it. */
function idOf({ collection, fields }: BulkTarget): string | null {
  const id = collection.kind === 'archive' ? 'revisionId' : 'jrid';
  return fields.some(({ name }) => nameKey(name) === nameKey(id)) ? null : id;
}

function inWords({ fields }: BulkTarget, valueOf: (name: string) => Scalar): string {
  return fields
    .slice(0, LEADING)
    .map((field) => shownValue(field, valueOf(field.name)))
    .filter((text) => text !== '')
    .join(' · ');
}

interface Entry {
  readonly id: string;
  readonly valueOf: (name: string) => Scalar;
}

async function readEntries(
  { collection }: BulkTarget,
  filter: ListFilter,
  limit: number,
  signal: AbortSignal,
): Promise<Entry[]> {
  if (collection.kind === 'table') {
    const { datasets } = await readDatasets(collection.id, filter, { limit }, signal);
    return datasets.map((dataset) => ({
      id: dataset.jrid,
      valueOf: (name) => dataset[name] ?? null,
    }));
  }
  const { archivedocuments } = await readIndex(collection.id, filter, { limit }, signal);
  return archivedocuments.map(({ revisionId, indexFields }) => ({
    id: revisionId,
    valueOf: (name) => indexFields.find((field) => field.name === name)?.value ?? null,
  }));
}
