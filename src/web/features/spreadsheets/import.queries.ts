import { useMutation } from '@tanstack/react-query';
import type { ImportColumn } from '#shared/imports.ts';
import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { write } from '#web/api/request.ts';

/** A file that is to be imported, and what its columns stand for; null: what their headers say. */
export interface ImportFile {
  readonly file: File;
  readonly columns: readonly ImportColumn[] | null;
}

function formOf({ file, columns }: ImportFile): FormData {
  const form = new FormData();
  form.set('files[0]', file, file.name);
  if (columns) form.set('columns', JSON.stringify(columns));
  return form;
}

/** Looks through the file; changes nothing. */
export function useInspection(archive: string) {
  return useMutation({
    mutationFn: async (given: ImportFile) => {
      const { data } = await write(apiPaths.importInspections(archive), {
        method: 'POST',
        body: formOf(given),
        parse: async (raw) => {
          const { importInspectionAnswer } = await answers();
          const [found] = importInspectionAnswer.parse(raw).imports;
          if (!found) throw new Error('The answer holds no inspection.');
          return found;
        },
      });
      return data;
    },
  });
}

/** Plans the import: a bulk edit that can be looked at before it changes anything. */
export function useImportPlan(archive: string) {
  return useMutation({
    mutationFn: async (given: ImportFile) => {
      const { data } = await write(apiPaths.imports(archive), {
        method: 'POST',
        body: formOf(given),
        parse: async (raw) => {
          const { bulkEditsAnswer } = await answers();
          const [planned] = bulkEditsAnswer.parse(raw).bulkedits;
          if (!planned) throw new Error('The answer holds no bulk edit.');
          return planned;
        },
      });
      return data;
    },
  });
}
