import fc from 'fast-check';
import * as z from 'zod';
import { formOf } from './forms.ts';
import { valuesOf } from './json-schema-values.ts';

/* The calls of the interface as its OpenAPI document describes them, and requests made of it at random. */

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  schema: z.unknown(),
});
const contentSchema = z.record(z.string(), z.object({ schema: z.unknown() }));
const responseSchema = z.object({ content: contentSchema.optional() });
const operationSchema = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(parameterSchema).optional(),
  requestBody: z.object({ required: z.boolean(), content: contentSchema }).optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), responseSchema])),
});
const methodSchema = z.enum(['get', 'post', 'put', 'patch', 'delete']);
const documentSchema = z.object({
  paths: z.record(z.string(), z.partialRecord(methodSchema, operationSchema)),
  components: z.object({
    responses: z.record(z.string(), responseSchema),
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});

/** A call of the document. */
export interface DescribedCall {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** with the names of its parameters in braces */
  readonly path: string;
  readonly needsSession: boolean;
  readonly bodyType: string | null;
  readonly needsBody: boolean;
  readonly bodySchema: unknown;
  /** what it may answer: the schemas of its bodies by media type, by status */
  readonly answers: ReadonlyMap<number, ReadonlyMap<string, z.ZodType | null>>;
  readonly requests: fc.Arbitrary<DescribedRequest>;
}

export interface DescribedRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** All calls of an OpenAPI document. */
export function callsOf(document: unknown): DescribedCall[] {
  const { paths, components } = documentSchema.parse(document);
  const answersOf = ({ responses }: z.infer<typeof operationSchema>) =>
    new Map(
      Object.entries(responses).map(([status, response]) => {
        const name = '$ref' in response ? response.$ref.split('/').at(-1) : undefined;
        const resolved = name === undefined ? response : components.responses[name];
        const content = resolved && 'content' in resolved ? (resolved.content ?? {}) : {};
        return [
          Number(status),
          new Map(Object.entries(content).map(([type, one]) => [type, checkOf(one.schema)])),
        ] as const;
      }),
    );
  /** Most calls share the answers of errors. */
  const checks = new Map<unknown, z.ZodType | null>();
  const checkOf = (schema: unknown): z.ZodType | null => {
    const { $ref } = z.object({ $ref: z.string().optional() }).parse(schema);
    const resolved = $ref === undefined ? schema : components.schemas[$ref.split('/').at(-1) ?? ''];
    const known = checks.get(resolved);
    if (known !== undefined) return known;
    const json = z.record(z.string(), z.unknown()).parse(resolved);
    const check = json['type'] === 'string' ? null : z.fromJSONSchema(json);
    checks.set(resolved, check);
    return check;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    methodSchema.options.flatMap((method): DescribedCall[] => {
      const operation = methods[method];
      if (!operation) return [];
      const [[bodyType, body] = [null, null]] = Object.entries(
        operation.requestBody?.content ?? {},
      );
      return [
        {
          id: operation.operationId,
          method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).parse(method.toUpperCase()),
          path: path.slice(1),
          needsSession: operation.security?.length !== 0,
          bodyType,
          needsBody: operation.requestBody?.required === true,
          bodySchema: body?.schema,
          answers: answersOf(operation),
          requests: requestsOf(operation),
        },
      ];
    }),
  );
}

function requestsOf({
  parameters = [],
  requestBody,
}: z.infer<typeof operationSchema>): fc.Arbitrary<DescribedRequest> {
  const of = (place: 'query' | 'header') => {
    const here = parameters.filter((one) => one.in === place && one.name !== 'Indexdesk-Session');
    return fc.record(Object.fromEntries(here.map(({ name, schema }) => [name, valuesOf(schema)])), {
      requiredKeys: here.filter(({ required }) => required).map(({ name }) => name),
    });
  };
  const [body] = Object.values(requestBody?.content ?? {});
  return fc.record({
    query: of('query'),
    headers: of('header'),
    body: body ? valuesOf(body.schema) : fc.constant(undefined),
  });
}

/** A request as it is sent. @param path with its parameters filled in */
export function writtenRequest(
  { bodyType }: DescribedCall,
  path: string,
  { query, headers, body }: DescribedRequest,
) {
  // What `after` may be only an answer tells.
  const given = Object.entries(query).filter(([name]) => name !== 'after');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  );
  const address = given.length === 0 ? path : `${path}?${search.toString()}`;
  if (bodyType !== 'multipart/form-data') return { path: address, body, headers: named };
  const form = formOf(
    Object.entries(z.record(z.string(), z.string()).parse(body)).map(([name, value]) =>
      name.startsWith('files') ? [name, { name: 'a.csv', bytes: value }] : [name, value],
    ),
  );
  return { path: address, body: form.body, headers: { ...named, ...form.headers } };
}

const objectSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).optional(),
  additionalProperties: z.literal(false),
});

/** Bodies that a call's document forbids, made of one that it allows. */
export function forbiddenBodies(schema: unknown, allowed: unknown): unknown[] {
  const check = z.fromJSONSchema(z.record(z.string(), z.unknown()).parse(schema));
  return mutationsOf(schema, allowed).filter((body) => !check.safeParse(body).success);
}

function mutationsOf(schema: unknown, allowed: unknown): unknown[] {
  const forbidden: unknown[] = [7, 'text', null, [allowed]];
  const object = objectSchema.safeParse(schema);
  if (!object.success) return forbidden;
  const values = z.record(z.string(), z.unknown()).parse(allowed);
  forbidden.push({ ...values, 'no such key': 1 });
  for (const name of object.data.required ?? []) {
    const { [name]: own, ...others } = values;
    forbidden.push(others);
    const inner = objectSchema.safeParse(object.data.properties[name]);
    if (!inner.success) continue;
    forbidden.push({ ...others, [name]: [own] });
    for (const body of mutationsOf(inner.data, own)) forbidden.push({ ...others, [name]: body });
  }
  return forbidden;
}
