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
