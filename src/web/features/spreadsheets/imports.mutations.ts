import { useMutation } from '@tanstack/react-query';
import type { ImportColumn, ImportMode } from '#shared/contract/imports.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeData } from '#web/api/request.ts';

interface FileToInspect {
  readonly file: File;
  /** the mapping of its columns; null: by their headers */
  readonly columns: readonly ImportColumn[] | null;
}

/** Reads the columns of a file; changes nothing. */
export function useInspectFile(collection: CollectionRef) {
  return useMutation({
    mutationFn: ({ file, columns }: FileToInspect) =>
      writeData(apiPaths.importInspections(collection), {
        method: 'POST',
        body: formDataOf(file, columns),
        parse: async (raw) => {
          const { importInspectionAnswer } = await taskAnswers();
          const [found] = importInspectionAnswer.parse(raw).imports;
          if (!found) throw new Error('The answer holds no inspection.');
          return found;
        },
      }),
  });
}

interface Import {
  readonly file: File;
  readonly columns: readonly ImportColumn[];
  /** the separator of CSV; if missing, the service detects it */
  readonly separator?: string;
  /** of tables: the effects of rows, and the column that identifies records; null: `jrid` */
  readonly rows: { readonly mode: ImportMode; readonly key: string | null } | null;
}

/** Plans the import as a bulk edit with a preview. */
export function usePlanImport(collection: CollectionRef) {
  return useMutation({
    mutationFn: async ({ file, columns, separator, rows }: Import) => {
      const body = formDataOf(file, columns);
      if (separator !== undefined) body.set('separator', separator);
      if (rows) body.set('mode', rows.mode);
      if (rows && rows.key !== null) body.set('key', rows.key);
      return writeData(apiPaths.imports(collection), {
        method: 'POST',
        body,
        parse: async (raw) => {
          const { bulkEditsAnswer } = await taskAnswers();
          const [planned] = bulkEditsAnswer.parse(raw).bulkedits;
          if (!planned) throw new Error('The answer holds no bulk edit.');
          return planned;
        },
      });
    },
  });
}

function formDataOf(file: File, columns: readonly ImportColumn[] | null): FormData {
  const form = new FormData();
  form.set('files[0]', file, file.name);
  if (columns) form.set('columns', JSON.stringify(columns));
  return form;
}
