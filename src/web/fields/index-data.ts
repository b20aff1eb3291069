import type { ArchiveDetail, Revision, TableDetail } from '#shared/contract/answers.ts';
import { valueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { isList, type StoredContent } from './value-checks.ts';

export type IndexFieldDefinition = ArchiveDetail['indexFieldDefinitions'][number];

/** A field of an archive, or a column of a table as one. */
export interface ArchiveField {
  /** its path in requests and errors of the service: `indexFields.NAME`, `keywordFields.NAME`; of a column its name */
  readonly path: string;
  readonly name: string;
  readonly label: string;
  /** null: a keyword field */
  readonly definition: IndexFieldDefinition | null;
  /** whether the user may not change it (docs/interface/administration.md, section 2) */
  readonly isReadOnly: boolean;
}

/** The fields of an archive: the index fields, then the keyword fields. */
export function fieldsOf(
  archive: Pick<ArchiveDetail, 'indexFieldDefinitions' | 'keywordFieldDefinitions'>,
): readonly ArchiveField[] {
  return [
    ...archive.indexFieldDefinitions.map((definition): ArchiveField => {
      const { name, label } = definition;
      const isReadOnly = definition.readOnly === true;
      return { path: `indexFields.${name}`, name, label, definition, isReadOnly };
    }),
    ...archive.keywordFieldDefinitions.map(({ name, label, readOnly }): ArchiveField => ({
      path: `keywordFields.${name}`,
      name,
      label,
      definition: null,
      isReadOnly: readOnly === true,
    })),
  ];
}

/** The columns of a table as fields. */
export function fieldsOfColumns(columns: TableDetail['columns']): readonly ArchiveField[] {
  return columns.map((column) => ({
    path: column.name,
    name: column.name,
    label: column.label,
    definition: column,
    isReadOnly: column.readOnly === true,
  }));
}

/** The field with this path; undefined if the archive has none. */
export function fieldAt(archive: ArchiveDetail, path: string): ArchiveField | undefined {
  return fieldsOf(archive).find((field) => field.path === path);
}

/** Equal for definitions with the same fields. Values that were read or typed with other fields may lack some fields. */
export const fieldsKey = (archive: ArchiveDetail) =>
  fieldsOf(archive)
    .map(({ path, definition }) => `${path} ${definition?.type}`)
    .join();

/** The values of a revision in a request body (docs/interface/decisions.md, section 5). */
export interface IndexDataRequest {
  readonly indexFields?: readonly { readonly name: string; readonly value: Scalar }[];
  readonly keywordFields?: readonly KeywordEntry[];
}

type KeywordEntry =
  | { readonly name: string; readonly value: string }
  /** empties the keyword field */
  | { readonly name: string; readonly keywords: '' };

/** The request body that stores these values, by field name. */
export function bodyOf(
  stored: readonly { readonly name: string; readonly value: StoredContent }[],
): IndexDataRequest {
  const indexFields = stored.flatMap(({ name, value }) => (isList(value) ? [] : [{ name, value }]));
  const keywordFields = stored.flatMap(({ name, value }): readonly KeywordEntry[] => {
    if (!isList(value)) return [];
    return value.length === 0
      ? [{ name, keywords: '' }]
      : value.map((keyword) => ({ name, value: keyword }));
  });
  return {
    ...(indexFields.length > 0 ? { indexFields } : {}),
    ...(keywordFields.length > 0 ? { keywordFields } : {}),
  };
}

/**
 * Whether a revision was read by this definition of its archive. After a change of the definition both are read again, one
 * before the other.
 */
export function fitsDefinition(
  { indexFields, keywordFields }: Pick<Revision, 'indexFields' | 'keywordFields'>,
  {
    indexFieldDefinitions,
    keywordFieldDefinitions,
  }: Pick<ArchiveDetail, 'indexFieldDefinitions' | 'keywordFieldDefinitions'>,
): boolean {
  const values = new Map(indexFields.map(({ name, value }) => [name, value]));
  return (
    values.size === indexFieldDefinitions.length &&
    indexFieldDefinitions.every(({ name, type }) => {
      const value = values.get(name);
      return value === null || (value !== undefined && valueType(type).isStored(value));
    }) &&
    keywordFields.every(({ name }) => keywordFieldDefinitions.some((field) => field.name === name))
  );
}

/** The stored value of a revision's field. */
export function storedIn(
  revision: Pick<Revision, 'indexFields' | 'keywordFields'>,
  { name, definition }: { readonly name: string; readonly definition: object | null },
): StoredContent {
  return definition
    ? (revision.indexFields.find((field) => field.name === name)?.value ?? null)
    : revision.keywordFields.filter((entry) => entry.name === name).map(({ value }) => value);
}
