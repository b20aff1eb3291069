import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail, Revision } from '#shared/answers.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read, write } from '#web/api/request.ts';
import type { BulkBody } from './bulk-request.ts';
import type { Method, PlannedRevision } from './plan.ts';
import { type Progress, readSelection } from './read-revisions.ts';
import type { BulkSelection } from './selection.ts';

/**
 * The revisions of a selection, read once: what the clerk sees before → after must not move under
 * their hands. Others' changes in between come to light by the versions when it is sent.
 * @param opening tells apart each time the selection is opened
 */
export const selectionQuery = (
  archive: ArchiveDetail,
  selection: BulkSelection,
  opening: number,
  onProgress: (progress: Progress) => void,
) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive.table), 'bulk-edit', opening],
    queryFn: ({ signal }) => readSelection(archive, selection, { signal, onProgress }),
    staleTime: 'static',
    gcTime: 0,
    structuralSharing: false,
  });

interface Sent {
  readonly method: Method;
  readonly body: BulkBody;
  readonly signal?: AbortSignal;
}

interface Correction extends Sent {
  /** the revisions as they were before, with what changes in each */
  readonly planned: readonly PlannedRevision[];
}

export interface Corrected {
  readonly revisions: readonly Revision[];
  /** the versions after the correction, by revisionId */
  readonly etags: Readonly<Record<string, string>>;
  /** the revisions as they were before, with what was changed in each */
  readonly sent: readonly PlannedRevision[];
}

/** The one atomic call. */
export async function sendCorrection(archive: ArchiveDetail, { method, body, signal }: Sent) {
  const { data } = await write(apiPaths.indexDataOfSeveral(archive.table), {
    method,
    body,
    ...(signal ? { signal } : {}),
    parse: async (raw) => (await answers()).revisionsAnswer.parse(raw),
  });
  return { revisions: data.archivedocumentrevisions, etags: data.meta?.etags ?? {} };
}

/** Corrects; afterwards everything read about archives is read again where it is shown. */
export function useCorrection(archive: ArchiveDetail) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ planned, ...sent }: Correction): Promise<Corrected> => ({
      ...(await sendCorrection(archive, sent)),
      sent: planned,
    }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: archiveKeys.all });
    },
  });
}

/** Values in use of a field that hold what was typed, most used first. */
export async function suggestValues(
  archive: ArchiveDetail,
  field: string,
  typed: string,
  signal: AbortSignal,
): Promise<string[]> {
  const query = typed === '' ? '' : `?${new URLSearchParams({ q: typed }).toString()}`;
  const { data } = await read(apiPaths.listOptions(archive.table, field) + query, {
    signal,
    parse: async (raw) => (await answers()).listOptionsAnswer.parse(raw).listoptions,
  });
  return data.flatMap(({ value }) => (value === null ? [] : [String(value)]));
}
