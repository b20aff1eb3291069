import * as texts from '#messages/service/http.ts';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { URL_ENCODED } from './route.ts';
import {
  JsonSyntaxError,
  JsonTooLargeError,
  parseJsonWithPauses,
  type JsonLimits,
  type JsonValue,
} from '#shared/values/json.ts';
import { LARGE } from './large-bodies.ts';
import { receiveBody, tooLarge, withBytes } from './receive-body.ts';

/** Whether a request carries a body of at least one byte, by its headers. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** The largest body that is read before the session of its request is known to be valid, in bytes. */
export const MAX_ANONYMOUS_BODY_BYTES = 16 * 1024;

/** Whether the body of a request may be read before its session is checked, by its headers. */
export function isReadableBeforeSession({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= MAX_ANONYMOUS_BODY_BYTES
  );
}

/**
 * Waits for a body, with an absolute deadline: a client that sends single bytes gains no time by them.
 * @param seconds from now on
 * @param onDeadline called once when the body is late; the wait continues unless it rejects
 * @throws what `onDeadline` rejects with
 */
export async function readWithin<T>(
  reading: Promise<T>,
  seconds: number,
  onDeadline: () => Promise<unknown>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => void onDeadline().catch(late.reject), seconds * 1000);
  // It fails once more when the connection is closed after the answer.
  reading.catch(ignore);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns the answer to a body that came too slowly; its connection is closed after it */
export function bodyTooSlow(seconds: number): ApiError {
  return new ApiError('malformed', texts.bodyTooSlow({ seconds }), {
    status: 408,
    headers: { connection: 'close' },
  });
}

/**
 * Whether a body of unknown length turns out to be empty, which is no body at all: some clients announce
 * chunks and send none. Waits for its first byte; nothing of it is lost.
 */
export async function isEmptyAfterAll(raw: IncomingMessage): Promise<boolean> {
  if (raw.headers['transfer-encoding'] === undefined) return false;
  await new Promise<void>((resolve) => {
    const go = () => {
      raw.off('readable', go).off('end', go).off('close', go).off('error', go);
      resolve();
    };
    raw.on('readable', go).on('end', go).on('close', go).on('error', go);
  });
  return raw.readableLength === 0 && raw.complete;
}

/** @throws {ApiError} 415 where a body is not of the media type, or encoded */
export function requireMediaType(request: FastifyRequest, mediaType: string): void {
  const { 'content-type': given = '', 'content-encoding': encoding = 'identity' } = request.headers;
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim().toLowerCase());
  if (type !== mediaType) {
    throw new ApiError('unsupported_media_type', texts.mediaTypeNotAccepted({ mediaType }));
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw new ApiError('unsupported_media_type', texts.charsetNotAccepted);
  }
  if (encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', texts.bodyCompressed);
  }
}

/**
 * 10,000 entries with 66 fields of a name and a value each are below it; masses of tiny values would keep the process
 * busy for many seconds. No table has as many columns.
 */
const LIMITS: JsonLimits = { values: 2_000_000, keys: 10_000 };

/** @throws {ApiError} 413 where the length that a request announces is above the limit */
function requireLength(request: FastifyRequest, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a body of JSON.
 * @param limit bytes
 * @param incomingDir where large bodies wait for their turn
 * @returns undefined where the body is empty after all; `essence` is equal for equal bodies
 * @throws {ApiError} 415, 413, 400 or 422 in this order
 */
export async function readJsonBody(
  request: FastifyRequest,
  limit: number,
  incomingDir: string,
): Promise<{ readonly essence: Buffer; readonly value: JsonValue } | undefined> {
  requireMediaType(request, 'application/json');
  requireLength(request, limit);
  const received = await receiveBody(request.raw, limit, incomingDir);
  if (received.length === 0) return undefined;
  const { text, essence } = await withBytes(request.raw, received, (bytes) => {
    // Not the bytes of a large body: they would be in memory beside its text and its values.
    const essence = bytes.length > LARGE ? createHash('sha256').update(bytes).digest() : bytes;
    return { text: decode(bytes), essence };
  });
  try {
    return { essence, value: await parseJsonWithPauses(text, LIMITS, yieldToEventLoop) };
  } catch (error) {
    if (error instanceof JsonTooLargeError) {
      throw new ApiError('validation_failed', texts.bodyHoldsTooMuch({ reason: error.message }));
    }
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ApiError('malformed', texts.bodyNotJson({ reason: error.message }));
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ApiError('malformed', texts.bodyNotUtf8);
  }
}

/**
 * Reads the names and values of a form (WHATWG URL, section 5.1).
 * @throws {ApiError} 415, 413; 400 where a name comes twice
 */
export async function readUrlEncodedBody(
  request: FastifyRequest,
  limit: number,
  incomingDir: string,
): Promise<{ readonly essence: Buffer; readonly value: Readonly<Record<string, string>> }> {
  requireMediaType(request, URL_ENCODED);
  requireLength(request, limit);
  const received = await receiveBody(request.raw, limit, incomingDir);
  const essence = await withBytes(request.raw, received, (bytes) => bytes);
  const fields = [...new URLSearchParams(essence.toString('utf8'))];
  const value = Object.fromEntries(fields);
  if (Object.keys(value).length < fields.length) {
    throw new ApiError('malformed', texts.fieldTwice);
  }
  return { essence, value };
}

const ignore = () => undefined;
