import { queryOptions } from '@tanstack/react-query';
import { findByName } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { collectionKey } from '#web/api/collection-key.ts';
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
export const leadingValuesQuery = (
  target: BulkTarget,
  ids: readonly string[],
  stateKey: string,
) => {
  const { collection, fields } = target;
  const id = collection.kind === 'archive' ? 'revisionId' : 'jrid';
  return queryOptions({
    queryKey: [...collectionKey(collection), 'leading', stateKey, ids],
    // A field of that name hides the id of the records.
    enabled: ids.length > 0 && !findByName(fields, id),
    queryFn: async ({ signal }) => {
      const where = [{ field: id, op: 'in', value: ids.join(',') } as const];
      const page = { limit: ids.length };
      if (collection.kind === 'table') {
        const { datasets } = await readDatasets(collection.id, { where }, page, signal);
        return new Map(
          datasets.map((dataset) => [dataset.jrid, inWords(target, (name) => dataset[name])]),
        );
      }
      const { archivedocuments } = await readIndex(collection.id, { where }, page, signal);
      return new Map(
        archivedocuments.map(({ revisionId, indexFields }) => [
          revisionId,
          inWords(target, (name) => indexFields.find((field) => field.name === name)?.value),
        ]),
      );
    },
    staleTime: 60_000,
  });
};

function inWords({ fields }: BulkTarget, valueOf: (name: string) => Scalar | undefined): string {
  return fields
    .slice(0, LEADING)
    .map((field) => shownValue(field, valueOf(field.name) ?? null))
    .filter((text) => text !== '')
    .join(' · ');
}
