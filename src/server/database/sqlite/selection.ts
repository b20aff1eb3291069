import type { Collection } from '../records/collection.ts';
import type { IdList } from './id-lists.ts';

/** Records whose values are asked for. */
export interface Selection {
  readonly collection: Collection;
  readonly count: number;
  /** ascending ids; null: all records */
  readonly members: IdList | null;
  /** whether the records are faster looked at one by one than found by reading an index */
  readonly isSmall: boolean;
  /** reads the ids where `members` is null */
  readonly ids: () => Promise<IdList>;
}
