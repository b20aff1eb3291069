import * as texts from '#messages/service/http.ts';
import * as factorTexts from '#messages/service/factors.ts';
import type { Transaction } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { isFactorRequired, type SecondFactorPolicy } from '#shared/rules/second-factor.ts';
import { hasFactor } from '../factors/factors.service.ts';
import type { User } from './users.service.ts';

/**
 * Checks that a correct password alone is enough to get a token (docs/interface/administration.md, section 6).
 * @throws {ApiError} 403 if it is not
 */
export async function requirePasswordAlone(
  db: Transaction,
  user: User,
  policy: SecondFactorPolicy,
): Promise<void> {
  if (user.mustChangePassword) {
    throw new ApiError('password_change_required', texts.passwordChangeRequired);
  }
  if (isFactorRequired(policy, user.role) || (await hasFactor(db, user.id))) {
    throw new ApiError('forbidden', factorTexts.passwordNotEnough);
  }
}
