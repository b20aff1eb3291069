import type { Scalar } from '#shared/values/values.ts';
import { type Change, type CheckedChange, checkChange } from './change.ts';
import type { Method, PlannedRevision } from './plan.ts';
import type { RevisionRead } from './revision-read.ts';

interface IndexFieldEntry {
  readonly name: string;
  readonly value: Scalar;
}

/** One keyword of a revision, or that it has none. */
export type KeywordEntry =
  | { readonly name: string; readonly value: string }
  /** empties the keyword field */
  | { readonly name: string; readonly keywords: '' };

/** What becomes of one revision, over the version that is named. */
export interface BulkEntry {
  readonly revisionId: string;
  readonly ifMatch: string;
  readonly indexFields: readonly IndexFieldEntry[];
  readonly keywordFields?: readonly KeywordEntry[];
}

/** The body of the one atomic call (docs/interface/rest-interface.md, section 4.2). */
export interface BulkBody {
  readonly revisions: readonly BulkEntry[];
}

/**
 * Writes the request for planned revisions. Each entry is for the version that was read. A PATCH
 * names what differs (for a revision where nothing does: all that was chosen); a PUT names every
 * index field, the others exactly as they were read. Keyword fields are named where they change.
 */
export function bulkBody(
  planned: readonly PlannedRevision[],
  changes: readonly Change[],
  method: Method,
): BulkBody {
  const checked = changes.map(checkChange);
  return {
    revisions: planned.map(({ revision, edits }) => {
      const differing = new Set(edits.map(({ kind, name }) => `${kind} ${name}`));
      const named = checked.filter(
        (change) =>
          change.ok && (edits.length === 0 || differing.has(`${change.kind} ${change.name}`)),
      );
      const keywordFields = named.flatMap(keywordEntries);
      return {
        revisionId: revision.revisionId,
        ifMatch: revision.etag,
        indexFields: method === 'PUT' ? fullSet(revision, checked) : named.flatMap(fieldEntries),
        ...(keywordFields.length > 0 ? { keywordFields } : {}),
      };
    }),
  };
}

function fieldEntries(change: CheckedChange): IndexFieldEntry[] {
  return change.ok && change.kind === 'field' ? [{ name: change.name, value: change.value }] : [];
}

function keywordEntries(change: CheckedChange): KeywordEntry[] {
  if (!change.ok || change.kind !== 'keywords') return [];
  const { name, keywords } = change;
  return keywords.length === 0
    ? [{ name, keywords: '' }]
    : keywords.map((value) => ({ name, value }));
}

function fullSet(revision: RevisionRead, checked: readonly CheckedChange[]): IndexFieldEntry[] {
  const changed = new Map(
    checked.flatMap(fieldEntries).map(({ name, value }) => [name, value] as const),
  );
  return revision.indexFields.map(({ name, value }) => ({
    name,
    value: changed.get(name) ?? (changed.has(name) ? null : value),
  }));
}
