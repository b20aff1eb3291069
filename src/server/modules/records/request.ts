import type * as z from 'zod';
import type { RouteRequest, Targets } from '#server/http/route.ts';
import { ApiError } from '#shared/errors.ts';
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
