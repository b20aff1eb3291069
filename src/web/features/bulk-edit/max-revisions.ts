/** The maximum of one atomic call (docs/interface/decisions.md, section 5). */
export const MAX_REVISIONS = 10_000;
