/** The strong entity tag (RFC 9110, section 8.8.3) of a version of a revision or dataset. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Whether a write guarded by `If-Match` may proceed (RFC 9110, section 13.1.1: strong comparison).
 * @param ifMatch the header's value, or an entry's `ifMatch`: one tag, a comma list of them, or `*`
 */
export function matchesVersion(ifMatch: string, version: number): boolean {
  return matchesTag(ifMatch, etagOf(version));
}

/**
 * Whether an `If-Match` names an entity tag, by strong comparison (RFC 9110, section 13.1.1).
 * @param ifMatch one tag, a comma list of them, or `*`, which names every tag
 */
export function matchesTag(ifMatch: string, tag: string): boolean {
  return ifMatch
    .split(',')
    .some((candidate) => candidate.trim() === tag || candidate.trim() === '*');
}
