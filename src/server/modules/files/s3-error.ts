import * as texts from '#messages/service/storage.ts';
/**
 * A store with S3's interface rejects a request, cannot be reached or breaks the connection. The message is for the
 * administrator.
 */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** HTTP status; 0 if there was no answer */
  readonly status: number;

  constructor(message: string, about: { readonly status?: number; readonly cause?: Error } = {}) {
    super(message, about.cause && { cause: about.cause });
    this.status = about.status ?? 0;
  }
}

/** @param error of a request by the client of S3 */
export function toS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  const status = statusOf(error);
  if (status > 0) {
    // An answer without a body, as to HEAD, has no reason: the client calls it unknown.
    const reason = [cause.name, cause.message].filter((text) => !/^Unknown|^[0-9]+$/.test(text));
    return new S3Error([texts.bucketAnswers(status), ...reason].join(', '), { status, cause });
  }
  if (cause.name === 'TimeoutError') return new S3Error(texts.bucketSilent, { cause });
  const code = 'code' in cause ? String(cause.code) : '';
  return new S3Error(cause.message === '' ? code : cause.message, { cause });
}

function statusOf(error: unknown): number {
  const status: unknown = Object(Object(error).$metadata).httpStatusCode;
  return typeof status === 'number' ? status : 0;
}
