import type { DatabaseError } from 'pg';

/** The message of what was thrown. */
export function messageOf(error: unknown): string {
  // If all addresses of a host refuse, the error is an AggregateError without a message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Whether PostgreSQL has reported an error; by its properties, because loading `pg` takes memory that SQLite does not need. */
export function isPostgresError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'severity' in error && 'routine' in error;
}

/** Whether a file or directory does not exist. */
export function isMissingFile(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** The code of an error of the system or a library, such as `EACCES`; '' if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
