import type { DateOrder, Scalar } from '#shared/values/value-type.ts';

/** The exact value of a cell from a program, in addition to its displayed text. */
export type ExactValue =
  /** of a copy within Indexdesk: the value itself */
  | { readonly is: 'own'; readonly value: Scalar }
  /** in the form of the interface: digits with a point, `YYYY-MM-DD`, followed by `THH:mm:ss` if it has a time */
  | { readonly is: 'number' | 'day' | 'boolean'; readonly text: string }
  /** only the order of day, month and year */
  | { readonly is: 'order'; readonly order: DateOrder };

/** One cell of the clipboard. */
export interface ClipCell {
  readonly text: string;
  readonly exact: ExactValue | null;
}

/** The rows of a copied block. They may have different lengths if the source is not a spreadsheet. */
export type Clip = readonly (readonly ClipCell[])[];
