import { useQueries } from '@tanstack/react-query';
import { revisionQuery } from '#web/api/revisions.queries.ts';
import { storedIn } from '#web/fields/index-data.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import type { ComparedCollection, ComparedRecordQuery } from './compare.ts';
import { comparedDatasetQuery } from './duplicates.queries.ts';

/** Reads the records of a group with their versions. */
export function useComparedRecords(
  { collection, fields }: ComparedCollection,
  ids: readonly string[],
): readonly ComparedRecordQuery[] {
  const revisions = useQueries({
    queries: (collection.kind === 'archive' ? ids : []).map((id) => ({
      ...revisionQuery(collection.id, id),
      staleTime: 0,
    })),
  });
  const datasets = useQueries({
    queries: (collection.kind === 'table' ? ids : []).map((id) =>
      comparedDatasetQuery(collection.id, id),
    ),
  });
  return ids.map((id, at): ComparedRecordQuery => {
    const read = revisions[at]?.data;
    const dataset = datasets[at]?.data;
    // The definition has been read again before the record, whose values a merge would take for empty.
    const isOutdated = dataset && !fields.every(({ name }) => Object.hasOwn(dataset.dataset, name));
    const error = revisions[at]?.error ?? datasets[at]?.error ?? null;
    if (error) return { id, record: null, error };
    const valueOf = (field: ComparedCollection['fields'][number]): StoredContent =>
      read ? storedIn(read.revision, field) : (dataset?.dataset[field.name] ?? null);
    if ((!read && !dataset) || isOutdated) return { id, record: null, error: null };
    const values = new Map(fields.map((field) => [field.path, valueOf(field)]));
    const etag = read?.etag ?? dataset?.etag ?? null;
    return { id, record: { id, etag, values, revision: read?.revision ?? null }, error: null };
  });
}
