export const SEVERITIES = ['warn', 'block'] as const;
/** `warn`: a finding is reported and the record is saved; `block`: the save is refused. */
export type Severity = (typeof SEVERITIES)[number];

/** What is removed from texts before they are compared as duplicates. */
export const IGNORED_IN_DUPLICATES = ['case', 'spaces', 'punctuation', 'leading zeros'] as const;
export type IgnoredInDuplicates = (typeof IGNORED_IN_DUPLICATES)[number];

/** The checks of every archive and table, unless its definition turns them off. */
export const BUILT_IN_CHECKS = [
  '_required',
  '_rules',
  '_lookup',
  '_future',
  '_outlier',
  /** of archives with fields whose values are on the page */
  '_page',
] as const;
export type BuiltInCheck = (typeof BUILT_IN_CHECKS)[number];
