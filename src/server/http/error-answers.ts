import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/http.ts';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { clientDisconnected } from '#server/database/query-cancellation.ts';
import { USER_MESSAGES, storageErrorOf } from '#server/database/storage-errors.ts';
import { ERROR_PAGE_POLICY, errorPage } from './error-page.ts';
import { ApiError, detailsOf, type ErrorBody, textsOf } from '#shared/contract/errors.ts';
import { DATA_POLICY } from './security-headers.ts';
import { codeOf } from '#server/lib/caught-errors.ts';

/** Fastify's own errors that a client can cause, by code. */
const FASTIFY_ERRORS: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('unsupported_media_type', texts.contentTypeUnknown),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('too_large', texts.bodyTooLarge),
  FST_ERR_BAD_URL: () => notFound(),
  FST_ERR_MAX_PARAM_LENGTH: () => notFound(),
};

export function notFound(): ApiError {
  return new ApiError('not_found', texts.nothingHere);
}

/** The error that answers a thrown value; for a defect of the service it does not contain the cause. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const code = codeOf(error);
  const known = Object.hasOwn(FASTIFY_ERRORS, code) ? FASTIFY_ERRORS[code] : undefined;
  if (known) return known();
  if (error instanceof Error && 'statusCode' in error && code.startsWith('FST_')) {
    const { statusCode } = error;
    if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
      return new ApiError('malformed', texts.requestNotUnderstood);
    }
  }
  const storageError = storageErrorOf(error);
  if (storageError) return new ApiError('unavailable', USER_MESSAGES[storageError]);
  return new ApiError('internal', texts.internalError);
}

/** The body of every answer with an error status (docs/interface/decisions.md, section 3). */
function errorBody(error: ApiError, requestId: string): ErrorBody {
  return {
    code: error.code,
    errors: textsOf(error.messages),
    details: detailsOf(error.messages),
    requestId,
    ...(error.current === undefined ? {} : { current: error.current }),
    ...(error.plan === undefined ? {} : { plan: error.plan }),
    ...error.secondFactor,
  };
}

/**
 * Answers an error; no other code does.
 * @param pageTitle title of an error page, if a browser shows the answer to a person; undefined: JSON
 */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  pageTitle?: string,
): FastifyReply {
  const answered = isAnswerAborted(error, reply) ? clientDisconnected() : toApiError(error);
  request.errorCode = answered.code;
  const shed = answered.code === 'unavailable' && 'retry-after' in answered.headers;
  // Under overload these lines would add to the load; the line of each request contains its status.
  if (answered.status >= 500 && !shed) request.log.error({ err: error }, answered.code);
  if (answered.code === 'unavailable' && !shed) reply.header('retry-after', RETRY_AFTER);
  reply.code(answered.status).headers({ ...answered.headers, 'cache-control': 'no-store' });
  if (pageTitle !== undefined) {
    const messages = Object.values(textsOf(answered.messages)).flat();
    return reply
      .header('content-security-policy', ERROR_PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(errorPage(pageTitle, messages, request.id));
  }
  return reply
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(answered, request.id)));
}

/** Answers requests that Node's HTTP parser rejected: oversized headers, an unknown method, an incomplete request. */
export function answerParserError(log: FastifyBaseLogger, error: Error, socket: Socket): void {
  const code = codeOf(error);
  if (code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, message] = PARSER_ERRORS[code] ?? [400, texts.notHttp];
  const requestId = randomUUID();
  log.info({ reqId: requestId, parserError: code }, 'request refused');
  const body = JSON.stringify(errorBody(new ApiError('malformed', message), requestId));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\nConnection: close\r\n' +
      'X-Content-Type-Options: nosniff\r\nReferrer-Policy: same-origin\r\n' +
      `Content-Security-Policy: ${DATA_POLICY}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Whether the client has disconnected before the first byte of a streamed answer: Fastify then ends the stream. */
function isAnswerAborted(error: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
}

const PARSER_ERRORS: Readonly<Record<string, readonly [number, Message]>> = {
  HPE_HEADER_OVERFLOW: [431, texts.headersTooLong],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, texts.chunkExtensionsTooLong],
  ERR_HTTP_REQUEST_TIMEOUT: [408, texts.requestTooSlow],
};

/** Seconds, if the problem may be short-lived. */
const RETRY_AFTER = '2';
