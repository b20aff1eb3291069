import { useMutation } from '@tanstack/react-query';
import type {
  ColumnOverrides,
  DefinitionAnalysis,
  SheetAnalysis,
} from '#shared/contract/file-analysis.ts';
import type { ImportColumn, ImportMode } from '#shared/contract/imports.ts';
import { apiPaths, type CollectionRef } from './api-paths.ts';
import { parseBulkEdit } from './bulk-edits.ts';
import { administrationAnswers, onlyItem } from './load-answer-schemas.ts';
import { writeData } from './request.ts';

/** How a file is written, as set by the user; missing parts are detected. */
export interface FileFormat {
  readonly separator?: string;
  readonly encoding?: string;
  readonly header?: string;
  readonly locale?: string;
}

/** The body of a call about a file. @param fields further fields; empty ones are left out */
export function fileForm(
  file: File,
  fields: Readonly<Record<string, string | undefined>>,
): FormData {
  const form = new FormData();
  form.set('files[0]', file, file.name);
  for (const [name, value] of Object.entries(fields)) if (value) form.set(name, value);
  return form;
}

export interface FileToAnalyse {
  readonly file: File;
  readonly format: FileFormat;
  /** by column: replacements of the detected properties */
  readonly columns: readonly ColumnOverrides[];
  /** the maximum number of rows in the answer; missing: a sample */
  readonly rows?: number;
}

/**
 * Detects the format and the fields of a file; changes nothing.
 * @param accept converts the analysis; throws if the file has not the expected content
 * @throws {CallError}
 */
export function analyseFile<T>(
  { file, format, columns, rows }: FileToAnalyse,
  accept: (analysis: SheetAnalysis | DefinitionAnalysis) => T,
): Promise<T> {
  return writeData(apiPaths.analyses(), {
    method: 'POST',
    body: fileForm(file, {
      ...format,
      columns: JSON.stringify(columns),
      rows: rows === undefined ? undefined : String(rows),
    }),
    parse: async (raw) =>
      accept(onlyItem((await administrationAnswers()).analysesAnswer.parse(raw).analyses)),
  });
}

interface ImportToPlan {
  readonly collection: CollectionRef;
  readonly file: File;
  /** its locale has no effect: each column has its own notation */
  readonly format: FileFormat;
  readonly columns: readonly ImportColumn[];
  /** the effects of its rows; null: an archive's revisions are changed */
  readonly mode: ImportMode | null;
  /** the unique column that identifies the records of a table; null: `jrid` */
  readonly key: string | null;
}

/** Plans an import as a bulk edit with a preview; changes nothing. */
export function usePlanImport() {
  return useMutation({
    mutationFn: ({ collection, file, format, columns, mode, key }: ImportToPlan) => {
      const { separator, encoding, header } = format;
      return writeData(apiPaths.imports(collection), {
        method: 'POST',
        body: fileForm(file, {
          separator,
          encoding,
          header,
          columns: JSON.stringify(columns),
          mode: mode ?? undefined,
          key: key ?? undefined,
        }),
        parse: parseBulkEdit,
      });
    },
  });
}
