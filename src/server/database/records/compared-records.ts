import type { RawBuilder } from 'kysely';
import type { IgnoredInDuplicates } from '#shared/rules/check-words.ts';
import type { CollectionRef, StoredField } from './columns.ts';

/** What a check on duplicates compares, and of which records. */
export interface ComparedRecords {
  readonly collection: CollectionRef;
  /** the lists of fields; a key belongs to the list whose index is its `part` */
  readonly lists: readonly (readonly StoredField[])[];
  readonly ignore: readonly IgnoredInDuplicates[];
  /** what records must meet to be compared; none: all are compared */
  readonly conditions: readonly RawBuilder<boolean>[];
}

/** A whole number that stands for what a record has in the fields of a list; a record with an empty field has none. */
export interface RecordKey {
  readonly id: number;
  readonly part: number;
  readonly key: number;
}
