import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ColumnOverrides } from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import { administrationAnswers, taskAnswers } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeData } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';

/** The format of a file as set by the user; missing parts are detected. */
export interface FileFormat {
  readonly separator?: string;
  readonly encoding?: string;
  readonly header?: string;
  readonly locale?: string;
}

interface FileToAnalyse {
  readonly file: File;
  readonly format: FileFormat;
  readonly columns: readonly ColumnOverrides[];
}

/** Detects the format and the fields of a file; changes nothing. */
export function useAnalyseFile() {
  return useMutation({
    mutationFn: async ({ file, format, columns }: FileToAnalyse) => {
      const form = formOf(file, format);
      form.set('columns', JSON.stringify(columns));
      return writeData(apiPaths.analyses(), {
        method: 'POST',
        body: form,
        parse: async (raw) => {
          const [found] = (await administrationAnswers()).analysesAnswer.parse(raw).analyses;
          if (!found) throw new Error('The answer holds no analysis.');
          return found;
        },
      });
    },
  });
}

/** The definition of a new archive or table, as in the request body. */
export type NewDefinition = { readonly archive: object } | { readonly table: object };

/** Creates an archive or table. @returns its reference */
export function useCreateFromFile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewDefinition): Promise<CollectionRef> => {
      const isArchive = 'archive' in body;
      const path = isArchive ? apiPaths.configuredArchives() : apiPaths.configuredTables();
      return writeData(path, {
        method: 'POST',
        body,
        parse: async (raw): Promise<CollectionRef> => {
          const answers = await administrationAnswers();
          if (!isArchive) {
            const [table] = answers.definedTablesAnswer.parse(raw).tables;
            return { kind: 'table', id: table?.guid ?? '' };
          }
          const [archive] = answers.definedArchivesAnswer.parse(raw).archives;
          return { kind: 'archive', id: archive?.table ?? '' };
        },
      });
    },
    onSuccess: ({ kind }) =>
      client.invalidateQueries({ queryKey: kind === 'archive' ? archiveKeys.all : tableKeys.all }),
  });
}

interface RowsToPlan {
  readonly collection: CollectionRef;
  readonly file: File;
  readonly format: FileFormat;
  readonly columns: readonly ImportColumn[];
}

/** Plans the creation of records from the rows of a file. @returns the id of the bulk edit */
export function usePlanRows() {
  return useMutation({
    mutationFn: async ({ collection, file, format, columns }: RowsToPlan) => {
      // By now each column has its own format.
      const { locale: _, ...written } = format;
      const form = formOf(file, written);
      form.set('mode', 'create');
      form.set('columns', JSON.stringify(columns));
      return writeData(apiPaths.imports(collection), {
        method: 'POST',
        body: form,
        parse: async (raw) => {
          const [planned] = (await taskAnswers()).bulkEditsAnswer.parse(raw).bulkedits;
          if (!planned) throw new Error('The answer holds no bulk edit.');
          return planned.bulkEditId;
        },
      });
    },
  });
}

function formOf(file: File, format: FileFormat): FormData {
  const form = new FormData();
  form.set('files[0]', file, file.name);
  for (const [name, value] of Object.entries(format)) if (value) form.set(name, value);
  return form;
}
