import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import * as texts from '#messages/duplicates.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeData, writeOnly } from '#web/api/request.ts';
import type { Merged } from '#shared/contract/merge-answers.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { type CallError, summary } from '#web/api/failure.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import type { MergeRequest } from './use-merge.ts';

/** Records of a group that are not duplicates of each other. */
interface NotDuplicates {
  readonly reason: string;
  /** each with the compared version, and the ids of those that it differs from */
  readonly records: readonly {
    readonly id: string;
    readonly etag: string | null;
    readonly others: readonly string[];
  }[];
}

/**
 * Stores why records are not duplicates of each other; they are not found together again while their fields stay
 * unchanged.
 */
export function useNotDuplicates(collection: CollectionRef, check: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ reason, records }: NotDuplicates) => {
      for (const { id, etag, others } of records) {
        // Each makes a new version of its record.
        await writeOnly(apiPaths.checkException(collection, id, check), {
          method: 'PUT',
          ifMatch: etag,
          body: { reason, with: others },
        });
      }
      return records.reduce((sum, { others }) => sum + others.length, 0);
    },
    onSuccess: (pairs) => notify(texts.notDuplicateSaved(pairs)),
    onSettled: () => invalidateList(client, collection),
  });
}

function invalidateList(client: QueryClient, collection: CollectionRef): void {
  void client.invalidateQueries({ queryKey: collectionKey(collection) });
}

type MergeUndo = Merged['meta']['undo'];

/**
 * Merges records of a table into one, all or nothing.
 * @param onMerged called even if the component is unmounted: live changes may report the deletions first
 */
export function useMergeRecords(guid: string, onMerged: (undo: MergeUndo) => void) {
  const client = useQueryClient();
  return useMutation<MergeUndo, CallError, MergeRequest>({
    mutationFn: (body) =>
      writeData(apiPaths.merges(guid), {
        method: 'POST',
        body,
        parse: async (raw) => (await taskAnswers()).mergedAnswer.parse(raw).meta.undo,
      }),
    onSuccess: (undo) => {
      onMerged(undo);
      for (const collection of undo) invalidateList(client, collection);
    },
    onError: () => invalidateList(client, { kind: 'table', id: guid }),
  });
}

/** Undoes a merge, all or nothing. */
export function useUndoMerge(guid: string) {
  const client = useQueryClient();
  return useMutation<void, CallError, MergeUndo>({
    mutationFn: (undo) =>
      writeOnly(apiPaths.merges(guid, 'undo'), { method: 'POST', body: { undo } }),
    onSuccess: (_nothing, undo) => {
      for (const collection of undo) invalidateList(client, collection);
      notify(texts.mergeUndone);
    },
    onError: ({ failure }) => notifyFailure(texts.mergeNotUndone(summary(failure))),
  });
}
