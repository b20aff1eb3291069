import { bodyOf, type IndexDataRequest } from '#web/fields/index-data.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import { type FieldChange, checkChange } from './change.ts';
import type { Method, PlannedRevision } from './plan.ts';
import type { LoadedRevision } from './read-revisions.ts';

/** New values of one revision, based on the given version. */
interface BulkEntry extends IndexDataRequest {
  readonly revisionId: string;
  readonly ifMatch: string;
  readonly indexFields: NonNullable<IndexDataRequest['indexFields']>;
}

/** The body of the single atomic call (docs/interface/rest-interface.md, section 4.2). */
export interface BulkBody {
  readonly revisions: readonly BulkEntry[];
}

/**
 * Builds the request for planned revisions. Each entry refers to the version that was read. A PATCH names the
 * differences (for a revision without any: all chosen fields); a PUT names every index field, unchanged ones exactly as
 * they were read. Keyword fields are named only if they change.
 */
export function bulkBody(
  planned: readonly PlannedRevision[],
  changes: readonly FieldChange[],
  method: Method,
): BulkBody {
  const checked = changes.map(checkChange).filter((change) => change.ok);
  return {
    revisions: planned.map(({ revision, edits }) => {
      const differing = new Set(edits.map(({ field }) => field.path));
      const named = checked.filter(({ field }) => edits.length === 0 || differing.has(field.path));
      // By path: a changed field replaces its value as read.
      const values = new Map<string, { readonly name: string; readonly value: StoredContent }>();
      for (const { name, value } of method === 'PUT' ? revision.indexFields : []) {
        values.set(`indexFields.${name}`, { name, value });
      }
      for (const { field, value } of named) values.set(field.path, { name: field.name, value });
      return bulkEntryOf(revision, [...values.values()]);
    }),
  };
}

/** The request entry that stores values in a revision, based on the version that was read. */
export function bulkEntryOf(
  { revisionId, etag }: LoadedRevision,
  values: Parameters<typeof bodyOf>[0],
): BulkEntry {
  return { revisionId, ifMatch: etag, indexFields: [], ...bodyOf(values) };
}
