import * as z from 'zod';
import { ERROR_STATUS, errorBodySchema } from '#shared/errors.ts';
import { describeQuery, describeTemplates } from './documentation-parameters.ts';
import { formBody } from './form.ts';
import { BASE } from './paths.ts';
import type { RegisteredCall } from './register.ts';

type Json = { [key: string]: unknown };

const RESPONSE_HEADERS: Json = {
  ETag: {
    description: 'The version of the one object that is answered',
    schema: { type: 'string' },
  },
};

const ETAG_OF_REQUEST: Json = {
  name: 'If-Match',
  in: 'header',
  description:
    'The version that is meant (an `ETag`): of another one nothing is changed and 412 is answered. Without it the last write wins.',
  schema: { type: 'string', pattern: '^(?:\\*|"[!#-~]*"(?:, ?"[!#-~]*"){0,9})$' },
};

const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last event that was received: those after it are sent first.',
  schema: { type: 'string' },
};

const SESSION: Json = {
  name: 'Indexdesk-Session',
  in: 'header',
  description:
    'The `sessionId` in which the change was made. If it is not the session of the cookie, nothing is done and 409 `other_session` is answered. Programs that keep one cookie for one user do not need it.',
  schema: { type: 'string' },
};

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text of at most 255 characters, new for each intent. A repeated request of the same key gets the first answer again for 14 days instead of being done twice; with another body it is 409.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

/** Which errors a call may answer, by status. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or the query is wrong',
  401: 'No valid session',
  403: 'The right is missing, or the request comes from another site',
  404: 'There is no such collection for this user',
  405: 'The address has no such method',
  408: 'The body did not arrive in time',
  409: 'A unique value is taken, the idempotency key came with another body, or the write was made in another session',
  412: 'The object was changed meanwhile; `current` holds what it is now',
  413: 'The body is too large',
  415: 'The body is of another media type',
  422: 'A value or the shape of the body is wrong; all errors are told together',
  423: 'Another user has locked the revision',
  429: 'Too many failed attempts; `Retry-After` says when the next is possible',
  500: 'Something went wrong in the service',
  503: 'The service cannot answer at the moment; `Retry-After` says when to try again',
};

/** The calls as an OpenAPI 3.1 document, made from their own schemas. */
export function describeCalls(calls: readonly RegisteredCall[]): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of calls) {
    const path = `/${call.pattern.slice(BASE.length)}`.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[call.route.method.toLowerCase()] = describeCall(call);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Indexdesk',
      version: '2',
      description:
        'Index data of archived document revisions and records of data tables. Sign in by `POST application/sessions`; the cookie of the answer carries the session.',
    },
    servers: [{ url: BASE.replace(/\/$/, '') }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'indexdesk_session',
          description: 'Over https the cookie is `__Host-indexdesk_session`.',
        },
      },
      schemas: { Error: schemaOf(errorBodySchema, 'output') },
      responses: Object.fromEntries(
        Object.entries(MEANINGS).map(([status, description]) => [
          `Error${status}`,
          {
            description: `${description} (${codesOf(Number(status))}).`,
            ...headersOf(Number(status)),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

function describeCall({ route, target, pattern, session, idempotent }: RegisteredCall): Json {
  const writes = route.method !== 'GET';
  const segments = pattern.slice(BASE.length).split('/');
  const parameters: Json[] = segments
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => ({
      name: segment.slice(1),
      in: 'path',
      required: true,
      schema: { type: 'string', minLength: 1 },
    }));
  parameters.push(...describeQuery(route.parameters ?? {}));
  if (route.answer === 'events') parameters.push(LAST_EVENT_ID);
  if (writes && session && target !== 'none') parameters.push(ETAG_OF_REQUEST);
  if (writes && session) parameters.push(SESSION);
  if (idempotent) parameters.push(IDEMPOTENCY_KEY);
  const descriptions = [route.description ?? [], describeTemplates(route.parameters ?? {})].flat();
  return {
    operationId: operationId(route.method, segments),
    summary: route.summary,
    ...(descriptions.length === 0 ? {} : { description: descriptions.join(' ') }),
    tags: [target === 'none' ? 'service' : target],
    ...(session ? {} : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: describeBody(route.body, route.form) } : {}),
    responses: {
      [route.status]: describeAnswer(route.answer),
      ...Object.fromEntries(
        errorsOf(route.method, session, target !== 'none').map((status) => [
          status,
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
    },
  };
}

function describeBody(body: z.ZodType, form: RegisteredCall['route']['form']): Json {
  if (Object.is(body, formBody)) {
    return {
      required: true,
      content: { 'multipart/form-data': { schema: form ?? { type: 'object' } } },
    };
  }
  return { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } };
}

function describeAnswer(answer: RegisteredCall['route']['answer']): Json {
  if (answer === null) return { description: 'Done' };
  return { description: 'Success', headers: RESPONSE_HEADERS, content: contentOf(answer) };
}

function contentOf(answer: NonNullable<RegisteredCall['route']['answer']>): Json {
  if (answer === 'bytes') return { '*/*': { schema: { type: 'string', format: 'binary' } } };
  if (answer === 'events') return { 'text/event-stream': { schema: { type: 'string' } } };
  return { 'application/json': { schema: schemaOf(answer, 'output') } };
}

/** Without `$schema`, which OpenAPI has for the whole document, and so that references within it hold. */
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

function errorsOf(method: string, session: boolean, targeted: boolean): number[] {
  if (!session) return [400, 401, 403, 408, 413, 415, 422, 429, 500, 503];
  if (method === 'GET') return [400, 401, 404, 500, 503];
  const all = [400, 401, 403, 404, 409, 413, 415, 422, 500, 503];
  return targeted ? [...all, 412, 423].sort((a, b) => a - b) : all;
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
