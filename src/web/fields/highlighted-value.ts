import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { IndexFieldDefinition } from './index-data.ts';
import type { SameSource } from './same-source.ts';

/** The value of the field that has the focus, which should stand on a page of the document. */
export interface HighlightedValue {
  /** the place of the field in its form */
  readonly place: string;
  readonly type: ValueType;
  /** null: the field is empty */
  readonly value: Scalar;
  readonly field: IndexFieldDefinition;
  /** by which documents are found that look like this one; null: nothing */
  readonly source: SameSource | null;
}

/** What the page has where the value of a field should stand. */
export interface PageOffer {
  readonly revisionId: string;
  /** the place of the field in its form */
  readonly place: string;
  /** as they stand in the line, from left to right */
  readonly texts: readonly string[];
}
