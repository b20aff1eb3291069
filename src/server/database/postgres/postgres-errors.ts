import { DatabaseError } from 'pg';

/** What to do after an error of PostgreSQL or of the connection to it. */
export type Remedy =
  /** the transaction met another one; run again, it may pass */
  | 'again'
  /** a row of the same key was written meanwhile; run again, the work sees it */
  | 'again-once'
  /** another transaction has held a lock for too long */
  | 'occupied'
  /** the server has become another's standby: a new connection may lead to the one that is written to */
  | 'elsewhere'
  /** a prepared statement was lost, or may not be used any more; run again without, it may pass */
  | 'unprepared'
  /** the connection is broken or could not be made */
  | 'reconnect'
  /** the error is the work's own */
  | 'none';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
/** Two transactions have given the same value to a unique column: the later one finds it when run again. */
const EXCLUSION_VIOLATION = '23P01';
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY_TRANSACTION = '25006';
const UNKNOWN_STATEMENT_NAME = '26000';
const STATEMENT_NAME_TAKEN = '42P05';
const NO_NAMES = new Set([UNKNOWN_STATEMENT_NAME, STATEMENT_NAME_TAKEN]);
const MET_ANOTHER = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, EXCLUSION_VIOLATION]);

/** The server ends or refuses the connection: shutdown, crash, start-up, too many connections. */
const CONNECTION_STATES = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04']);

/** The system's and pg's own errors for a connection that breaks or cannot be made. */
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

/** What the error of a transaction asks for, as long as its COMMIT was not sent. */
export function remedyOf(error: unknown): Remedy {
  if (error instanceof DatabaseError) {
    if (error.code !== undefined && MET_ANOTHER.has(error.code)) return 'again';
    if (error.code === UNIQUE_VIOLATION) return 'again-once';
    if (isOfPrepared(error)) return 'unprepared';
    if (error.code === LOCK_NOT_AVAILABLE) return 'occupied';
    if (error.code === READ_ONLY_TRANSACTION) return 'elsewhere';
    return isConnectionState(error.code) ? 'reconnect' : 'none';
  }
  if (error instanceof AggregateError) {
    return error.errors.some((one) => remedyOf(one) === 'reconnect') ? 'reconnect' : 'none';
  }
  if (!(error instanceof Error)) return 'none';
  if ('code' in error && typeof error.code === 'string' && CONNECTION_CODES.has(error.code)) {
    return 'reconnect';
  }
  return CONNECTION_MESSAGES.test(error.message) ? 'reconnect' : 'none';
}

/** Whether a transaction failed because a lock was not to be had in time, whatever that was answered as. */
export function isLockTimeout(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === LOCK_NOT_AVAILABLE;
  return error instanceof Error && error.cause !== undefined && isLockTimeout(error.cause);
}

/** Whether the error of a COMMIT is the server's word that nothing was committed. */
export function saysRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && !isConnectionState(error.code);
}

/** A pooler without prepared statements has given the connection to another, or a column's type was changed. */
function isOfPrepared({ code, routine }: DatabaseError): boolean {
  return (code !== undefined && NO_NAMES.has(code)) || routine === 'RevalidateCachedQuery';
}

function isConnectionState(code: string | undefined): boolean {
  return code !== undefined && (code.startsWith('08') || CONNECTION_STATES.has(code));
}
