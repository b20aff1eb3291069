import { elementOf } from './xml.ts';

/** The store of S3's interface refuses, cannot be reached or breaks off; the message is for the administrator. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** of HTTP; 0 where none was answered */
  readonly status: number;
  /** S3's own, such as `NoSuchKey`; '' where none was answered */
  readonly code: string;

  constructor(
    message: string,
    about: { readonly status?: number | undefined; readonly code?: string; readonly cause?: Error },
  ) {
    super(message, about.cause && { cause: about.cause });
    this.status = about.status ?? 0;
    this.code = about.code ?? '';
  }

  /** @param body XML, or anything else where a proxy answered */
  static ofAnswer(status: number, body: string): S3Error {
    const code = elementOf(body, 'Code') ?? '';
    const message = elementOf(body, 'Message') ?? '';
    return new S3Error([`It answers ${status}`, code, message].filter(Boolean).join(', '), {
      status,
      code,
    });
  }

  static ofConnection(error: Error): S3Error {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    return new S3Error(error.message === '' ? code : error.message, { cause: error });
  }
}

const PASSING_STATUS = [0, 408, 429, 500, 502, 503, 504];
const PASSING_CODES = ['RequestTimeout', 'InternalError', 'SlowDown', 'ServiceUnavailable'];

/** Whether the same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof S3Error)) return false;
  return PASSING_STATUS.includes(error.status) || PASSING_CODES.includes(error.code);
}
