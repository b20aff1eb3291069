/**
 * A regular expression of RE2 that is matched against a whole text, as a tree. PostgreSQL's form of it and examples are
 * made from the tree, RE2 takes the expression as it is. Flags are resolved: a character that is matched in upper and
 * lower case stands with both.
 */
export type Pattern =
  | { readonly kind: 'characters'; readonly ranges: readonly Range[]; readonly negated: boolean }
  /** a place between two characters */
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'sequence' | 'alternatives'; readonly parts: readonly Pattern[] }
  | (Counts & { readonly kind: 'repeat'; readonly part: Pattern });

export type Place = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'wordEdge' | 'noWordEdge';

/** Code points, both inclusive. */
export type Range = readonly [from: number, to: number];
export type Characters = Extract<Pattern, { kind: 'characters' }>;

export interface Counts {
  readonly min: number;
  /** null: any number */
  readonly max: number | null;
}
