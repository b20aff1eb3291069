import { useMutation } from '@tanstack/react-query';
import type { ImportColumn } from '#shared/contract/imports.ts';
import { onlyItem, taskAnswers } from '#web/api/load-answer-schemas.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { fileForm } from '#web/api/file-imports.ts';
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
        body: fileForm(file, { columns: columns ? JSON.stringify(columns) : undefined }),
        parse: async (raw) =>
          onlyItem((await taskAnswers()).importInspectionAnswer.parse(raw).imports),
      }),
  });
}
