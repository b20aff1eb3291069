import type { DateOrder } from '#shared/values/value-type.ts';
import type { Scalar } from '#shared/values/values.ts';

/** What a program says of a cell's value beside the text that it shows. */
export type Exact =
  /** of a copy within Indexdesk: the value itself */
  | { readonly is: 'own'; readonly value: Scalar }
  /** in the form of the interface: digits with a point, `YYYY-MM-DD`, with `THH:mm:ss` where it has a time */
  | { readonly is: 'number' | 'day' | 'boolean'; readonly text: string }
  /** only how its days are written */
  | { readonly is: 'order'; readonly order: DateOrder };

/** One cell of the clipboard. */
export interface ClipCell {
  readonly text: string;
  readonly exact: Exact | null;
}

/** What was copied. Rows may be shorter than others where it was no spreadsheet that wrote them. */
export interface Clip {
  readonly rows: readonly (readonly ClipCell[])[];
  readonly source: 'own' | 'html' | 'text';
}
