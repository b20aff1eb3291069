/**
 * Roles (docs/interface/decisions.md, section 9): administrators may everything; clerks have rights by archive and
 * table; readers never above `read`.
 */
export const ROLES = ['administrator', 'clerk', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** Each includes the ones before: `write` edits and creates, `manage` also deletes. */
export const ACCESS_LEVELS = ['read', 'write', 'manage'] as const;
export type Access = (typeof ACCESS_LEVELS)[number];

/**
 * What a user may do with one archive or table.
 * @param granted the right given to the user for it, if any
 * @returns null where the archive or table does not exist for the user
 */
export function accessOf(role: Role, granted: Access | null): Access | null {
  if (role === 'administrator') return 'manage';
  if (granted === null) return null;
  return role === 'reader' ? 'read' : granted;
}

/** Whether a right held suffices for what is to be done. */
export function allows(held: Access | null, needed: Access): boolean {
  return held !== null && ACCESS_LEVELS.indexOf(held) >= ACCESS_LEVELS.indexOf(needed);
}
