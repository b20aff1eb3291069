import * as texts from '#messages/service/oidc.ts';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { ApiError } from '#shared/contract/errors.ts';

/** Error codes of openid-client for a missing answer. */
const UNREACHABLE = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** The error that answers a sign-in after an error of openid-client or jose. @param provider its name */
export function providerError(error: unknown, provider: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AuthorizationResponseError) {
    const text = texts.refusedByProvider({ provider, error: error.error.slice(0, 100) });
    return new ApiError('forbidden', text);
  }
  if (error instanceof ResponseBodyError && error.status < 500) {
    return error.error === 'invalid_grant'
      ? new ApiError('malformed', texts.codeUsed({ provider }))
      : new ApiError('unavailable', texts.providerWrong({ provider }));
  }
  const codes = codesOf(error);
  if (codes.includes('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) {
    return new ApiError('forbidden', texts.clocksDiffer({ provider }));
  }
  if (isUnreachable(error, codes)) {
    return new ApiError('unavailable', texts.providerUnreachable({ provider }));
  }
  return new ApiError('forbidden', texts.providerWrong({ provider }));
}

/** Whether there was no answer, or a server error. */
function isUnreachable(error: unknown, codes: readonly string[]): boolean {
  if (codes.some((code) => UNREACHABLE.has(code) || /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code))) {
    return true;
  }
  return causesOf(error).some(
    (cause) =>
      (cause instanceof Response && cause.status >= 500) ||
      (cause instanceof ResponseBodyError && cause.status >= 500) ||
      (cause instanceof TypeError && cause.message === 'fetch failed') ||
      (cause instanceof Error && cause.name === 'TimeoutError'),
  );
}

function codesOf(error: unknown): string[] {
  return causesOf(error).flatMap((cause) =>
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? [cause.code] : [],
  );
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause !== undefined && causes.length < 5;) {
    causes.push(cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
