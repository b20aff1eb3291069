import { queryOptions } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read, write } from '#web/api/request.ts';
import type { BulkBody } from './bulk-request.ts';
import type { Method } from './plan.ts';
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

/** A correction as it is sent. */
export interface Sent {
  readonly method: Method;
  readonly body: BulkBody;
  readonly signal?: AbortSignal;
  /** the bulk edit that it undoes; not given: it is kept as a bulk edit itself */
  readonly takesBack?: string | null;
}

/** The address of the one atomic call. */
export function correctionPath(archive: ArchiveDetail, takesBack: string | null = null): string {
  const query = takesBack === null ? 'receipt=true' : `takesBack=${takesBack}`;
  return `${apiPaths.indexDataOfSeveral(archive.table)}?${query}`;
}

/** The one atomic call. */
export async function sendCorrection(
  archive: ArchiveDetail,
  { method, body, signal, takesBack }: Sent,
) {
  const { data } = await write(correctionPath(archive, takesBack), {
    method,
    body,
    ...(signal ? { signal } : {}),
    parse: async (raw) => (await answers()).revisionsAnswer.parse(raw),
  });
  const { etags = {}, bulkEditId = null } = data.meta ?? {};
  return { revisions: data.archivedocumentrevisions, etags, bulkEditId };
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
