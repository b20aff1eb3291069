import { codeOf, isPostgresError } from '#server/lib/caught-errors.ts';
import type { DatabaseError } from 'pg';

/** What to do after an error of PostgreSQL or of the connection to it. */
type Remedy =
  /** the transaction conflicted with another one; a retry may succeed */
  | 'retry'
  /** a row with the same key was written meanwhile; a retry sees it */
  | 'retry-once'
  /** another transaction has held a lock for too long */
  | 'occupied'
  /** the server has become a standby: a new connection may lead to the primary */
  | 'reconnect-to-primary'
  /** a prepared statement was lost or is invalid; a retry without prepared statements may succeed */
  | 'retry-unprepared'
  /** the connection is broken or could not be made */
  | 'reconnect'
  /** the error is the work's own */
  | 'none';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
/** Two transactions wrote the same value to a unique column: the later one sees it on a retry. */
const EXCLUSION_VIOLATION = '23P01';
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY_TRANSACTION = '25006';
const UNKNOWN_STATEMENT_NAME = '26000';
const STATEMENT_NAME_TAKEN = '42P05';
const PREPARED_STATEMENT_ERRORS = new Set([UNKNOWN_STATEMENT_NAME, STATEMENT_NAME_TAKEN]);
const CONFLICTS = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, EXCLUSION_VIOLATION]);

/** The server closes or rejects the connection: shutdown, crash, start-up, too many connections. */
const CONNECTION_STATES = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04']);

/** Errors of the system and of pg for a connection that breaks or cannot be opened. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/;

/** The remedy for the error of a transaction whose COMMIT was not sent. */
export function remedyOf(error: unknown): Remedy {
  if (isPostgresError(error)) {
    if (error.code !== undefined && CONFLICTS.has(error.code)) return 'retry';
    if (error.code === UNIQUE_VIOLATION) return 'retry-once';
    if (isPreparedStatementError(error)) return 'retry-unprepared';
    if (error.code === LOCK_NOT_AVAILABLE) return 'occupied';
    if (error.code === READ_ONLY_TRANSACTION) return 'reconnect-to-primary';
    return isConnectionState(error.code) ? 'reconnect' : 'none';
  }
  if (error instanceof AggregateError) {
    return error.errors.some((cause) => remedyOf(cause) === 'reconnect') ? 'reconnect' : 'none';
  }
  if (!(error instanceof Error)) return 'none';
  if (CONNECTION_CODES.has(codeOf(error))) {
    return 'reconnect';
  }
  return CONNECTION_MESSAGES.test(error.message) ? 'reconnect' : 'none';
}

/** `Adapter.isLockTimeout` */
export function isLockTimeout(error: unknown): boolean {
  if (isPostgresError(error)) return error.code === LOCK_NOT_AVAILABLE;
  return error instanceof Error && error.cause !== undefined && isLockTimeout(error.cause);
}

/** Whether the error of a COMMIT proves that nothing was committed. */
export function isRolledBack(error: unknown): boolean {
  return isPostgresError(error) && !isConnectionState(error.code);
}

/** A pooler without prepared statements has reassigned the connection, or a column's type was changed. */
function isPreparedStatementError({ code, routine }: DatabaseError): boolean {
  return (
    (code !== undefined && PREPARED_STATEMENT_ERRORS.has(code)) ||
    routine === 'RevalidateCachedQuery'
  );
}

function isConnectionState(code: string | undefined): boolean {
  return code !== undefined && (code.startsWith('08') || CONNECTION_STATES.has(code));
}
