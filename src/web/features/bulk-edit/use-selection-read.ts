import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { type ListSelection, selectionSize } from '#web/api/list-selection.ts';
import { fitsDefinition } from '#web/fields/index-data.ts';
import type { CorrectionResult } from './bulk-edit.mutations.ts';
import { selectionQuery } from './bulk-edit.queries.ts';
import {
  type LoadedRevision,
  MAX_REVISIONS,
  type ReadProgress,
  type LoadedSelection,
} from './read-revisions.ts';

let openings = 0;

/** Reads the revisions of a selection: the one at the time of opening, however the list behind it changes. */
export function useSelectionRead(archive: ArchiveDetail, current: ListSelection) {
  const client = useQueryClient();
  const [{ selection, opening }] = useState(() => ({ selection: current, opening: ++openings }));
  const [progress, setProgress] = useState<ReadProgress | null>(null);
  const query = selectionQuery(archive, selection, opening, setProgress);
  const reading = useQuery({ ...query, enabled: selectionSize(selection) <= MAX_REVISIONS });
  // With the values of another definition, renamed fields would be empty, and an undo would store them so.
  const found = useMemo(
    () =>
      reading.data &&
      reading.data.selected <= MAX_REVISIONS &&
      reading.data.revisions.every((revision) => fitsDefinition(revision, archive))
        ? reading.data
        : null,
    [reading.data, archive],
  );
  return {
    reading,
    progress,
    /** how many are selected, as far as it is known */
    selected: reading.data?.selected ?? selectionSize(selection),
    /** null: not read yet, too many, or read by another definition */
    found,
    /** The revisions were read again or corrected. */
    changeFound: (change: (before: LoadedSelection) => LoadedSelection) => {
      client.setQueryData(query.queryKey, (before) => before && change(before));
    },
  };
}

/** @param again those that were found of the requested ids */
export function withReloaded(
  before: LoadedSelection,
  reloaded: ReadonlyMap<string, LoadedRevision>,
  ids: readonly string[],
): LoadedSelection {
  const requestedIds = new Set(ids);
  const isGone = (id: string) => requestedIds.has(id) && !reloaded.has(id);
  return {
    ...before,
    revisions: before.revisions
      .filter(({ revisionId }) => !isGone(revisionId))
      .map((revision) => reloaded.get(revision.revisionId) ?? revision),
    notFound: [...before.notFound, ...before.revisions.map((r) => r.revisionId).filter(isGone)],
  };
}

interface DefinitionContext {
  readonly archive: ArchiveDetail;
  readonly username: string;
}

/** The revisions in their corrected state, unless they have been read by a newer definition. */
export function withCorrected(
  before: LoadedSelection,
  { revisions, etags }: CorrectionResult,
  { archive, username }: DefinitionContext,
): LoadedSelection {
  const answered = new Map(revisions.map((revision) => [revision.revisionId, revision]));
  return {
    ...before,
    revisions: before.revisions.map((revision) => {
      const now = answered.get(revision.revisionId);
      const etag = etags[revision.revisionId];
      return now && etag !== undefined && fitsDefinition(now, archive)
        ? { ...revision, ...now, etag, changedBy: username }
        : revision;
    }),
  };
}
