import type {
  ArchiveDefinition,
  Column,
  IndexField,
  KeywordField,
  TableDefinition,
} from '#shared/rules/definitions.ts';
import type { CollectionLimits } from '#shared/rules/limits.ts';
import type { ListColumn } from '#shared/rules/lists.ts';

/** A field with the number that names its database column; numbers are never used twice. */
type Numbered<Field> = Field & { readonly number: number };

/** An archive as the service knows it: its definition and where its records are kept. */
export interface Archive {
  readonly kind: 'archive';
  /** names the database tables: archive_ID, archive_ID_keywords */
  readonly id: number;
  readonly guid: string;
  /** the archive's table name in the spelling of the definition */
  readonly name: string;
  readonly definition: ArchiveDefinition;
  readonly fields: readonly Numbered<IndexField>[];
  readonly keywordFields: readonly Numbered<KeywordField>[];
  /** what lists of it can be filtered and sorted by */
  readonly listColumns: readonly ListColumn[];
  /** what one request may ask of it */
  readonly limits: CollectionLimits;
}

/** A data table as the service knows it. */
export interface Table {
  readonly kind: 'table';
  readonly id: number;
  readonly guid: string;
  readonly name: string;
  readonly definition: TableDefinition;
  readonly fields: readonly Numbered<Column>[];
  readonly keywordFields: readonly [];
  readonly listColumns: readonly ListColumn[];
  /** what one request may ask of it */
  readonly limits: CollectionLimits;
}

/** What records are kept of. */
export type Collection = Archive | Table;
