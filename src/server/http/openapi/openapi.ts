import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import * as z from 'zod';
import { ERROR_STATUS, errorBodySchema } from '#shared/contract/errors.ts';
import { formBody } from '../form.ts';
import { BASE } from '../paths.ts';
import type { RegisteredCall } from '../request-pipeline.ts';
import { statusOf } from '../route.ts';
import { describeQuery, describeTemplates } from './query-parameters.ts';

type Json = { [key: string]: unknown };

const ETAG_OF_ANSWER: Json = {
  description: 'The version of the one object that is answered',
  type: 'string',
};

/** The request headers of calls, as JSON Schemas. */
const HEADERS: Readonly<Record<string, Json>> = {
  'If-Match': {
    description:
      'The expected version (an `ETag`): if the current version differs, nothing is changed and the answer is 412. ' +
      'Without it, the last write wins.',
    type: 'string',
    pattern: '^(?:\\*|"[!#-~]*"(?:, ?"[!#-~]*"){0,9})$',
  },
  'Last-Event-ID': {
    description: 'The `id` of the last received event: the stream begins with the events after it.',
    type: 'string',
  },
  'Indexdesk-Session': {
    description:
      'The `sessionId` in which the change was made. If the cookie belongs to another session, nothing is changed and ' +
      'the answer is 409 `other_session`. Programs that use one cookie for one user do not need it.',
    type: 'string',
  },
  'Idempotency-Key': {
    description:
      'Any text of at most 255 characters, a new one for each operation. For 14 days, a repeated request with the same ' +
      'key receives the first answer again and is not executed twice; with another body it is answered 409.',
    type: 'string',
    pattern: '^[!-~]{1,255}$',
  },
};

/** The meanings of error statuses. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or the query is wrong',
  401: 'No valid session or token',
  403: 'The right is missing, or the request comes from another site',
  404: 'There is no such collection for this user',
  405: 'The address has no such method',
  408: 'The body did not arrive in time',
  409:
    'A unique value is in use, the idempotency key was used with another body, or the write was made in another ' +
    'session',
  412: 'The object was changed by someone else; `current` is its present state',
  413: 'The body is too large',
  415: 'The body is of another media type',
  422: 'A value or the shape of the body is wrong; all errors are reported together',
  428: 'The call needs `If-Match`',
  423: 'Another user has locked the revision',
  429: 'Too many failed attempts; `Retry-After` says when the next is possible',
  500: 'Internal error of the service',
  503: 'The service cannot answer at the moment; `Retry-After` says when to try again',
};

/**
 * Makes `app.swagger()` return the OpenAPI 3.1 document of all calls registered afterwards. It is built on demand, from
 * the calls' zod schemas.
 */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  const calls = new Map<string, RegisteredCall>();
  const options: FastifyDynamicSwaggerOptions = {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Indexdesk',
        version: '2',
        description:
          'Index data of archived document revisions and records of data tables. Sign in by `POST application/sessions`, ' +
          'which sets the cookie of the session. Programs send a token instead: `Authorization: Bearer TOKEN`.',
      },
      servers: [{ url: BASE.replace(/\/$/, '') }],
      security: [{ session: [] }, { token: [] }],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'indexdesk_session',
            description: 'Over https the cookie is `__Host-indexdesk_session`.',
          },
          token: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A token of `POST application/tokens` or `application/users/:username/tokens`.',
          },
        },
        schemas: { Error: schemaOf(errorBodySchema, 'output') },
        responses: describeErrors(),
      },
    },
    transform({ url, route: { config } }) {
      if (!config?.call) return { url, schema: { hide: true } };
      const schema = describeCall(config.call);
      calls.set(schema.operationId, config.call);
      return { url, schema };
    },
    // A route's schema cannot refer to a response in the components.
    transformObject(described) {
      if (!('openapiObject' in described)) throw new Error('The document is one of OpenAPI 3.');
      for (const path of Object.values(described.openapiObject.paths ?? {})) {
        for (const operation of Object.values(path ?? {})) addErrors(operation, calls);
      }
      return described.openapiObject;
    },
  };
  await app.register(swagger, options);
}

function addErrors(operation: unknown, calls: ReadonlyMap<string, RegisteredCall>): void {
  if (typeof operation !== 'object' || operation === null || !('responses' in operation)) return;
  const id: unknown = Reflect.get(operation, 'operationId');
  const call = calls.get(String(id));
  if (!call) return;
  const errors = errorsOf(call).map((status) => [
    status,
    call.errorPage !== undefined
      ? { description: MEANINGS[status], content: { 'text/html': { schema: { type: 'string' } } } }
      : { $ref: `#/components/responses/Error${status}` },
  ]);
  // An optional body.
  if ('requestBody' in operation && call.route.body?.safeParse(undefined).success) {
    operation.requestBody = { ...Object(operation.requestBody), required: false };
  }
  operation.responses = { ...Object(operation.responses), ...Object.fromEntries(errors) };
}

function describeCall(call: RegisteredCall): FastifySchema & { operationId: string } {
  const { route, target, pattern, session, idempotent } = call;
  const writes = route.method !== 'GET';
  const segments = pattern.slice(BASE.length).split('/');
  const params = segments.filter((segment) => segment.startsWith(':'));
  const isTaken: Readonly<Record<string, boolean>> = {
    'Last-Event-ID': route.answer === 'events',
    'If-Match': writes && session && target !== 'none',
    'Indexdesk-Session': writes && session,
    'Idempotency-Key': idempotent,
  };
  const description = [route.description ?? [], describeTemplates(route.parameters ?? {})].flat();
  return {
    operationId: operationId(route.method, segments),
    summary: route.summary,
    ...(description.length === 0 ? {} : { description: description.join(' ') }),
    tags: [target === 'none' ? 'service' : target],
    ...(session ? {} : { security: [] }),
    params: objectOf(params.map((name) => [name.slice(1), { type: 'string', minLength: 1 }])),
    querystring: describeQuery(route.parameters ?? {}),
    headers: objectOf(Object.entries(HEADERS).filter(([name]) => isTaken[name])),
    ...(route.body ? { body: describeBody(route) } : {}),
    response: {
      [statusOf(route)]: route.status === 302 ? REDIRECT : describeAnswer(route),
      ...Object.fromEntries(
        Object.entries(route.otherAnswers ?? {}).map(([status, answer]) => [
          status,
          describeAnswer({ answer }),
        ]),
      ),
    },
  };
}

function objectOf(properties: readonly (readonly [name: string, schema: Json])[]): Json {
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function describeBody({ body, form, mediaType }: RegisteredCall['route']): Json {
  if (!body) return {};
  if (Object.is(body, formBody)) {
    return { content: { 'multipart/form-data': { schema: form ?? { type: 'object' } } } };
  }
  return { content: { [mediaType ?? 'application/json']: { schema: schemaOf(body, 'input') } } };
}

const REDIRECT: Json = {
  type: 'null',
  'x-response-description': 'The browser continues at `Location`',
  headers: { Location: { type: 'string' } },
};

function describeAnswer({
  answer,
  fileTypes = [],
}: Pick<RegisteredCall['route'], 'answer' | 'fileTypes'>): Json {
  if (answer === null) return { type: 'null', 'x-response-description': 'Done' };
  return {
    'x-response-description': 'Success',
    headers: { ETag: ETAG_OF_ANSWER },
    content: {
      ...contentOf(answer),
      ...Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string' } }])),
    },
  };
}

function contentOf(answer: NonNullable<RegisteredCall['route']['answer']>): Json {
  if (answer === 'bytes') return { '*/*': { schema: { type: 'string', format: 'binary' } } };
  if (answer === 'events') return { 'text/event-stream': { schema: { type: 'string' } } };
  return { 'application/json': { schema: schemaOf(answer, 'output') } };
}

/** The named error answers that the operations refer to. */
function describeErrors() {
  return Object.fromEntries(
    Object.entries(MEANINGS).map(([status, description]) => [
      `Error${status}`,
      {
        description: `${description} (${codesOf(Number(status))}).`,
        ...headersOf(Number(status)),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

/** Without `$schema`, which OpenAPI declares once for the whole document, so that internal references resolve. */
function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'throw',
  });
  return json;
}

function errorsOf({ route, target, session, errorPage }: RegisteredCall): number[] {
  if (errorPage !== undefined) return [400, 403, 404, 422, 500, 503];
  if (!session) return [400, 401, 403, 404, 408, 413, 415, 422, 429, 500, 503];
  if (route.method === 'GET') return [400, 401, 403, 404, 500, 503];
  const all = [400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 503, ...(route.errors ?? [])];
  return (target === 'none' ? all : [...all, 423]).sort((a, b) => a - b);
}

function codesOf(status: number): string {
  if (status === 408) return '`malformed`';
  return Object.entries(ERROR_STATUS)
    .filter(([, of]) => of === status)
    .map(([code]) => `\`${code}\``)
    .join(', ');
}

function headersOf(status: number): Json {
  if (status === 405) return { headers: { Allow: { schema: { type: 'string' } } } };
  if (status === 429 || status === 503) {
    return { headers: { 'Retry-After': { description: 'seconds', schema: { type: 'integer' } } } };
  }
  return {};
}

function operationId(method: string, segments: readonly string[]): string {
  const words = segments
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== '' && word !== 'application');
  return (
    method.toLowerCase() +
    words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  );
}
