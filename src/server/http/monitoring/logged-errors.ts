import { codeOf, isPostgresError } from '#server/lib/caught-errors.ts';

type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack: string;
  readonly cause?: LoggedError;
};

/** PostgreSQL's data errors: their messages repeat values. */
const DATA_ERROR = /^2[23]/;
const MAX_DEPTH = 5;

/**
 * An error in the form for the log: its kind and location, without values. All other properties are removed, because
 * those of PostgreSQL's errors (`detail`, `where`) contain rows.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const [, ...frames] = (error.stack ?? '').split(/\n(?=\s+at )/);
  const message = messageOf(error);
  const code = codeOf(error);
  return {
    type: error.name,
    message,
    ...(code === '' ? {} : { code }),
    stack: [`${error.name}: ${message}`, ...frames].join('\n'),
    ...(error.cause === undefined || depth >= MAX_DEPTH
      ? {}
      : { cause: toLoggedError(error.cause, depth + 1) }),
  };
}

function messageOf(error: Error): string {
  if (!isPostgresError(error) || !DATA_ERROR.test(error.code ?? '')) return error.message;
  const { code, table, column, constraint } = error;
  const about = Object.entries({ table, column, constraint })
    .filter(([, name]) => name !== undefined)
    .map(([what, name]) => `, ${what} ${name}`)
    .join('');
  return `error ${code} about data${about}`;
}
