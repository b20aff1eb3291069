import type { ArchiveDetail, RevisionDetail, TableDetail } from '#shared/contract/answers.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { type ArchiveField, fieldsOf, fieldsOfColumns } from '#web/fields/index-data.ts';
import { isSameValue } from '#web/fields/field-model.ts';
import { isList, type StoredContent } from '#web/fields/value-checks.ts';
import { shownValue } from '#web/fields/value-text.ts';

/** An archive or table whose duplicates are compared. */
export interface ComparedCollection {
  readonly collection: CollectionRef;
  readonly name: string;
  readonly fields: readonly ArchiveField[];
  readonly mayWrite: boolean;
  /** whether records can be merged into one */
  readonly mayMerge: boolean;
}

export function comparedArchive(archive: ArchiveDetail): ComparedCollection {
  return {
    collection: { kind: 'archive', id: archive.table },
    name: archive.name,
    fields: fieldsOf(archive),
    mayWrite: archive.rights !== 'read',
    mayMerge: false,
  };
}

export function comparedTable(table: TableDetail): ComparedCollection {
  return {
    collection: { kind: 'table', id: table.guid },
    name: table.label,
    fields: fieldsOfColumns(table.columns),
    mayWrite: table.rights !== 'read',
    mayMerge: table.rights === 'manage',
  };
}

/** A compared record. */
export interface ComparedRecord {
  readonly id: string;
  /** the version that was read */
  readonly etag: string | null;
  /** by the path of the field */
  readonly values: ReadonlyMap<string, StoredContent>;
  /** with its files; null: of a table */
  readonly revision: RevisionDetail | null;
}

/** A record of a group: loaded, loading, or an error. */
export interface ComparedRecordQuery {
  readonly id: string;
  readonly record: ComparedRecord | null;
  readonly error: unknown;
}

export const isEmpty = (value: StoredContent | undefined) =>
  value === undefined || value === null || value.toString() === '';

/**
 * The positions of records whose value differs from the majority; all if there is no majority.
 * @returns empty: all values are equal
 */
export function differingIndexes(
  values: readonly (StoredContent | undefined)[],
): ReadonlySet<number> {
  const equalTo = values.map((value) =>
    values.flatMap((other, index) => {
      const isEqual = isEmpty(value) ? isEmpty(other) : isSameValue(value, other);
      return isEqual ? [index] : [];
    }),
  );
  const max = Math.max(0, ...equalTo.map((indexes) => indexes.length));
  if (max === values.length) return new Set();
  const common = equalTo.filter((indexes) => indexes.length === max);
  const isOne = max > 1 && common.length === max;
  return new Set(
    values.flatMap((_, index) => (isOne && common[0]?.includes(index) ? [] : [index])),
  );
}

/** A value on one line, formatted for people; '' for none. */
export function comparedText(
  { definition }: ArchiveField,
  value: StoredContent | undefined,
): string {
  if (value === undefined) return '';
  if (isList(value)) return value.join(', ');
  return definition ? shownValue(definition, value) : String(value ?? '');
}
