import type { ArchiveDetail, Revision } from '#shared/contract/answers.ts';
import { MAX_LIMIT } from '#shared/rules/limits.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import { nameKey } from '#shared/rules/names.ts';
import { answers } from '#web/api/load-answer-schemas.ts';
import { hasStatus } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { readDocuments, readRevisionIds } from '#web/api/record-lists.ts';
import { read } from '#web/api/request.ts';
import type { ListSelection } from '#web/api/list-selection.ts';

/** The maximum of one atomic call (docs/interface/decisions.md, section 5). */
export const MAX_REVISIONS = 10_000;

/** A revision as loaded for the correction, with its version. */
export interface LoadedRevision extends Revision {
  readonly etag: string;
  readonly changedBy: string;
  /** the user who holds a lock on it; null: not locked */
  readonly lockedBy: string | null;
}

/** The loaded revisions of a selection. */
export interface LoadedSelection {
  /** how many were selected; if more than {@link MAX_REVISIONS}, none is loaded */
  readonly selected: number;
  readonly revisions: readonly LoadedRevision[];
  /** ids of revisions that were not found */
  readonly notFound: readonly string[];
}

export interface ReadProgress {
  readonly done: number;
  readonly total: number;
}

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReadProgress) => void;
}

// How many ids of any length fit into an address; servers and proxies accept about 8 KB.
const IDS_PER_CALL = 200;
// More concurrent calls would delay other requests of the page.
const MAX_CONCURRENT_CALLS = 3;

/**
 * Determines the revisions of a selection and loads them with their versions, in parts.
 * @throws {CallError}
 */
export async function readSelection(
  archive: ArchiveDetail,
  selection: ListSelection,
  options: ReadOptions & { readonly signal: AbortSignal },
): Promise<LoadedSelection> {
  const ids =
    selection.kind === 'ids'
      ? [...new Set(selection.ids)]
      : await readRevisionIds(archive.table, selection.view, options.signal);
  const selected = ids.length;
  if (selected > MAX_REVISIONS) return { selected, revisions: [], notFound: [] };
  const found = await readRevisions(archive, ids, options);
  return {
    selected,
    revisions: ids.flatMap((id) => found.get(id) ?? []),
    notFound: ids.filter((id) => !found.has(id)),
  };
}

/** Loads revisions by id; missing ones are left out. @throws {CallError} */
export async function readRevisions(
  archive: ArchiveDetail,
  ids: readonly string[],
  { signal, onProgress }: ReadOptions = {},
): Promise<Map<string, LoadedRevision>> {
  const found = new Map<string, LoadedRevision>();
  // The filter would refer to an index field of this name.
  const hidden = archive.indexFieldDefinitions.some(
    ({ name }) => nameKey(name) === nameKey('revisionId'),
  );
  const parts = chunks(ids, hidden ? 1 : Math.min(IDS_PER_CALL, MAX_LIMIT));
  let done = 0;
  onProgress?.({ done, total: ids.length });
  const work = async () => {
    for (let part = parts.shift(); part; part = parts.shift()) {
      const revisions = hidden
        ? await readOne(archive, part, signal)
        : await readPart(archive, part, signal);
      for (const revision of revisions) found.set(revision.revisionId, revision);
      done += part.length;
      onProgress?.({ done, total: ids.length });
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, work));
  } catch (error) {
    // Parts that have not started are no longer needed.
    parts.length = 0;
    throw error;
  }
  return found;
}

async function readPart(
  archive: ArchiveDetail,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LoadedRevision[]> {
  const where = [{ field: 'revisionId', op: 'in', value: joinList(ids) }] as const;
  const { archivedocuments, meta } = await readDocuments(
    archive.table,
    { where },
    { limit: ids.length },
    signal,
  );
  return archivedocuments.map((entry) => toRead(entry, meta.etags[entry.revisionId]));
}

async function readOne(
  archive: ArchiveDetail,
  [id = '']: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LoadedRevision[]> {
  try {
    const { data, etag } = await read(apiPaths.revision(archive.table, id), {
      signal,
      parse: async (raw) =>
        (await answers()).revisionDetailAnswer.parse(raw).archivedocumentrevisions,
    });
    return data.map((revision) => toRead(revision, etag ?? undefined));
  } catch (error) {
    if (hasStatus(error, 404)) return [];
    throw error;
  }
}

type Entry = Omit<LoadedRevision, 'etag' | 'lockedBy'> & {
  readonly locked: { readonly by: string } | null;
};

function toRead(entry: Entry, etag: string | undefined): LoadedRevision {
  // Without a version the correction could overwrite changes by others.
  if (etag === undefined) throw new Error(`The answer holds no version of ${entry.revisionId}.`);
  const { revisionId, indexFields, keywordFields, changedBy, locked } = entry;
  return {
    revisionId,
    indexFields,
    keywordFields,
    changedBy,
    lockedBy: locked?.by ?? null,
    etag,
  };
}

function chunks<T>(items: readonly T[], size: number): (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
