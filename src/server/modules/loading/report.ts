/** Whom a load tells what it does. All are whole sentences or short phrases for the administrator. */
export interface LoadReport {
  /** How far it is; each replaces the one before. Called often. */
  progress(text: string): void;
  /** A result that stays. */
  say(line: string): void;
  /** Something to look at that does not stop the load. */
  warn(line: string): void;
  /** Why something was not loaded. */
  fail(line: string): void;
}

/** Something that cannot be loaded, told to the administrator line by line. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[] | string, options?: ErrorOptions) {
    const told = typeof lines === 'string' ? [lines] : lines;
    super(told.join('\n'), options);
    this.lines = told;
  }
}

/** How many of a long list of problems are shown; the rest is counted. */
export const MOST_SHOWN = 20;

/** What is wrong with a file that cannot be opened or read, as a sentence. */
export function fileProblem(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return `The file ${path} does not exist.`;
    case 'EACCES':
    case 'EPERM':
      return `The file ${path} may not be read.`;
    case 'EISDIR':
      return `${path} is a directory, not a file.`;
    default:
      return `The file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** A count with its thousands separated. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
