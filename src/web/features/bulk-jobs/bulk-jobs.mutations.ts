import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { parseBulkEdit } from '#web/api/bulk-edits.ts';
import { writeData, writeOnly } from '#web/api/request.ts';
import { bulkEditQuery, bulkKeys } from './bulk-jobs.queries.ts';
import type { SelectionBody } from '#web/api/list-selection.ts';

interface BulkEditRequest {
  /** these revisions, or all matches of a list's query */
  readonly selection: SelectionBody;
  readonly edits: readonly BulkEdit[];
}

/** Plans a bulk edit. Nothing is changed yet. */
export function usePlan(collection: CollectionRef) {
  const cache = useCacheBulkEdit(collection);
  return useMutation({
    mutationFn: (body: BulkEditRequest) =>
      writeData(apiPaths.bulkEdits(collection), {
        method: 'POST',
        body,
        parse: parseBulkEdit,
      }),
    onSuccess: cache,
  });
}

/** The actions on the bulk edit of this id. */
type BulkStep = { readonly id: string } & (
  | { readonly to: 'apply'; readonly onChanged: 'leaveOut' | 'refuse' }
  | { readonly to: 'pause' | 'resume' | 'undo' | 'again' }
);

/** Runs an action, which the service continues. `again` returns another bulk edit, the others return the same one. */
export function useBulkStep(collection: CollectionRef) {
  const client = useQueryClient();
  const cache = useCacheBulkEdit(collection);
  return useMutation({
    mutationFn: ({ id, to, ...body }: BulkStep) =>
      writeData(apiPaths.bulkEditStep(collection, id, to), {
        method: 'POST',
        ...(to === 'apply' ? { body } : {}),
        parse: parseBulkEdit,
      }),
    onSuccess: (bulkEdit, { id }) => {
      // Pages that are not displayed are removed: they were read in a state that the job may reach again, with other
      // records.
      for (const part of ['records', 'total']) {
        client.removeQueries({
          queryKey: [...bulkKeys.one(collection, id), part],
          type: 'inactive',
        });
      }
      cache(bulkEdit);
    },
  });
}

/** Deletes a plan, or the record of a finished bulk edit. */
export function useDiscard(collection: CollectionRef) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => writeOnly(apiPaths.bulkEdit(collection, id), { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: [...bulkKeys.all(collection), 'list'] }),
  });
}

function useCacheBulkEdit(collection: CollectionRef) {
  const client = useQueryClient();
  return (bulkEdit: AnsweredBulkEdit) => {
    client.setQueryData(bulkEditQuery(collection, bulkEdit.bulkEditId).queryKey, bulkEdit);
    void client.invalidateQueries({ queryKey: [...bulkKeys.all(collection), 'list'] });
  };
}
