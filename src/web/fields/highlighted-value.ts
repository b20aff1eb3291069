import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/values.ts';

/** The value of the field that has the focus, which should stand on a page of the document. */
export interface HighlightedValue {
  /** the place of the field in its form */
  readonly place: string;
  readonly type: ValueType;
  readonly value: Scalar;
}
