import { queryOptions } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ReadProgress, readSelection } from './read-revisions.ts';
import { fieldsKey } from '#web/fields/index-data.ts';
import type { ListSelection } from '#web/api/list-selection.ts';

/**
 * The revisions of a selection, loaded once, so that the preview does not change while the user looks at it. Changes by
 * others are detected by their versions when the correction is sent, but those of a definition change no version: the
 * revisions are loaded again.
 * @param opening a different number each time the selection is opened
 */
export const selectionQuery = (
  archive: ArchiveDetail,
  selection: ListSelection,
  opening: number,
  onProgress: (progress: ReadProgress) => void,
) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive.table), 'bulk-edit', opening, fieldsKey(archive)],
    queryFn: ({ signal }) => readSelection(archive, selection, { signal, onProgress }),
    staleTime: 'static',
    gcTime: 0,
    structuralSharing: false,
  });
