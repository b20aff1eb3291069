import * as texts from '#messages/service/loading.ts';
import * as z from 'zod';
import { definitionFileSchema } from '#shared/contract/definition-file.ts';

/** The JSON Schema of definition files, as editors use it; the loader checks more, such as patterns and bounds. */
export function definitionFileJsonSchema(): z.core.JSONSchema.BaseSchema {
  return {
    ...z.toJSONSchema(definitionFileSchema, { io: 'input', unrepresentable: 'any' }),
    title: texts.schemaTitle,
  };
}
