import type { Caller, PathParams } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import { isSameName } from '#shared/rules/names.ts';

/** @throws {ApiError} 403 if the path names another user than the caller */
export function requireSelf({ username }: Caller, params: PathParams, message: Message): void {
  if (!isSameName(params['username'] ?? '', username)) throw new ApiError('forbidden', message);
}
