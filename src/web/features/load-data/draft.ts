import type {
  AnalysedColumn,
  ColumnOverrides,
  SheetAnalysis,
} from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { NewDefinition } from './load-data.mutations.ts';

/** The target of the rows of a file. */
export type TargetKind = 'archive' | 'table' | 'existing';

/** The user's decisions about a column of the file. */
export interface ColumnDraft {
  readonly isIncluded: boolean;
  /** replacements of the detected properties */
  readonly overrides: ColumnOverrides;
}

/** Replacements for which the service must read the file again. */
const READ_AGAIN: readonly (keyof ColumnOverrides)[] = [
  'type',
  'decimal',
  'order',
  'maxLength',
  'options',
];

export function needsReading(change: ColumnOverrides): boolean {
  return READ_AGAIN.some((key) => key in change);
}

/** The default for a column: it is loaded if it contains anything. */
export function draftOf(column: AnalysedColumn, drafts: readonly ColumnDraft[], at: number) {
  return drafts[at] ?? { isIncluded: column.name !== null, overrides: {} };
}

/** A column with the user's decisions. */
export interface WantedColumn extends AnalysedColumn {
  readonly isIncluded: boolean;
}

export function wantedColumns(
  { columns }: SheetAnalysis,
  drafts: readonly ColumnDraft[],
): WantedColumn[] {
  return columns.map((column, at) => {
    const { isIncluded, overrides } = draftOf(column, drafts, at);
    const name = overrides.name ?? column.name ?? `COLUMN_${at + 1}`;
    return {
      ...column,
      isIncluded,
      name,
      label: overrides.label ?? column.label,
      required: overrides.required ?? column.required,
      unique: overrides.unique ?? column.unique,
    };
  });
}

/** The definition of the archive or table that is created for a file. */
export function definitionFor(
  kind: 'archive' | 'table',
  { name, label }: { readonly name: string; readonly label: string },
  columns: readonly WantedColumn[],
): NewDefinition {
  const fields = columns.flatMap((column) => {
    if (!column.isIncluded) return [];
    const { name: fieldName, label: fieldLabel, type, required, unique } = column;
    const { maxLength, scale, options } = column;
    return {
      name: fieldName,
      label: fieldLabel,
      type,
      required,
      ...(maxLength === null ? {} : { maxLength }),
      ...(scale === null ? {} : { scale }),
      ...(options === null ? {} : { options }),
      ...(kind === 'table' ? { unique } : {}),
    };
  });
  return kind === 'archive'
    ? { archive: { table: name, name: label, indexFields: fields } }
    : { table: { name, label, columns: fields } };
}

/** The columns of the import into a new archive or table. */
export function importIntoNew(columns: readonly WantedColumn[]): ImportColumn[] {
  return columns.map(({ isIncluded, name, decimal, order }) =>
    isIncluded && name !== null ? { as: 'field', field: name, decimal, order } : { as: 'nothing' },
  );
}

/**
 * The columns of the import into an existing archive or table.
 * @param goals by column: `field NAME`, `keyword NAME`, or '' if it is not loaded
 */
export function importIntoExisting(
  columns: readonly AnalysedColumn[],
  goals: readonly string[],
): ImportColumn[] {
  return columns.map(({ decimal, order }, at): ImportColumn => {
    const [, kind, name = ''] = /^(field|keyword) (.*)$/.exec(goals[at] ?? '') ?? [];
    if (kind === 'field') return { as: 'field', field: name, decimal, order };
    return kind === 'keyword' ? { as: 'keyword', keyword: name } : { as: 'nothing' };
  });
}
