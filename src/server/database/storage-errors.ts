import { OperatorError } from '#server/lib/operator-error.ts';
import * as errorTexts from '#messages/service/storage-errors.ts';
import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/database.ts';
import { codeOf, isPostgresError } from '#server/lib/caught-errors.ts';

/** The kinds of failures of the data storage. */
type StorageError =
  /** no space is left */
  | 'full'
  /** it can be read, but not written */
  | 'read only'
  /** the disk fails to read or write */
  | 'failing'
  /** the data read is not the data that was written */
  | 'damaged';

/** SQLite's result codes (https://sqlite.org/rescode.html), by their lowest byte. */
const SQLITE: Readonly<Record<number, StorageError>> = {
  8: 'read only',
  10: 'failing',
  11: 'damaged',
  13: 'full',
  14: 'failing',
  26: 'damaged',
};

/** Codes of the operating system and of PostgreSQL (its manual, appendix A). */
const STORAGE_CODES: Readonly<Record<string, StorageError>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read only',
  EACCES: 'read only',
  EPERM: 'read only',
  EIO: 'failing',
  '53100': 'full',
  '25006': 'read only',
  '58030': 'failing',
  XX001: 'damaged',
  XX002: 'damaged',
};

/** The storage failure that an error of the database or the file system reports; null if it reports anything else. */
export function storageErrorOf(error: unknown): StorageError | null {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && typeof error.errcode === 'number') {
    return SQLITE[error.errcode & 0xff] ?? null;
  }
  // An error of a system call, not one of an address or a socket.
  const ofFiles = 'syscall' in error && error.syscall !== 'listen' && error.syscall !== 'connect';
  if (!isPostgresError(error) && !ofFiles) return null;
  const code = codeOf(error);
  return Object.hasOwn(STORAGE_CODES, code) ? (STORAGE_CODES[code] ?? null) : null;
}

/** The message for the user whose request failed. */
export const USER_MESSAGES: Readonly<Record<StorageError, Message>> = {
  full: errorTexts.diskFull,
  'read only': errorTexts.readOnly,
  failing: errorTexts.diskFailed,
  damaged: errorTexts.databaseDamaged,
};

/** Explains an error of opening the SQLite database at a path, with the remedy for the administrator. */
export function explainOpenError(path: string, error: unknown): unknown {
  const storageError = storageErrorOf(error);
  if (storageError === null || !(error instanceof Error)) return error;
  return new OperatorError(`${OPENING_MESSAGES[storageError](path)} (${error.message})`, {
    cause: error,
  });
}

const OPENING_MESSAGES: Readonly<Record<StorageError, (path: string) => string>> = {
  full: texts.startDiskFull,
  'read only': texts.startReadOnly,
  failing: texts.startDiskFailed,
  damaged: texts.startDamaged,
};

/**
 * The message for the administrator about an error that ended a command: for disk errors more than the system's
 * message.
 */
export function explainCommand(error: Error): string {
  const storageError = storageErrorOf(error);
  return storageError === 'full' || storageError === 'failing'
    ? `${COMMAND_MESSAGES[storageError]} (${error.message})`
    : error.message;
}

const COMMAND_MESSAGES = { full: texts.commandDiskFull, failing: texts.commandDiskFailed };
