import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { AnsweredBulkEdit, Outcome } from '#shared/bulk-edit-messages.ts';
import type { BulkEdit } from '#shared/bulk-edits.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths } from '#web/api/paths.ts';
import { nothing, read, write } from '#web/api/request.ts';
import type { SelectedRevisions } from './selection.ts';

interface BulkEditRequest {
  /** these revisions, or all that match a list's query text */
  readonly selection: SelectedRevisions;
  readonly edits: readonly BulkEdit[];
}

async function one(raw: unknown): Promise<AnsweredBulkEdit> {
  const [found] = (await answers()).bulkEditsAnswer.parse(raw).bulkedits;
  if (!found) throw new Error('The answer holds no bulk edit.');
  return found;
}

const keys = {
  all: (archive: string) => [...archiveKeys.one(archive), 'bulk-edits'] as const,
  one: (archive: string, id: string) => [...keys.all(archive), id] as const,
};

/** Milliseconds between looks at a job under way. */
const LOOK_EVERY = 400;
const ROWS_A_PAGE = 200;

/** Whether something is being done that the clerk waits to see the end of. */
export function isUnderWay({ state }: AnsweredBulkEdit): boolean {
  return state === 'applying' || state === 'undoing';
}

/** A bulk edit as it stands; looked at again and again while it is under way. */
export const bulkEditQuery = (archive: string, id: string) =>
  queryOptions({
    queryKey: [...keys.one(archive, id), 'state'],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.bulkEdit(archive, id), { signal, parse: one });
      return data;
    },
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_EVERY : false),
  });

/** The user's bulk edits of an archive, newest first. */
export const bulkEditsQuery = (archive: string) =>
  queryOptions({
    queryKey: [...keys.all(archive), 'list'],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.bulkEdits(archive), {
        signal,
        parse: async (raw) => (await answers()).bulkEditsAnswer.parse(raw).bulkedits,
      });
      return data;
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_EVERY * 5 : false),
  });

/**
 * The revisions of a bulk edit that have an outcome, page by page.
 * @param moment what tells apart the states in which they are looked at
 */
export const outcomeQuery = (archive: string, id: string, outcome: Outcome, moment: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.one(archive, id), 'revisions', outcome, moment],
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ outcome, limit: String(ROWS_A_PAGE) });
      if (pageParam !== '') query.set('after', pageParam);
      const { data } = await read(`${apiPaths.bulkEditRevisions(archive, id)}?${query}`, {
        signal,
        parse: async (raw) => (await answers()).bulkEditRevisionsAnswer.parse(raw),
      });
      return data;
    },
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
    staleTime: 'static',
  });

/** Plans a bulk edit: nothing is changed yet. */
export function usePlan(archive: string) {
  const keep = useKeep(archive);
  return useMutation({
    mutationFn: async (body: BulkEditRequest) => {
      const { data } = await write(apiPaths.bulkEdits(archive), {
        method: 'POST',
        body,
        parse: one,
      });
      return data;
    },
    onSuccess: keep,
  });
}

/** What can be done with a bulk edit. */
export type BulkStep =
  | { readonly to: 'apply'; readonly onChanged: 'leaveOut' | 'refuse' }
  | { readonly to: 'pause' | 'resume' | 'undo' | 'again' };

/** Takes a step; `again` answers another bulk edit, the others the same one. */
export function useBulkStep(archive: string, id: string) {
  const keep = useKeep(archive);
  return useMutation({
    mutationFn: async ({ to, ...body }: BulkStep) => {
      const { data } = await write(apiPaths.bulkEditStep(archive, id, to), {
        method: 'POST',
        ...(to === 'apply' ? { body } : {}),
        parse: one,
      });
      return data;
    },
    onSuccess: keep,
  });
}

/** Throws away a plan, or the record of what has ended. */
export function useDiscard(archive: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      await write(apiPaths.bulkEdit(archive, id), { method: 'DELETE', parse: nothing });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [...keys.all(archive), 'list'] }),
  });
}

function useKeep(archive: string) {
  const client = useQueryClient();
  return (bulkEdit: AnsweredBulkEdit) => {
    client.setQueryData(bulkEditQuery(archive, bulkEdit.bulkEditId).queryKey, bulkEdit);
    void client.invalidateQueries({ queryKey: [...keys.all(archive), 'list'] });
  };
}
