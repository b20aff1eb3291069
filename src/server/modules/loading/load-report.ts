import { ApiError, textsOf } from '#shared/contract/errors.ts';

/** Receives the messages of a load, which are sentences or short phrases for the administrator. */
export interface LoadReport {
  /** The progress; each message replaces the previous one. Called often. */
  progress(text: string): void;
  /** A result. */
  info(line: string): void;
  /** A warning that does not stop the load. */
  warn(line: string): void;
  /** An error: something was not loaded. */
  fail(line: string): void;
}

/**
 * Reports why something was refused.
 * @param lineOf the line for a message
 * @throws any other error
 */
export function reportRefusal(
  report: LoadReport,
  error: unknown,
  lineOf: (message: string) => string,
): void {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  for (const message of Object.values(textsOf(error.messages)).flat()) report.fail(lineOf(message));
}
