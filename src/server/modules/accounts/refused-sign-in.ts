import type { WarningLog } from '#server/lib/warning-log.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Refusals } from '../history/refusals.ts';
import type { User } from './users.service.ts';

/** A rejected sign-in. */
interface RefusedSignIn {
  readonly user: Pick<User, 'id' | 'username'> | null | undefined;
  readonly address: string;
  /** method and route */
  readonly call: string;
  /** how the log names the account */
  readonly account: object;
  /** the code of the reason; by default that of the error */
  readonly reason?: string;
  readonly log: WarningLog;
}

/** Writes a rejected sign-in into the log, and into the audit unless the service has failed. */
export function recordRefusedSignIn(
  error: unknown,
  refusals: Refusals,
  { user, address, account, call, reason = codeOfError(error), log }: RefusedSignIn,
): void {
  log.warn({ ...account, address, reason }, 'sign-in refused');
  if (!(error instanceof ApiError) || error.status >= 500) return;
  const known = user ? { userId: user.id, username: user.username } : null;
  refusals.add({ user: known, address, call, reason });
}

function codeOfError(error: unknown): string {
  return error instanceof ApiError ? error.code : 'internal';
}
