import * as definitionsTexts from '#messages/definitions.ts';
import * as z from 'zod';
import { JsonNumber, type JsonValue } from '../values/json.ts';
import { guidSchema, nameSchema } from '../contract/name-schemas.ts';
import { nameKey } from './names.ts';
import { hasRule, typesWith } from '../values/registry.ts';
import { TYPE_RULES } from '../values/value-type.ts';
import { isPattern } from '../values/pattern-engine.ts';
import {
  checkRules,
  MAX_SCALE,
  MAX_TEXT_LENGTH,
  parseType,
  type Scalar,
  VALUE_TYPES,
  type ValueRules,
} from '../values/values.ts';
import { textSchema } from '../contract/texts.ts';

/**
 * Where the options of a field come from: a column of a table; choosing one fills other fields
 * (docs/interface/decisions.md, section 9).
 */
interface OptionsFrom {
  readonly table: string;
  readonly column: string;
  /** this archive's field (or table's column) → the other table's column */
  readonly fills: Readonly<Record<string, string>>;
}

export interface IndexField extends ValueRules {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly optionsFrom: OptionsFrom | null;
}

export interface Column extends IndexField {
  /** what a new dataset takes where the column is omitted */
  readonly default: Scalar;
  readonly unique: boolean;
}

export interface KeywordField {
  readonly name: string;
  readonly label: string;
}

/**
 * An archive as it is defined (docs/interface/decisions.md, section 9), complete: what a definition file leaves
 * out is filled in.
 */
export interface ArchiveDefinition {
  readonly guid: string;
  readonly table: string;
  readonly name: string;
  readonly description: string;
  readonly indexFields: readonly IndexField[];
  readonly keywordFields: readonly KeywordField[];
}

export interface TableDefinition {
  readonly guid: string;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly columns: readonly Column[];
}

/** A JSON value as our parser makes it: numbers keep their source text. */
export const jsonValueSchema: z.ZodType<JsonValue> = z
  .custom<JsonValue>((value) => value !== undefined)
  .meta({ description: 'any JSON scalar', type: ['string', 'number', 'boolean', 'null'] });

/** A whole number in a body or file, within bounds. */
function wholeNumberSchema(min: number, max: number) {
  return z
    .custom<JsonNumber | number>(
      (value) => typeof value === 'number' || value instanceof JsonNumber,
      definitionsTexts.mustBeNumber,
    )
    .transform((value) => Number(value instanceof JsonNumber ? value.source : value))
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });
}

const MAX_FIELDS = 500;

const fieldShape = {
  name: nameSchema,
  label: textSchema.max(200).optional(),
  description: textSchema.max(10_000).nullish(),
  type: z.enum(VALUE_TYPES),
  required: z.boolean().optional(),
  maxLength: wholeNumberSchema(1, MAX_TEXT_LENGTH).nullish(),
  scale: wholeNumberSchema(0, MAX_SCALE).nullish(),
  options: z.array(jsonValueSchema).min(1).max(10_000).nullish(),
  min: jsonValueSchema.optional(),
  max: jsonValueSchema.optional(),
  pattern: textSchema.max(1000).refine(isPattern, definitionsTexts.patternInvalid).nullish(),
  /** what the pattern asks for, shown instead of it */
  patternDescription: textSchema.min(1).max(200).nullish(),
  optionsFrom: z
    .strictObject({
      table: nameSchema,
      column: nameSchema,
      fills: z.record(nameSchema, nameSchema).optional(),
    })
    .nullish(),
};

const indexFieldInput = z.strictObject(fieldShape);
const columnInput = z.strictObject({
  ...fieldShape,
  default: jsonValueSchema.optional(),
  unique: z.boolean().optional(),
});

/** One index field as a definition file or route gives it, completed and checked in itself. */
const indexFieldSchema = indexFieldInput.transform((input, context): IndexField =>
  completeField(input, (message, key) =>
    context.addIssue({ code: 'custom', message, path: [key] }),
  ),
);

/** One column as a definition file or route gives it, completed and checked in itself. */
const columnSchema = columnInput
  .refine((column) => nameKey(column.name) !== 'jrid', {
    message: definitionsTexts.jridReserved,
    path: ['name'],
  })
  .transform((input, context): Column => {
    const complain = (message: string, key: string) =>
      context.addIssue({ code: 'custom', message, path: [key] });
    const field = completeField(input, complain);
    let initial: Scalar = null;
    if (input.default !== undefined && input.default !== null) {
      const typed = parseType(field, input.default);
      const checked = typed.ok ? checkRules(field, typed.value) : typed;
      if (checked.ok) initial = checked.value;
      else complain(checked.message, 'default');
    }
    return { ...field, default: initial, unique: input.unique ?? false };
  });

const keywordFieldSchema = z
  .strictObject({ name: nameSchema, label: textSchema.max(200).optional() })
  .transform((input): KeywordField => ({ name: input.name, label: input.label ?? input.name }));

export const archiveDefinitionShape = {
  guid: guidSchema,
  table: nameSchema,
  name: textSchema.min(1).max(200),
  description: textSchema
    .max(10_000)
    .optional()
    .transform((text) => text ?? ''),
  indexFields: z.array(indexFieldSchema).min(1).max(MAX_FIELDS).superRefine(uniqueNames),
  keywordFields: z
    .array(keywordFieldSchema)
    .max(MAX_FIELDS)
    .superRefine(uniqueNames)
    .optional()
    .transform((fields) => fields ?? []),
};

export const tableDefinitionShape = {
  guid: guidSchema,
  name: nameSchema,
  label: textSchema.max(200).optional(),
  description: textSchema
    .max(10_000)
    .optional()
    .transform((text) => text ?? ''),
  columns: z.array(columnSchema).min(1).max(MAX_FIELDS).superRefine(uniqueNames),
};

type Complain = (message: string, key: string) => void;

function completeField(input: z.output<typeof indexFieldInput>, complain: Complain): IndexField {
  const rules: ValueRules = {
    type: input.type,
    required: input.required ?? false,
    maxLength: input.maxLength ?? null,
    scale: input.scale ?? null,
    options: null,
    min: null,
    max: null,
    pattern: input.pattern ?? null,
    ...(input.patternDescription == null ? {} : { patternDescription: input.patternDescription }),
  };
  const typed = (raw: JsonValue | undefined, key: string): Scalar => {
    const parsed = parseType(rules, raw ?? null);
    if (!parsed.ok) complain(parsed.message, key);
    return parsed.ok ? parsed.value : null;
  };
  const bound = (key: 'min' | 'max'): number | string | null => {
    const value = typed(input[key], key);
    return typeof value === 'boolean' ? null : value;
  };
  for (const key of TYPE_RULES) {
    if (input[key] == null || hasRule(input.type, key)) continue;
    complain(definitionsTexts.keyOfOtherType({ key, value: typesWith(key).join(' or ') }), key);
  }
  if (input.patternDescription != null && input.pattern == null) {
    complain(definitionsTexts.patternDescriptionAlone, 'patternDescription');
  }
  return {
    ...rules,
    options: input.options?.map((option) => typed(option, 'options')) ?? null,
    min: bound('min'),
    max: bound('max'),
    name: input.name,
    label: input.label ?? input.name,
    description: input.description ?? '',
    optionsFrom: input.optionsFrom
      ? { ...input.optionsFrom, fills: input.optionsFrom.fills ?? {} }
      : null,
  };
}

function uniqueNames(fields: readonly { name: string }[], context: z.RefinementCtx) {
  const seen = new Set<string>();
  fields.forEach(({ name }, index) => {
    if (seen.has(nameKey(name))) {
      context.addIssue({
        code: 'custom',
        message: definitionsTexts.nameTwice(name),
        path: [index, 'name'],
      });
    }
    seen.add(nameKey(name));
  });
}
