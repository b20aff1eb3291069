import { useMutation } from '@tanstack/react-query';
import type { ImportColumn, ImportMode } from '#shared/contract/imports.ts';
import { taskAnswers } from '#web/api/answers.ts';
import { apiPaths, type ListPlace } from '#web/api/paths.ts';
import { write } from '#web/api/request.ts';

/** A file that is to be imported, and what its columns stand for; null: what their headers say. */
export interface ImportFile {
  readonly file: File;
  readonly columns: readonly ImportColumn[] | null;
  /** of data tables: what its rows may do, and by which column datasets are known; null: `jrid` */
  readonly how: { readonly mode: ImportMode; readonly key: string | null } | null;
}

function formOf({ file, columns, how }: ImportFile): FormData {
  const form = new FormData();
  form.set('files[0]', file, file.name);
  if (columns) form.set('columns', JSON.stringify(columns));
  if (how) {
    form.set('mode', how.mode);
    if (how.key !== null) form.set('key', how.key);
  }
  return form;
}

/** Looks through the file; changes nothing. */
export function useInspection(place: ListPlace) {
  return useMutation({
    mutationFn: async (given: ImportFile) => {
      const { data } = await write(apiPaths.importInspections(place), {
        method: 'POST',
        body: formOf({ ...given, how: null }),
        parse: async (raw) => {
          const { importInspectionAnswer } = await taskAnswers();
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
export function useImportPlan(place: ListPlace) {
  return useMutation({
    mutationFn: async (given: ImportFile) => {
      const { data } = await write(apiPaths.imports(place), {
        method: 'POST',
        body: formOf(given),
        parse: async (raw) => {
          const { bulkEditsAnswer } = await taskAnswers();
          const [planned] = bulkEditsAnswer.parse(raw).bulkedits;
          if (!planned) throw new Error('The answer holds no bulk edit.');
          return planned;
        },
      });
      return data;
    },
  });
}
