import type { ImportColumn, ImportMode } from '#shared/contract/imports.ts';

/** The form values of an import; `columns` has one entry per column of the file. */
export interface ImportValues {
  file: File | null;
  columns: ImportColumn[];
  mode: ImportMode;
  /** the column that identifies records; null: the first possible one */
  key: string | null;
}
