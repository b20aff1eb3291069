import { ApiError } from '#shared/contract/errors.ts';
import type { Message } from '#shared/messages/message.ts';

/** The error for a request that failed because of the database. */
export function unavailable(message: Message, cause: unknown): ApiError {
  return new ApiError('unavailable', message, { cause });
}
