import { ID_SCHEMA, type DescribedParameter } from '../route.ts';

type Json = { [key: string]: unknown };

/** Comma-separated names of fields or columns; whether they exist depends on the archive or table. */
const NAME = '[A-Za-z][A-Za-z0-9_]{0,62}';
const FIELD = `(?:keyword\\.)?${NAME}`;
const NAMES = { type: 'string', pattern: `^${NAME}(?:,${NAME}){0,7}$` };
/** NUL cannot be searched. */
const TEXT = { type: 'string', minLength: 1, pattern: '^[^\\u0000]+$' };
const MAX_WHOLE = 999_999_999_999_999;

/** Schemas of the query parameters that have the same meaning in all calls. */
const SCHEMAS: Readonly<Record<string, Json>> = {
  limit: { type: 'integer', minimum: 1, maximum: 1_000 },
  offset: { type: 'integer', minimum: 0, maximum: MAX_WHOLE - 1_000 },
  // At most 32 words.
  q: { type: 'string', pattern: '^[^\\u0000\\s]+(?: [^\\u0000\\s]+){0,31}$' },
  sort: { type: 'string', pattern: `^-?${NAME}(?:,-?${NAME}){0,7}$` },
  after: { ...TEXT, description: 'opaque: only a `next` from an answer' },
  before: ID_SCHEMA,
  columns: NAMES,
  fields: { type: 'string', pattern: `^${FIELD}(?:,${FIELD}){0,7}$` },
  sum: NAMES,
  like: TEXT,
  startsWith: TEXT,
  findings: { type: 'string', enum: ['true', 'false'] },
  format: { type: 'string', enum: ['csv', 'xlsx'] },
  headers: { type: 'string', enum: ['labels', 'names'] },
  separator: { type: 'string', enum: ['comma', 'semicolon'] },
  lastEventId: ID_SCHEMA,
  receipt: { type: 'string', const: 'true' },
  total: { type: 'string', enum: ['true', 'false'] },
  takesBack: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' },
  viewers: { type: 'string', const: 'true' },
  window: { ...TEXT, maxLength: 64 },
};

/**
 * The query parameters of a call as a JSON Schema of an object.
 * @throws {Error} if neither the call nor the table above has the schema of a parameter
 */
export function describeQuery(
  parameters: Readonly<Record<string, string | DescribedParameter>>,
): Json {
  const properties: Json = {};
  const required: string[] = [];
  for (const [name, given] of Object.entries(parameters)) {
    if (isTemplate(name)) continue;
    const schema = typeof given === 'string' ? SCHEMAS[name] : given.schema;
    if (!schema) throw new Error(`The query parameter ${name} has no schema.`);
    const meaning = typeof given === 'string' ? given : given.description;
    const description = [meaning, schema['description']].filter(Boolean).join('; ');
    properties[name] = { ...schema, description };
    if (typeof given !== 'string' && given.required) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/**
 * The parameters whose names contain the name of a field, such as `where[FIELD][OP]`, as sentences: OpenAPI cannot
 * describe them, and a client that sent the template itself would name an unknown field.
 */
export function describeTemplates(
  parameters: Readonly<Record<string, string | DescribedParameter>>,
): string[] {
  return Object.entries(parameters).flatMap(([name, given]) =>
    isTemplate(name)
      ? [`\`${name}\`: ${typeof given === 'string' ? given : given.description}.`]
      : [],
  );
}

function isTemplate(name: string): boolean {
  return name.includes('[');
}
