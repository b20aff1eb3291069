import * as texts from '#messages/service/loading.ts';
import { codeOf, messageOf } from '#server/lib/caught-errors.ts';

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
