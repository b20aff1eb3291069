import * as texts from '#messages/service/http.ts';
import { pipeline, Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { compressAnswer } from './encodings.ts';
import { sendError } from './error-answers.ts';
import type { FinishedAnswer } from './idempotency.ts';
import { drainRequestBody } from './drain-request-body.ts';
import { choosePart, type RangedBytes } from './byte-range.ts';
import type { Answer, AnswerHeaders } from './route.ts';

/** An answer without a stream, ready to send and store. */
export async function toFinishedAnswer(answer: Answer, status: number): Promise<FinishedAnswer> {
  if (answer.stream || answer.json)
    throw new Error('A call that writes cannot answer with a stream.');
  const { headers = {} } = answer;
  return { status: answer.status ?? status, headers, body: await toJson(answer) };
}

/** The JSON of an answer; null: it has no content. */
async function toJson({ text, body }: Answer): Promise<string | null> {
  if (text) return text();
  return body === undefined ? null : JSON.stringify(body);
}

/**
 * What a handler returns, for Fastify to send; undefined: an answer without a body. A handler that sends it and returns
 * the reply would wait for the end of the answer, which costs listeners on each (`Reply.then`).
 */
export type Payload = string | Buffer | Readable | undefined;

/** Sets the status and the headers of a finished answer. @returns what the handler returns */
export function prepareFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: FinishedAnswer,
): Payload {
  setStatusAndHeaders(request, reply, answer);
  return answer.body === null ? undefined : jsonPayload(reply, answer.body);
}

function jsonPayload(reply: FastifyReply, body: string | Buffer): Payload {
  reply.type('application/json; charset=utf-8');
  return body.length <= SLICE ? body : streamInSlices(reply, Buffer.from(body));
}

/**
 * Sets the status and the headers of the answer of a call that reads.
 * @param database of a stream, which is read after the snapshot
 * @returns what the handler returns
 */
export async function prepareAnswer(
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  status: number,
): Promise<Payload> {
  const { stream, bytes, headers = {} } = answer;
  if (bytes) return prepareBytes(request, reply, bytes, headers);
  const head = { status: answer.status ?? status, headers };
  if (stream) {
    const opened = typeof stream === 'function' ? await stream(database) : stream;
    setStatusAndHeaders(request, reply, head);
    return Buffer.isBuffer(opened) ? streamInSlices(reply, opened) : opened;
  }
  const json = answer.json ?? (await toJson(answer));
  setStatusAndHeaders(request, reply, head);
  return json === null ? undefined : jsonPayload(reply, await compressAnswer(request, reply, json));
}

const SLICE = 64 * 1024;

/**
 * Bytes to be sent in slices: if everything were sent at once, a client that reads slowly would look like one that does not read
 * at all.
 */
function streamInSlices(reply: FastifyReply, bytes: Buffer): Readable {
  const slices = function* () {
    for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
  };
  reply.header('content-length', bytes.length);
  return Readable.from(slices(), { objectMode: false });
}

async function prepareBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: RangedBytes,
  headers: AnswerHeaders,
): Promise<Payload> {
  const part = choosePart(bytes, request.headers);
  if (part.status === 416) {
    throw new ApiError('range_not_satisfiable', texts.fileBytes({ count: bytes.size }), {
      headers: { 'content-range': `bytes */${bytes.size}` },
    });
  }
  const range = part.status === 206 ? part.range : undefined;
  // Before any header is set: if opening fails, an error is answered.
  const ofStart = await startHeadersOf(bytes, part);
  const isSent = part.status !== 304 && request.method !== 'HEAD';
  const opened = isSent ? await bytes.open(range) : Readable.from([]);
  setStatusAndHeaders(request, reply, { status: part.status, headers: { ...headers, ...ofStart } });
  // `setStatusAndHeaders` forbids caching: a browser would store the document on disk, where the next user of the computer could
  // find it.
  reply.header('etag', bytes.etag).header('accept-ranges', 'bytes');
  if (part.status === 304) return undefined;
  if (range) reply.header('content-range', `bytes ${range.first}-${range.last}/${bytes.size}`);
  const length = range ? range.last - range.first + 1 : bytes.size;
  reply.header('content-length', length);
  // Fastify would send the length of a text for HEAD, but of a stream the length given above.
  return request.method === 'HEAD' ? opened : withExactLength(length, opened);
}

/** The headers that depend on the first bytes. Later ranges have none, because the client has them from the first range. */
async function startHeadersOf(
  bytes: RangedBytes,
  part: ReturnType<typeof choosePart>,
): Promise<Readonly<Record<string, string>>> {
  const isFromStart = part.status === 200 || (part.status === 206 && part.range.first === 0);
  const { size, startHeaders } = bytes;
  if (!startHeaders || !isFromStart) return {};
  if (size === 0) return startHeaders.of(Buffer.alloc(0));
  const last = Math.min(size, startHeaders.bytes) - 1;
  return startHeaders.of(await buffer(await bytes.open({ first: 0, last })));
}

/**
 * Closes the connection if a stored file does not have its announced length: otherwise a client would wait for missing
 * bytes, or read extra bytes as the next answer.
 */
function withExactLength(length: number, bytes: Readable): Readable {
  let remaining = length;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      remaining -= chunk.length;
      pass(
        remaining < 0 ? new Error('A stored file is longer than its recorded size.') : null,
        chunk,
      );
    },
    flush(pass) {
      pass(remaining > 0 ? new Error('A stored file is shorter than its recorded size.') : null);
    },
  });
  // Fastify receives the error from the end of the pipeline.
  pipeline(bytes, counted, () => undefined);
  return counted;
}

/** Answers any thrown value as an error. @param pageTitle as `sendError` */
export function drainAndSendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  pageTitle?: string,
): FastifyReply {
  // The rest of a body that timed out is not read.
  if (!(error instanceof ApiError && error.status === 408)) drainRequestBody(request, reply);
  return sendError(error, request, reply, pageTitle);
}

function setStatusAndHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers }: Pick<FinishedAnswer, 'status' | 'headers'>,
): void {
  drainRequestBody(request, reply);
  // The answer may change at any time, and a shared cache must not store it.
  reply.code(status).header('cache-control', 'no-store');
  for (const [name, value] of Object.entries(headers)) {
    reply.header(name, typeof value === 'string' ? value : [...value]);
  }
}
