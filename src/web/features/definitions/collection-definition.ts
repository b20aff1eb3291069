import type { CollectionKind } from '#shared/rules/names.ts';
import type { DefinedArchive, DefinedTable } from '#shared/contract/configuration-definitions.ts';

/** A field of an archive, without a default, or a column of a table. */
export type FieldDefinition = DefinedTable['columns'][number];

export type CheckDefinition = NonNullable<DefinedTable['checks']>[number];

type KeywordFieldDefinition = DefinedArchive['keywordFields'][number];

/** The definition of an archive or table, in one form for both. */
export interface CollectionDefinition {
  readonly kind: CollectionKind;
  /** in addresses: the table name of an archive, the GUID of a table */
  readonly id: string;
  readonly guid: string;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly version: number;
  readonly retiredAt: string | null;
  readonly records: number;
  readonly fields: readonly FieldDefinition[];
  readonly keywordFields: readonly KeywordFieldDefinition[];
  readonly uniqueTogether: readonly (readonly string[])[];
  readonly checks: readonly CheckDefinition[];
  readonly checksOff: NonNullable<DefinedTable['checksOff']>;
}

export function fromArchive(archive: DefinedArchive): CollectionDefinition {
  return {
    ...archive,
    kind: 'archive',
    id: archive.table,
    name: archive.table,
    label: archive.name,
    records: archive.documents,
    fields: archive.indexFields.map((field) => ({ ...field, default: null, unique: false })),
    uniqueTogether: [],
    checks: archive.checks ?? [],
    checksOff: archive.checksOff ?? [],
  };
}

export function fromTable(table: DefinedTable): CollectionDefinition {
  return {
    ...table,
    kind: 'table',
    id: table.guid,
    records: table.datasets,
    fields: table.columns,
    keywordFields: [],
    uniqueTogether: table.uniqueTogether ?? [],
    checks: table.checks ?? [],
    checksOff: table.checksOff ?? [],
  };
}
