import * as texts from '#messages/service/http.ts';
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#shared/contract/errors.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { hasBody, isBodyEmpty, readJsonBody, readUrlEncodedBody } from './body.ts';
import { digestForm, formBody, receiveForm, type FormBody } from './form.ts';
import { pathOf } from './paths.ts';
import { readQuery, requireValid } from './query.ts';
import type { PathParams, RouteDescription } from './route.ts';
import type { HttpServices } from './http-services.ts';
import { requireEmptyBody, requireValidBody } from './body-validation.ts';

/** The parsed input of a request, not yet checked against the call's schema. */
export interface Input {
  /** undefined: no body */
  readonly body: unknown;
  /** equal for equal bodies: the bytes of JSON, the parts of a form */
  readonly fingerprintBytes: () => Buffer;
  /** its uploads must be removed after the request */
  readonly form: FormBody | null;
}

/** @throws {ApiError} 415, 413; 400, with the errors of the query; 422 if a file of a form holds malware */
export async function readInput<Body>(
  request: FastifyRequest,
  route: RouteDescription<Body>,
  services: HttpServices,
): Promise<Input> {
  try {
    return await readBodyOf(request, route, services);
  } catch (error) {
    throw withQueryErrors(error, request, route);
  }
}

async function readBodyOf<Body>(
  request: FastifyRequest,
  route: RouteDescription<Body>,
  services: HttpServices,
): Promise<Input> {
  if (!hasBody(request.raw) || (await isBodyEmpty(request.raw))) return EMPTY_INPUT;
  if (Object.is(route.body, formBody)) {
    const form = await receiveForm(request, services);
    return { body: form, form, fingerprintBytes: () => Buffer.from(digestForm(form)) };
  }
  const readBody = route.mediaType === undefined ? readJsonBody : readUrlEncodedBody;
  const read = await readBody(request, services.maxBodyBytes, services.incomingDir);
  return read
    ? { body: read.value, form: null, fingerprintBytes: () => read.fingerprintBytes }
    : EMPTY_INPUT;
}

const EMPTY = Buffer.alloc(0);
const EMPTY_INPUT: Input = { body: undefined, form: null, fingerprintBytes: () => EMPTY };

/** @throws {ApiError} 400 if it is malformed, the route takes no parameters and there are some, or as `checkQuery` */
export function readQueryOf(
  request: FastifyRequest,
  route: RouteDescription<unknown>,
): QueryParameters {
  const query = readQuery(request.raw.url ?? '');
  if (!route.parameters) requireValid(new QueryReader(query, []));
  route.checkQuery?.(query);
  return query;
}

/** The error of a body that was not read (400, 422), with those of the query beside it. @returns other errors as they are */
function withQueryErrors(
  error: unknown,
  request: FastifyRequest,
  route: RouteDescription<unknown>,
): unknown {
  // A body that arrives too slowly is answered with another status.
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) return error;
  try {
    readQueryOf(request, route);
    return error;
  } catch (other) {
    if (!(other instanceof ApiError) || other.code !== 'malformed') return error;
    const messages = { ...other.messages };
    for (const [path, more] of Object.entries(error.messages)) {
      messages[path] = [...(messages[path] ?? []), ...more];
    }
    return new ApiError('malformed', messages);
  }
}

/** @throws {ApiError} 422 if the body does not match the call's schema */
export async function requireBody<Body>(
  route: RouteDescription<Body>,
  body: unknown,
): Promise<Body> {
  if (route.body) {
    if (body === undefined) {
      const none = await route.body.safeParseAsync(undefined);
      if (!none.success) throw new ApiError('validation_failed', texts.bodyNeeded);
      return none.data;
    }
    return requireValidBody(route.body, body);
  }
  if (body !== undefined) requireEmptyBody(body);
  const none: unknown = null;
  if (!acceptsNoBody(route, none)) throw new Error('A route without a body was given one.');
  return none;
}

/** The body of routes without one is null: so `defineRoute` has it. */
function acceptsNoBody<Body>(route: RouteDescription<Body>, body: unknown): body is Body {
  return route.body === undefined && body === null;
}

/** A request's fingerprint for its idempotency key. */
export async function fingerprintOf(
  request: FastifyRequest,
  services: HttpServices,
  key: string,
  input: Input,
  kind: 'secret' | 'none' | undefined,
): Promise<string> {
  const bytes = input.fingerprintBytes();
  if (kind !== 'secret') return hash('sha256', bytes, 'base64url');
  // The salt consists of values that are known again when the request is repeated.
  const salt = hash(
    'sha256',
    JSON.stringify([request.signedIn?.userId, pathOf(request.raw.url ?? ''), key]),
    'buffer',
  );
  return services.slowDigest(bytes, salt);
}

/** The parameters of the path, decoded by Fastify according to the registered pattern. */
export function paramsOf({ params }: FastifyRequest): PathParams {
  if (typeof params !== 'object' || params === null) return {};
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}
