import * as texts from '#messages/service/http.ts';
import { hash } from 'node:crypto';
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
import { LARGE_BODY_BYTES } from './body-memory.ts';
import { receiveBody, tooLarge, withBytes } from './receive-body.ts';

/** Whether a request has a body of at least one byte, according to its headers. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** The largest body that is read before the session is known to be valid, in bytes. */
export const MAX_ANONYMOUS_BODY_BYTES = 16 * 1024;

/** Whether the body of a request may be read before its session is checked, according to its headers. */
export function isReadableBeforeSession({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= MAX_ANONYMOUS_BODY_BYTES
  );
}

/**
 * Waits for a body, with an absolute deadline, which a client cannot extend by sending single bytes.
 * @param seconds from now on
 * @param onDeadline called once when the body is late; the wait continues unless it rejects
 * @throws the rejection of `onDeadline`
 */
export async function readWithDeadline<T>(
  reading: Promise<T>,
  seconds: number,
  onDeadline: () => Promise<unknown>,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => void onDeadline().catch(late.reject), seconds * 1000);
  // It rejects again when the connection is closed after the answer.
  reading.catch(ignore);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns the error for a body that came too slowly; its connection is closed afterwards */
export function bodyTooSlow(seconds: number): ApiError {
  return new ApiError('malformed', texts.bodyTooSlow({ seconds }), {
    status: 408,
    headers: { connection: 'close' },
  });
}

/**
 * Whether a body of unknown length is empty, which counts as no body: some clients announce chunks and send none. Waits
 * for its first byte, without consuming it.
 */
export async function isBodyEmpty(raw: IncomingMessage): Promise<boolean> {
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

/** @throws {ApiError} 415 if a body has another media type, or a content encoding */
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
 * The largest batch (10,000 revisions with 115 index fields, each of three values) stays below this limit. More tiny values
 * would block the process for many seconds, and take more memory (docs/decisions/0018-memory.md). `keys` is more than a table
 * can have columns.
 */
const LIMITS: JsonLimits = { values: 3_500_000, keys: 10_000 };

/** @throws {ApiError} 413 if the announced length of a request exceeds the limit */
function requireLength(request: FastifyRequest, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a JSON body.
 * @param limit bytes
 * @param incomingDir where large bodies wait for their turn
 * @returns undefined if the body is empty; `fingerprintBytes` is equal for equal bodies
 * @throws {ApiError} 415, 413, 400 or 422 in this order
 */
export async function readJsonBody(
  request: FastifyRequest,
  limit: number,
  incomingDir: string,
): Promise<{ readonly fingerprintBytes: Buffer; readonly value: JsonValue } | undefined> {
  requireMediaType(request, 'application/json');
  requireLength(request, limit);
  const received = await receiveBody(request.raw, limit, incomingDir);
  if (received.length === 0) return undefined;
  const { text, fingerprintBytes } = await withBytes(request.raw, received, (bytes) => {
    // Not the bytes of a large body, which would be in memory besides its text and its values.
    const fingerprintBytes =
      bytes.length > LARGE_BODY_BYTES ? hash('sha256', bytes, 'buffer') : bytes;
    return { text: decode(bytes), fingerprintBytes };
  });
  try {
    return { fingerprintBytes, value: await parseJsonWithPauses(text, LIMITS, yieldToEventLoop) };
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
 * @throws {ApiError} 415, 413; 400 for a repeated name
 */
export async function readUrlEncodedBody(
  request: FastifyRequest,
  limit: number,
  incomingDir: string,
): Promise<{
  readonly fingerprintBytes: Buffer;
  readonly value: Readonly<Record<string, string>>;
}> {
  requireMediaType(request, URL_ENCODED);
  requireLength(request, limit);
  const received = await receiveBody(request.raw, limit, incomingDir);
  const fingerprintBytes = await withBytes(request.raw, received, (bytes) => bytes);
  const fields = [...new URLSearchParams(fingerprintBytes.toString('utf8'))];
  const value = Object.fromEntries(fields);
  if (Object.keys(value).length < fields.length) {
    throw new ApiError('malformed', texts.fieldTwice);
  }
  return { fingerprintBytes, value };
}

const ignore = () => undefined;
