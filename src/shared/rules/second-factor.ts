import type { Role } from './rights.ts';

/** Which users need a second factor (`INDEXDESK_SECOND_FACTOR`). */
export const SECOND_FACTOR_POLICIES = ['optional', 'administrators', 'required'] as const;
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number];

/** Whether an installation requires a second factor of the users of a role. */
export function isFactorRequired(policy: SecondFactorPolicy, role: Role): boolean {
  switch (policy) {
    case 'optional':
      return false;
    case 'administrators':
      return role === 'administrator';
    case 'required':
      return true;
    default:
      return policy satisfies never;
  }
}
