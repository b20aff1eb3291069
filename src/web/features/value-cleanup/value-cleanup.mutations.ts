import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ListFilter, listQuery } from '#web/api/list-view.ts';
import { parseBulkEdit } from '#web/api/bulk-edits.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeData, writeOnly } from '#web/api/request.ts';
import type { Replacement } from './cluster-choices.ts';
import { aliasesQuery } from './value-cleanup.queries.ts';

interface Correction {
  readonly replacements: readonly Replacement[];
  /** whether imports and pastes correct these values from now on */
  readonly remember: boolean;
}

/** Plans the correction of values in the records of a list. Nothing is changed yet. */
export function usePlanReplacements(
  collection: CollectionRef,
  field: string,
  { where = [], q = '' }: ListFilter,
) {
  return useMutation({
    mutationFn: async (correction: Correction) => {
      const filter = listQuery({ where, q });
      return writeData(apiPaths.valueReplacements(collection, field), {
        method: 'POST',
        body: { filter, ...correction },
        parse: parseBulkEdit,
      });
    },
  });
}

/** Deletes an alias, so that imports and pastes no longer correct the value. */
export function useForgetAlias(collection: CollectionRef, field: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (aliasId: string) => {
      const path = apiPaths.valueAlias(collection, field, aliasId);
      await writeOnly(path, { method: 'DELETE' });
    },
    onSettled: () =>
      client.invalidateQueries({ queryKey: aliasesQuery(collection, field).queryKey }),
  });
}
