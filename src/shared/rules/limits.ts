/* Limits of one request. If a limit can be set, its default is here. */

/** The maximum number of conditions (`where[FIELD][OP]`) of one filter. */
export const MAX_CONDITIONS = 32;

/** The most words of one search (`q`): each is its own condition. */
export const MAX_SEARCH_WORDS = 32;

/** The maximum number of fields that one list is sorted by. */
export const MAX_SORT_KEYS = 8;

/** The number of entries of a page, if the request does not name it, and the maximum. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1_000;

/** The maximum number of ids that `index/ids` and `datasets/ids` answer, and that one call may name. */
export const MAX_IDS = 100_000;

/**
 * The default maximum number of revisions or datasets of one call (docs/interface/decisions.md, sections 5
 * and 7).
 */
export const MAX_BATCH = 10_000;

/** The maximum number of columns of an imported or loaded spreadsheet. */
export const MAX_SHEET_COLUMNS = 1_000;

/** The maximum number of records of a table that are merged into another. */
export const MAX_MERGED = 49;

/** The maximum number of records with references to merged ones, which one merge changes as well. */
export const MAX_MERGE_REFERENCES = 5_000;

/** The limits in the settings of a service for its archives and tables. */
export interface CollectionLimits {
  /** the maximum number of values of one `in` list */
  readonly inValues: number;
  /** the maximum number of values that a request may give to one keyword field of a revision */
  readonly keywordValues: number;
}

export const DEFAULT_LIMITS: CollectionLimits = { inValues: 1_000, keywordValues: 1_000 };

/** For content that does not come from a request: a load, a restore. */
export const NO_LIMITS: CollectionLimits = { inValues: Infinity, keywordValues: Infinity };
