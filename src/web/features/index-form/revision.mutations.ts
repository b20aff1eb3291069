import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type CallError, hasStatus } from '#web/api/failure.ts';
import { expectOwnEvents } from '#web/api/live/own-writes.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { type ApiAnswer, write } from '#web/api/request.ts';
import {
  parseRevision,
  parseWrittenRevision,
  refetchRevision,
  type VersionedRevision,
  revisionQuery,
  setRevision,
} from '#web/api/revisions.queries.ts';
import type { IndexDataRequest } from '#web/fields/index-data.ts';
import type { ExceptionChange } from '#web/findings/finding.ts';
import type { SaveMethod } from './request-body.ts';

/** A request that replaces values of the version `base`. */
export interface SaveRequest {
  readonly base: VersionedRevision;
  readonly method: SaveMethod;
  readonly body: IndexDataRequest;
}

interface SaveVariables {
  readonly request: SaveRequest;
  /**
   * The request based on a newer version, after someone else has changed the revision; null: nothing is left to send.
   * @throws {ConflictError} if the user must decide
   */
  readonly rebase: (newest: VersionedRevision) => SaveRequest | null;
}

/** The result of a save. */
export interface Saved {
  /** the request that succeeded; null: nothing was left to send */
  readonly request: SaveRequest | null;
  readonly now: VersionedRevision;
}

/** Someone else has changed the same fields: the save waits for the user's choice. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly theirs: VersionedRevision;
  constructor(theirs: VersionedRevision) {
    super('edit-conflict');
    this.theirs = theirs;
  }
}

/** How often a save is retried after someone else has just stored another version. */
const MAX_REBASES = 5;

/** Writes of one revision run one after the other. */
const writesOf = (archive: string, revisionId: string) => ({
  mutationKey: archiveKeys.revision(archive, revisionId),
  scope: { id: `revision:${archive}:${revisionId}` },
});

/**
 * Stores index data of a revision. The form shows typed text before it is stored, and its draft is the rollback, so the
 * cache is not updated optimistically: it contains the version that the edits are compared with.
 */
export const saveRevision = (archive: string, revisionId: string) =>
  mutationOptions<Saved, CallError | ConflictError, SaveVariables>({
    ...writesOf(archive, revisionId),
    mutationFn: async ({ request, rebase }, { client }) => {
      let next = request;
      for (let rebases = 0; ; rebases++) {
        try {
          const { base, ...sent } = next;
          const now = await writeOver(archive, base, apiPaths.indexData(archive, revisionId), sent);
          return { request: next, now };
        } catch (error) {
          if (!hasStatus(error, 412)) throw error;
          const newest = await readAnew(client, archive, revisionId).catch(() => null);
          if (!newest) throw error;
          if (rebases === MAX_REBASES) throw new ConflictError(newest);
          const rebased = rebase(newest);
          if (!rebased) return { request: null, now: newest };
          next = rebased;
        }
      }
    },
    onSuccess: ({ now }, _variables, _result, { client }) => showWritten(client, archive, now),
    onError: (error, _variables, _result, { client }) => {
      // The revision was locked since it was loaded: the page must show by whom.
      if (hasStatus(error, 423)) refetchIfShown(client, archive, revisionId);
    },
  });

interface LockVariables {
  readonly locked: RevisionDetail['locked'];
  readonly ifMatch: string | null;
}

/**
 * Locks a revision for its user, or unlocks it (null). An optimistic update shows the lock at once; it is rolled back
 * on failure.
 */
export const lockRevision = (archive: string, revisionId: string) =>
  mutationOptions<VersionedRevision, CallError, LockVariables, VersionedRevision | undefined>({
    ...writesOf(archive, revisionId),
    mutationFn: async ({ locked, ifMatch }) => {
      const { data, etag } = await trackOwnVersion(archive, revisionId, () =>
        write(apiPaths.revision(archive, revisionId), {
          method: 'PATCH',
          body: { locked: locked !== null },
          ifMatch,
          parse: parseRevision,
        }),
      );
      return { ...data, etag };
    },
    onMutate: async ({ locked }, { client }) => {
      const before = client.getQueryData(revisionQuery(archive, revisionId).queryKey);
      if (before) {
        const revision = { ...before.revision, locked };
        await replaceRevision(client, archive, { ...before, revision });
      }
      return before;
    },
    onSuccess: (now, _variables, _result, { client }) => replaceRevision(client, archive, now),
    onError: (_error, _variables, before, { client }) => {
      if (before) setRevision(client, archive, before);
      refetchIfShown(client, archive, revisionId);
    },
  });

/**
 * Makes an exception that a revision is right although it fails a check, or ends it. The form continues with the new
 * version: no value changes.
 * @param baseOf the version that is being edited
 */
export const setRevisionException = (
  archive: string,
  revisionId: string,
  baseOf: () => VersionedRevision,
) =>
  mutationOptions<VersionedRevision, CallError, ExceptionChange>({
    ...writesOf(archive, revisionId),
    mutationFn: ({ check, exception }) =>
      writeOver(
        archive,
        baseOf(),
        apiPaths.checkException({ kind: 'archive', id: archive }, revisionId, check),
        exception ? { method: 'PUT', body: exception } : { method: 'DELETE' },
      ),
    onSuccess: (now, _variables, _result, { client }) => showWritten(client, archive, now),
    onError: (error, _variables, _result, { client }) => {
      // The revision was changed or locked since it was loaded: the page must show that.
      if (hasStatus(error, 412, 423)) refetchIfShown(client, archive, revisionId);
    },
  });

/** Versions made by this tab, whose events contain nothing new. */
const ownVersions = new Set<string>();
const versionKey = (archive: string, revisionId: string, etag: string | null) =>
  JSON.stringify([archive, revisionId, etag]);

/** Whether this tab itself has made a version of a revision. */
export function isOwnVersion(archive: string, revisionId: string, etag: string | null): boolean {
  return ownVersions.has(versionKey(archive, revisionId, etag));
}

async function trackOwnVersion<T>(
  archive: string,
  revisionId: string,
  work: () => Promise<ApiAnswer<T>>,
): Promise<ApiAnswer<T>> {
  const answer = await expectOwnEvents({ kind: 'archive', id: archive }, [revisionId], work);
  ownVersions.add(versionKey(archive, revisionId, answer.etag));
  return answer;
}

/** Sends a request based on a version, which is answered with the values stored then. @returns the new version */
async function writeOver(
  archive: string,
  { revision, etag: ifMatch }: VersionedRevision,
  path: string,
  request: { readonly method: SaveMethod | 'DELETE'; readonly body?: unknown },
): Promise<VersionedRevision> {
  const { data, etag } = await trackOwnVersion(archive, revision.revisionId, () =>
    write(path, { ...request, ifMatch, parse: parseWrittenRevision }),
  );
  const { values, ...checked } = data;
  return { revision: { ...revision, ...values }, etag, ...checked };
}

/** Ends the reads in progress as well: their answers may contain an earlier version. */
async function replaceRevision(
  client: QueryClient,
  archive: string,
  now: VersionedRevision,
): Promise<void> {
  await client.cancelQueries({ queryKey: archiveKeys.revision(archive, now.revision.revisionId) });
  setRevision(client, archive, now);
}

async function readAnew(
  client: QueryClient,
  archive: string,
  revisionId: string,
): Promise<VersionedRevision> {
  await client.cancelQueries({ queryKey: archiveKeys.revision(archive, revisionId) });
  return refetchRevision(client, archive, revisionId);
}

/** Shows what a write has stored. Its answer does not contain author and time; the next read does. */
async function showWritten(
  client: QueryClient,
  archive: string,
  now: VersionedRevision,
): Promise<void> {
  await replaceRevision(client, archive, now);
  refetchIfShown(client, archive, now.revision.revisionId);
}

/** Refetches a visible revision; an invisible one is read when it is next shown. */
function refetchIfShown(client: QueryClient, archive: string, revisionId: string): void {
  const queryKey = archiveKeys.revision(archive, revisionId);
  if (client.getQueryCache().find({ queryKey, type: 'active' })) {
    // If this fails, it is read when it is next shown.
    void readAnew(client, archive, revisionId).catch(() => undefined);
  } else void client.invalidateQueries({ queryKey, refetchType: 'none' });
}
