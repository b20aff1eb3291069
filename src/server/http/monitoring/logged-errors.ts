import { DatabaseError } from 'pg';

type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack: string;
  readonly cause?: LoggedError;
};

/** PostgreSQL's errors about data: their messages repeat what was given. */
const ABOUT_DATA = /^2[23]/;
const DEEPEST = 5;

/**
 * An error as it is logged: what and where, never the values it was about. Other properties than these are
 * left out, as those of PostgreSQL's errors (`detail`, `where`) hold rows.
 */
export function withoutValues(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const [, ...frames] = (error.stack ?? '').split(/\n(?=\s+at )/);
  const message = messageOf(error);
  return {
    type: error.name,
    message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    stack: [`${error.name}: ${message}`, ...frames].join('\n'),
    ...(error.cause === undefined || depth >= DEEPEST
      ? {}
      : { cause: withoutValues(error.cause, depth + 1) }),
  };
}

function messageOf(error: Error): string {
  if (!(error instanceof DatabaseError) || !ABOUT_DATA.test(error.code ?? '')) return error.message;
  const { code, table, column, constraint } = error;
  const about = Object.entries({ table, column, constraint })
    .filter(([, name]) => name !== undefined)
    .map(([what, name]) => `, ${what} ${name}`)
    .join('');
  return `error ${code} about data${about}`;
}
