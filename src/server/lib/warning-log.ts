/** The part of a log that background work needs. */
export interface WarningLog {
  warn(about: unknown, message: string): void;
}
