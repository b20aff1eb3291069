import * as texts from '#messages/service/loading.ts';
import * as z from 'zod';
import { definitionFileSchema } from '#shared/contract/definition-file.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of definition files, as editors use it; the loader checks more, such as patterns and bounds. */
export function definitionFileJsonSchema(): Schema {
  return {
    ...z.toJSONSchema(definitionFileSchema, { io: 'input', unrepresentable: 'any' }),
    title: texts.schemaTitle,
  };
}

/**
 * The keys that an object of a definition file may have.
 * @param path of the object in the file; empty: the file itself
 */
export function keysAt(path: readonly PropertyKey[]): string[] {
  let schemas: readonly Schema[] = [definitionFileJsonSchema()];
  for (const key of path) {
    schemas = schemas.flatMap(alternatives).flatMap((schema) => memberOf(schema, key));
  }
  return schemas.flatMap(alternatives).flatMap(({ properties = {} }) => Object.keys(properties));
}

function alternatives(schema: Schema): readonly Schema[] {
  return [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(isSchema);
}

function memberOf(schema: Schema, key: PropertyKey): Schema[] {
  const member =
    typeof key === 'number'
      ? schema.items
      : (schema.properties?.[String(key)] ?? schema.additionalProperties);
  return isSchema(member) ? [member] : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
