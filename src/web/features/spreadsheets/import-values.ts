import type { ImportColumn, ImportMode } from '#shared/contract/imports.ts';

/** What is imported and how; `columns` has one entry for each column of the file. */
export interface ImportValues {
  file: File | null;
  columns: ImportColumn[];
  mode: ImportMode;
  /** the column by which records are known; null: the first that is possible */
  key: string | null;
}
