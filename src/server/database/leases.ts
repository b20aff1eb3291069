import { sql } from 'kysely';

/** The lease columns of a row that no process works on. */
export const NO_LEASE = { lease_owner: null, lease_until: 0 } as const;

/**
 * The condition for rows that a process may work on: without a lease, with an expired lease, or with its own.
 * @param now milliseconds since 1970 UTC
 */
export function isFreeFor(owner: string, now: number) {
  return sql<boolean>`(lease_owner is null or lease_owner = ${owner} or lease_until < ${now})`;
}
