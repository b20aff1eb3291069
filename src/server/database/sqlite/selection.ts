import type { Collection } from '../records/collection.ts';
import type { IdList } from './id-lists.ts';

/** A selection of records whose values are read. */
export interface RecordSelection {
  readonly collection: Collection;
  readonly count: number;
  /** ascending ids; null: all records */
  readonly members: IdList | null;
  /** whether testing the records one by one is faster than reading an index */
  readonly isSmall: boolean;
  /** reads the ids where `members` is null */
  readonly ids: () => Promise<IdList>;
}
