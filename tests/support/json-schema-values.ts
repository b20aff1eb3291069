import fc from 'fast-check';
import * as z from 'zod';

/** What the description of the interface uses of JSON Schema. Anything else makes a test fail, not pass. */
const schemaOfSchemas = z.strictObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  /** names are made of letters and digits, which all allow */
  propertyNames: z.unknown().optional(),
  items: z.unknown().optional(),
  minItems: z.int().optional(),
  maxItems: z.int().optional(),
  uniqueItems: z.boolean().optional(),
  minProperties: z.int().optional(),
  dependentRequired: z.record(z.string(), z.array(z.string())).optional(),
  contentMediaType: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  description: z.string().optional(),
  format: z.enum(['list-query', 'date-time']).optional(),
  default: z.unknown().optional(),
});
type Schema = z.infer<typeof schemaOfSchemas>;

const MAX_ITEMS = 3;
const MAX_CELL_TEXT = 40;

/** Values that a JSON schema allows, edges such as empty texts and lists among them. */
export function valuesOf(json: unknown): fc.Arbitrary<unknown> {
  const schema = schemaOfSchemas.parse(json);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    return fc.oneof(
      ...alternatives.map((one) => {
        const others = schema.oneOf?.filter((other) => other !== one) ?? [];
        return alternativeOf(without(schema, others), one);
      }),
    );
  }
  const types = [schema.type ?? ['string', 'number', 'boolean', 'null', 'object', 'array']].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, schema)));
}

/** A schema without the properties of which each makes one of the other alternatives hold. */
function without(schema: Schema, alternatives: readonly unknown[]): Schema {
  const left = new Set(
    alternatives.flatMap((one) => {
      const { required = [], properties } = schemaOfSchemas.parse(one);
      return properties ? [] : required;
    }),
  );
  const properties = Object.entries(schema.properties ?? {}).filter(([key]) => !left.has(key));
  return properties.length === 0
    ? schema
    : { ...schema, properties: Object.fromEntries(properties) };
}

/** An alternative of a schema that says more beside: both hold. */
function alternativeOf(schema: Schema, one: unknown) {
  const alternative = schemaOfSchemas.parse(one);
  const required = [...(schema.required ?? []), ...(alternative.required ?? [])];
  const properties = { ...schema.properties };
  for (const [key, more] of Object.entries(alternative.properties ?? {})) {
    properties[key] = {
      ...schemaOfSchemas.parse(properties[key] ?? {}),
      ...schemaOfSchemas.parse(more),
    };
  }
  return valuesOf({
    ...schema,
    anyOf: undefined,
    oneOf: undefined,
    ...alternative,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  });
}

function valuesOfType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return integersOf(schema);
    case 'number':
      return fc.oneof(fc.integer(), fc.constantFrom(0, -1, 0.5, 1e15));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? { type: 'string' }), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MAX_ITEMS, (schema.minItems ?? 0) + MAX_ITEMS),
      });
    case 'object':
      return objectsOf(schema);
    default:
      throw new Error(`No values of the type ${type} are known.`);
  }
}

function integersOf({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  const [min, max] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
  return fc.oneof(
    fc.constantFrom(min, max),
    fc.integer({ min: Math.max(min, -9), max: Math.min(max, 99) }),
  );
}

function textsOf({ pattern, format, minLength = 0, maxLength = MAX_CELL_TEXT }: Schema) {
  // Which fields there are is not told by a schema.
  if (format === 'list-query') return fc.constantFrom('', 'q=a%20b', 'sort=-revisionId');
  if (format === 'date-time') {
    const [min, max] = [new Date('1970-01-01T00:00:00Z'), new Date('2099-12-31T23:59:59Z')];
    return fc.date({ noInvalidDate: true, min, max }).map((at) => at.toISOString());
  }
  if (pattern === undefined) {
    const max = Math.min(maxLength, Math.max(minLength, MAX_CELL_TEXT));
    return remembered(`${minLength} ${max}`, () =>
      fc.string({ unit: character, minLength, maxLength: max }),
    );
  }
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  const matching = remembered(pattern, () => fc.stringMatching(new RegExp(pattern, 'u')));
  return matching.filter(fits);
}

/** Any character, often an ASCII one; all but the halves of pairs. The library's own unit takes a second to make. */
const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0x10_ff_ff - 0x8_00))
  .map((n) => String.fromCodePoint(n < 0xd8_00 ? n : n + 0x8_00));

/** Texts at random: making their generator takes longer than making a text. */
const texts = new Map<string, fc.Arbitrary<string>>();

function remembered(key: string, make: () => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const known = texts.get(key) ?? make();
  texts.set(key, known);
  return known;
}

function objectsOf(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
  const dependent = Object.entries(schema.dependentRequired ?? {});
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, valuesOf(one)])),
    { requiredKeys: required },
  );
  const others =
    additionalProperties === false
      ? fc.constant({})
      : fc.dictionary(
          fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/),
          valuesOf(
            typeof additionalProperties === 'object'
              ? additionalProperties
              : {
                  type: ['string', 'number', 'boolean', 'null'],
                },
          ),
          { maxKeys: MAX_ITEMS, minKeys: Math.max(0, minProperties - required.length) },
        );
  return fc
    .tuple(others, known)
    .map(([more, own]): Record<string, unknown> => ({ ...more, ...own }))
    .filter(
      (value) =>
        Object.keys(value).length >= minProperties &&
        dependent.every(
          ([key, others]) => !(key in value) || others.every((other) => other in value),
        ),
    );
}
