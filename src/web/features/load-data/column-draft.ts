import * as definitionTexts from '#messages/definitions.ts';
import type {
  AnalysedColumn,
  ColumnOverrides,
  SheetAnalysis,
} from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import { type CollectionKind, NAME_PATTERN, nameKey } from '#shared/rules/names.ts';
import { type ColumnMeaning, meaningsOf } from '#shared/rules/spreadsheet-headers.ts';
import { hasRule } from '#shared/values/registry.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import type { NewDefinition } from './load-data.mutations.ts';

/** The target of the rows of a file: a new archive or table, or an existing one. */
export const TARGET_KINDS = ['archive', 'table', 'existing'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** The user's decisions about a column of the file. */
export interface ColumnDraft {
  readonly isIncluded: boolean;
  /** replacements of the detected properties */
  readonly overrides: ColumnOverrides;
  /** its mapping to an existing archive or table; missing: by its header */
  readonly mapping?: ImportColumn;
}

/** The same decisions, with the mapping by the headers. */
export function withoutMapping({ isIncluded, overrides }: ColumnDraft): ColumnDraft {
  return { isIncluded, overrides };
}

export function withOverrides(draft: ColumnDraft, overrides: ColumnOverrides): ColumnDraft {
  return { ...draft, overrides: { ...draft.overrides, ...overrides } };
}

/** Replacements for which the service must read the file again. */
const READ_AGAIN = ['type', 'decimal', 'order', 'maxLength'] as const;

export function needsReading(change: ColumnOverrides): boolean {
  return READ_AGAIN.some((key) => key in change);
}

/** The replacements that the service needs to read the file; the others are applied to its answer. */
export function overridesToRead({
  type,
  decimal,
  order,
  maxLength,
}: ColumnOverrides): ColumnOverrides {
  return { type, decimal, order, maxLength };
}

/** A column with the user's decisions. */
export interface ResolvedColumn extends AnalysedColumn {
  readonly isIncluded: boolean;
  readonly name: string;
  /** the distinct values of the file if there are few, whether or not the field is limited to them */
  readonly foundOptions: readonly string[] | null;
}

export function resolveColumns(
  { columns }: SheetAnalysis,
  drafts: readonly ColumnDraft[],
): ResolvedColumn[] {
  return columns.flatMap((column, at) => {
    const draft = drafts[at];
    return draft ? [resolveColumn(column, draft, at)] : [];
  });
}

export function resolveColumn(
  column: AnalysedColumn,
  { isIncluded, overrides }: ColumnDraft,
  at: number,
): ResolvedColumn {
  const type = overrides.type ?? column.type;
  return {
    ...column,
    isIncluded,
    name: overrides.name ?? column.name ?? `COLUMN_${at + 1}`,
    type,
    label: overrides.label ?? column.label,
    maxLength: hasRule(type, 'maxLength')
      ? overrides.maxLength === undefined
        ? column.maxLength
        : overrides.maxLength
      : null,
    options: overrides.options === undefined ? column.options : overrides.options,
    foundOptions: column.options,
    required: overrides.required ?? column.required,
    unique: overrides.unique ?? column.unique,
  };
}

/** Why a column cannot become a field under its name, by the position of the column. */
export function nameProblems(columns: readonly ResolvedColumn[]): ReadonlyMap<number, string> {
  const problems = new Map<number, string>();
  const names = new Set<string>();
  for (const [at, { isIncluded, name }] of columns.entries()) {
    if (!isIncluded) continue;
    if (!NAME_PATTERN.test(name)) problems.set(at, definitionTexts.nameInvalid);
    else if (names.has(nameKey(name))) problems.set(at, definitionTexts.nameTwice(name));
    names.add(nameKey(name));
  }
  return problems;
}

/** The definition of the archive or table that is created for a file. */
export function definitionFor(
  kind: CollectionKind,
  { name, label }: { readonly name: string; readonly label: string },
  columns: readonly ResolvedColumn[],
): NewDefinition {
  const fields = columns.flatMap((column) => {
    if (!column.isIncluded) return [];
    const { name: fieldName, label: fieldLabel, type, required, unique } = column;
    const { maxLength, scale, options } = column;
    return {
      name: fieldName,
      label: fieldLabel.trim() === '' ? fieldName : fieldLabel,
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
export function importIntoNew(columns: readonly ResolvedColumn[]): ImportColumn[] {
  return columns.map(({ isIncluded, name, decimal, order }) =>
    isIncluded ? { as: 'field', field: name, decimal, order } : { as: 'nothing' },
  );
}

/**
 * The columns of the import into an existing archive or table, each with the notation of its values.
 * @param mappings those of columns without an own one
 */
export function importIntoExisting(
  columns: readonly AnalysedColumn[],
  mappings: readonly ImportColumn[],
  drafts: readonly ColumnDraft[],
): ImportColumn[] {
  return columns.map(({ decimal, order }, at): ImportColumn => {
    const mapping = drafts[at]?.mapping ?? mappings[at] ?? { as: 'nothing' };
    return mapping.as === 'field' ? { ...mapping, decimal, order } : mapping;
  });
}

/** The mapping of columns to an existing archive or table by their headers. */
export function mappingsByHeader(
  { fields, keywordFields }: BulkTarget,
  { columns }: SheetAnalysis,
): ImportColumn[] {
  const headers = columns.map(({ header, name }) => (header === '' ? (name ?? '') : header));
  const byHeader = meaningsOf(headers, fields, keywordFields);
  const names = columns.map(({ name }) => name ?? '');
  const byName = meaningsOf(names, fields, keywordFields);
  const taken = new Set(byHeader.map((meaning) => JSON.stringify(meaning)));
  return byHeader.map((meaning, at) => {
    if (meaning.as !== 'nothing') return mappingOf(meaning);
    return mappingOf(taken.has(JSON.stringify(byName[at])) ? meaning : byName[at]);
  });
}

function mappingOf(meaning: ColumnMeaning | undefined): ImportColumn {
  if (meaning?.as === 'field') return { ...meaning, decimal: null, order: null };
  return meaning?.as === 'keyword' ? meaning : { as: 'nothing' };
}
