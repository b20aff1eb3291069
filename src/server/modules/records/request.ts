import type * as z from 'zod';
import type { RouteRequest, Targets } from '#server/http/route.ts';
import { ApiError, type ErrorMessages } from '#shared/errors.ts';
import { parseTotal } from '#shared/lists.ts';
import type { Writer } from './records.service.ts';

/** Who writes, as a request tells it. */
export function writerOf({ caller, call }: RouteRequest<keyof Targets, unknown>): Writer {
  return {
    userId: caller.userId,
    username: caller.username,
    address: caller.address,
    call,
    sessionId: caller.sessionId,
    administrator: caller.role === 'administrator',
  };
}

/**
 * Reads an id from the path.
 * @throws {ApiError} 404 with the message where it is none: nothing of that id can exist
 */
export function idParameter(
  schema: z.ZodType<number>,
  text: string | undefined,
  message: string,
): number {
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw new ApiError('not_found', message);
  return parsed.data;
}

/**
 * Reads the parameters of a query that takes only these, each at most once.
 * @throws {ApiError} 400 naming each one that is not known or given twice
 */
export function ownParameters<Name extends string>(
  query: readonly (readonly [string, string])[],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  // Without a prototype: a sender may name a parameter `constructor` or `__proto__`.
  const errors: ErrorMessages = Object.create(null);
  const values: Partial<Record<Name, string>> = {};
  for (const [given, value] of query) {
    const name = names.find((known) => known === given);
    if (!name) errors[given] = ['This parameter is not known here.'];
    else if (values[name] !== undefined) errors[given] = ['This parameter may be given only once.'];
    else if (value.includes('\u0000')) errors[given] = ['The NUL character cannot be looked for.'];
    else values[name] = value;
  }
  if (Object.keys(errors).length > 0) throw new ApiError('malformed', errors);
  return values;
}

/**
 * Reads the parameter `total` of a list that takes none of the filters (`parseTotal`).
 * @throws {ApiError} 400 where it is neither `true` nor `false`
 */
export function totalParameter(text: string | undefined): boolean {
  return parseTotal(text, (message) => {
    throw new ApiError('malformed', { total: [message] });
  });
}
