import * as texts from '#messages/service/loading.ts';
import { codeOf, messageOf } from '#server/caught-errors.ts';
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

/** Something cannot be loaded; the lines are for the administrator. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[] | string, options?: ErrorOptions) {
    const all = typeof lines === 'string' ? [lines] : lines;
    super(all.join('\n'), options);
    this.lines = all;
  }
}

/** The number of problems that are listed; the rest is counted. */
export const MAX_SHOWN = 20;

/** Why a file cannot be opened or read, as a sentence. */
export function fileProblem(path: string, error: unknown): string {
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
      return texts.fileDoesNotExist(path);
    case 'EACCES':
    case 'EPERM':
      return texts.fileForbidden(path);
    case 'EISDIR':
      return texts.fileIsDirectory(path);
    default:
      return texts.fileUnreadable({
        path,
        value: messageOf(error),
      });
  }
}
