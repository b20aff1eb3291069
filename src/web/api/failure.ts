import * as texts from '#messages/failures.ts';
import type { ErrorBody, ErrorDetail, ErrorMessages } from '#shared/contract/errors.ts';

/** Why a call failed; every error of the web admin is one of these. */
export type ApiFailure =
  /** an error of the service (docs/interface/decisions.md, section 3) */
  | {
      readonly kind: 'api';
      readonly status: number;
      readonly code: string;
      readonly errors: ErrorMessages;
      /** the causes of the errors for programs, by path in the order of its messages */
      readonly details?: readonly ErrorDetail[];
      /** with `changed_meanwhile`: the current object, or several objects by id */
      readonly current?: unknown;
      readonly requestId: string;
      /** with `second_factor_required`: the body, which the second step of the sign-in parses */
      readonly secondStep?: unknown;
      /** seconds until a retry, if the service names them */
      readonly retryAfter: number | null;
    }
  /** no response */
  | { readonly kind: 'unreachable' }
  /** a file was saved again after it was chosen: browsers do not send it */
  | { readonly kind: 'changed-file' }
  /** a response of an unknown shape (a proxy's page, another service), unchanged */
  | {
      readonly kind: 'unrecognized';
      readonly status: number;
      readonly contentType: string;
      readonly text: string;
    };

/** The error with which a call rejects. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: ApiFailure;
  constructor(failure: ApiFailure) {
    super(summary(failure));
    this.failure = failure;
  }
}

/** Converts anything that was thrown to a failure; a defect of the page itself becomes `unrecognized` with status 0. */
export function toFailure(error: unknown): ApiFailure {
  if (error instanceof CallError) return error.failure;
  return { kind: 'unrecognized', status: 0, contentType: '', text: String(error) };
}

/** Whether the service answered a call with an error of one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  const failure = toFailure(error);
  return failure.kind === 'api' && statuses.includes(failure.status);
}

/** The failure as one line for the user. */
export function summary(failure: ApiFailure): string {
  switch (failure.kind) {
    case 'unreachable':
      return texts.unreachable;
    case 'changed-file':
      return texts.changedFile;
    case 'api': {
      const messages = Object.values(failure.errors).flat();
      return messages.length === 0 ? texts.answered({ code: failure.code }) : messages.join(' ');
    }
    case 'unrecognized':
      return failure.status === 0
        ? texts.pageFailed
        : texts.foreignAnswer({ status: failure.status });
    default:
      return failure satisfies never;
  }
}

/** The messages for one path (`indexFields.NAME`, `dataset.COLUMN`, `-` …); empty if there are none. */
export function messagesAt(failure: ApiFailure | null, path: string): readonly string[] {
  return failure?.kind === 'api' ? (failure.errors[path] ?? []) : [];
}

/** Whether a retry of the same call may succeed. */
export function isTemporary(failure: ApiFailure): boolean {
  return failure.kind === 'unreachable' || (failure.kind === 'api' && failure.status === 503);
}

/** Parses an error response. @param text its body */
export async function readFailure(response: Response, text: string): Promise<ApiFailure> {
  const contentType = response.headers.get('Content-Type') ?? '';
  const body = contentType.includes('json') ? errorBody(text) : undefined;
  if (!body) return { kind: 'unrecognized', status: response.status, contentType, text };
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const { details, ...answer } = body;
  return {
    kind: 'api',
    status: response.status,
    ...answer,
    errors: await inPageLanguage(answer, details),
    details,
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  };
}

// Parsed by hand: the first call of every visitor fails with 401, and the sign-in screen should not wait for the schema
// library.
function errorBody(text: string): (ErrorBody & { secondStep?: unknown }) | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { code, errors, details, requestId, current } = value;
  if (typeof code !== 'string' || typeof requestId !== 'string' || !isObject(errors)) {
    return undefined;
  }
  const messages: ErrorMessages = {};
  for (const [path, list] of Object.entries(errors)) {
    if (!Array.isArray(list)) return undefined;
    messages[path] = list.map(String);
  }
  return {
    code,
    errors: messages,
    details: Array.isArray(details) ? details.flatMap(errorDetail) : [],
    requestId,
    ...(current === undefined ? {} : { current }),
    ...(code === 'second_factor_required' && { secondStep: value }),
  };
}

function errorDetail(value: unknown): ErrorDetail[] {
  if (!isObject(value)) return [];
  const { path, code, params } = value;
  return typeof path === 'string' && typeof code === 'string' && isObject(params)
    ? [{ path, code, params }]
    : [];
}

/** The messages in the language of this page; the service's own texts if their codes are unknown here. */
async function inPageLanguage(
  { code, errors }: Pick<ErrorBody, 'code' | 'errors'>,
  details: readonly ErrorDetail[],
): Promise<ErrorMessages> {
  // The response to the first call of every visitor, which is not shown.
  if (code === 'unauthenticated') return errors;
  try {
    const { translateErrors } = await import('./translate-errors.ts');
    return translateErrors(errors, details);
  } catch {
    return errors;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
