import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { IndexFieldDefinition } from './index-data.ts';
import type { DocumentSource } from './document-source.ts';

/** The value of the focused field, which is searched on the pages of the document. */
export interface HighlightedValue {
  /** the path of the field in its form */
  readonly path: string;
  readonly type: ValueType;
  /** null: the field is empty */
  readonly value: Scalar;
  readonly field: IndexFieldDefinition;
  /** by which documents with the same layout are found; null: none */
  readonly source: DocumentSource | null;
}

/** The text on the page at the place where the value of a field is expected. */
export interface PageSuggestion {
  readonly revisionId: string;
  /** the path of the field in its form */
  readonly path: string;
  /** the words of the line, from left to right */
  readonly texts: readonly string[];
}
