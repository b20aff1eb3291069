import { useMutation, useQueryClient } from '@tanstack/react-query';
import { administrationAnswers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import type { CallError } from '#web/api/failure.ts';
import { type FileFormat, usePlanImport } from '#web/api/file-imports.ts';
import { writeData } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';

/** The definition of a new archive or table, as in the request body. */
export type NewDefinition = { readonly archive: object } | { readonly table: object };

/** Creates an archive or table. @returns its reference */
export function useCreateFromFile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewDefinition): Promise<CollectionRef> => {
      const kind = 'archive' in body ? 'archive' : 'table';
      return writeData(apiPaths.definitions(kind), {
        method: 'POST',
        body,
        parse: async (raw): Promise<CollectionRef> => {
          const answers = await administrationAnswers();
          return kind === 'archive'
            ? { kind, id: onlyItem(answers.definedArchivesAnswer.parse(raw).archives).table }
            : { kind, id: onlyItem(answers.definedTablesAnswer.parse(raw).tables).guid };
        },
      });
    },
    onSuccess: ({ kind }) =>
      client.invalidateQueries({ queryKey: kind === 'archive' ? archiveKeys.all : tableKeys.all }),
  });
}

/** The rows of a file, and where they go. */
export interface RowsToLoad {
  readonly into: CollectionRef | NewDefinition;
  /** null: the archive or table is only created */
  readonly rows: {
    readonly file: File;
    readonly format: FileFormat;
    readonly columns: readonly ImportColumn[];
  } | null;
}

interface LoadedFile {
  readonly collection: CollectionRef;
  readonly planned: {
    readonly bulkEditId: string;
    readonly columns: readonly ImportColumn[];
  } | null;
}

/**
 * Creates the archive or table of a file, unless there is one, and plans the import of the rows.
 * @param onCreated called before the rows are planned: the archive or table stays even if planning fails
 */
export function useLoadFile(
  onCreated: (collection: CollectionRef, columns: readonly ImportColumn[]) => void,
) {
  const create = useCreateFromFile();
  const plan = usePlanImport();
  return useMutation<LoadedFile, CallError, RowsToLoad>({
    mutationFn: async ({ into, rows }) => {
      const isNew = !('kind' in into);
      const collection = isNew ? await create.mutateAsync(into) : into;
      if (!rows) return { collection, planned: null };
      if (isNew) onCreated(collection, rows.columns);
      const { bulkEditId } = await plan.mutateAsync({
        collection,
        ...rows,
        mode: 'create',
        key: null,
      });
      return { collection, planned: { bulkEditId, columns: rows.columns } };
    },
  });
}
