const MAX_PER_USER = 1_000;
/**
 * The last use is stored up to a minute late, so only a longer time without use proves that a session or token is
 * unused.
 */
const MIN_UNUSED_TIME = 60 * 60_000;
/** How many end together, in the transaction of a sign-in. */
const MAX_ENDED_AT_ONCE = 100;

/**
 * The sessions, or the tokens by password, of a user that end because there are too many: some programs never sign out.
 * The least recently used ones end, some with each sign-in, and none that was used within the last hour, however many
 * there are.
 */
export function excessSignIns<Stored extends { readonly usedAt: number }>(
  ofUser: readonly Stored[],
): Stored[] {
  const unusedSince = Date.now() - MIN_UNUSED_TIME;
  return ofUser
    .toSorted((one, other) => other.usedAt - one.usedAt)
    .slice(MAX_PER_USER)
    .filter(({ usedAt }) => usedAt < unusedSince)
    .slice(-MAX_ENDED_AT_ONCE);
}
