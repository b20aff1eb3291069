import * as texts from '#messages/service/records.ts';
import { jridSchema, revisionIdSchema } from '#shared/contract/requests.ts';
import type { Message } from '#shared/messages/message.ts';
import type * as z from 'zod';
import type { RouteRequest, Targets } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { Writer } from './records.service.ts';

/** The author of a write, from its request. */
export function writerOf({ caller, call }: RouteRequest<keyof Targets, unknown>): Writer {
  return {
    userId: caller.userId,
    username: caller.username,
    address: caller.address,
    call,
    sessionId: caller.sessionId,
    isAdministrator: caller.role === 'administrator',
  };
}

/** The id of the revision or dataset that the path names. @throws {ApiError} 404 */
export function recordIdOf({
  target,
  params,
}: Pick<RouteRequest<CollectionKind, unknown>, 'target' | 'params'>): number {
  return target.kind === 'archive'
    ? idParameter(revisionIdSchema, params['revisionId'], texts.noSuchRevision)
    : idParameter(jridSchema, params['jrid'], texts.noSuchRecord);
}

/**
 * Reads an id from the path.
 * @throws {ApiError} 404 with the message if it is invalid: no record can have that id
 */
export function idParameter(
  schema: z.ZodType<number>,
  text: string | undefined,
  message: Message,
): number {
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw new ApiError('not_found', message);
  return parsed.data;
}
