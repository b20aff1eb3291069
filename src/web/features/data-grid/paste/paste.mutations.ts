import { useMutation } from '@tanstack/react-query';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Notation } from '#shared/values/readings.ts';
import { parseBulkEdit } from '#web/api/bulk-edits.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { newIdempotencyKey, writeData } from '#web/api/request.ts';

/** The request body of a paste; its rows are those of the clipboard. */
interface PasteRequest {
  readonly columns: readonly (Notation & { readonly field: string })[];
  readonly datasets: readonly PastedRow[];
}

/** Without a `jrid` it creates a record; if then all its cells are empty, it has no effect. */
export interface PastedRow {
  readonly jrid?: string;
  /** the version that the grid has read */
  readonly ifMatch?: string | null;
  /** values, and texts that could not be parsed */
  readonly cells: readonly Scalar[];
}

/** Plans a paste: a bulk edit with a preview before it changes anything. */
export function usePastePlan(guid: string) {
  return useMutation({
    mutationFn: (body: PasteRequest) =>
      writeData(apiPaths.pastes(guid), {
        method: 'POST',
        body,
        idempotencyKey: newIdempotencyKey(),
        parse: async (raw) => (await parseBulkEdit(raw)).bulkEditId,
      }),
  });
}
