import * as definitionsTexts from '#messages/definitions.ts';
import * as z from 'zod';
import { JsonNumber, type JsonValue } from '../values/json.ts';
import { addProblemTo, guidSchema, nameSchema, requireUniqueNames } from './name-schemas.ts';
import { checksShape, type DefinedChecks } from './check-definitions.ts';
import { nameKey } from './names.ts';
import { isPattern } from '../values/pattern-engine.ts';
import { MAX_SCALE } from '../values/decimal.ts';
import { hasRule, isBoolean, typesWith, VALUE_TYPES } from '../values/registry.ts';
import {
  checkRules,
  compareValues,
  MAX_TEXT_LENGTH,
  parseType,
  type ValueRules,
} from '../values/value-rules.ts';
import { TYPE_RULES, type Scalar } from '../values/value-type.ts';
import { textSchema } from './text-schemas.ts';

/**
 * The source of a field's options: a column of a table; choosing one fills other fields
 * (docs/interface/decisions.md, section 9).
 */
interface OptionsFrom {
  readonly table: string;
  readonly column: string;
  /** this archive's field (or table's column) → the other table's column */
  readonly fills: Readonly<Record<string, string>>;
}

/** Where forms and lists show a field; what is left out has its default. It has no effect on values. */
export interface FieldLayout {
  /** the heading on the form above the field and its neighbours with the same group */
  readonly group?: string | undefined;
  /** it takes half of the form's width, if the form is wide enough */
  readonly width?: 'half' | undefined;
  /** lists do not show it until the user adds it */
  readonly hiddenInLists?: true | undefined;
  /** the sort of a list that a user opens for the first time; earlier fields take precedence */
  readonly listSort?: 'ascending' | 'descending' | undefined;
}

export interface IndexField extends ValueRules, FieldLayout {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly optionsFrom: OptionsFrom | null;
  /** its value is on a page of the document, and is searched for there; only of archives */
  readonly onPage?: true | undefined;
}

export interface Column extends IndexField {
  /** the value of a new dataset if the column is omitted */
  readonly default: Scalar;
  readonly unique: boolean;
}

export interface KeywordField {
  readonly name: string;
  readonly label: string;
}

/**
 * A complete definition of an archive (docs/interface/decisions.md, section 9): defaults are
 * filled in.
 */
export interface ArchiveDefinition extends DefinedChecks {
  readonly guid: string;
  readonly table: string;
  readonly name: string;
  readonly description: string;
  readonly indexFields: readonly IndexField[];
  readonly keywordFields: readonly KeywordField[];
}

export interface TableDefinition extends DefinedChecks {
  readonly guid: string;
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly columns: readonly Column[];
  /** lists of columns whose values are unique together */
  readonly uniqueTogether?: readonly (readonly string[])[] | undefined;
}

/** A JSON value of our parser: numbers keep their source text. */
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

export const MAX_FIELDS = 500;

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
  /** what the pattern requires, shown instead of it */
  patternDescription: textSchema.min(1).max(200).nullish(),
  /** the heading on the form above the field */
  group: textSchema.min(1).max(100).nullish(),
  /** on the form */
  width: z.enum(['full', 'half']).nullish(),
  /** lists do not show it until the user adds it */
  hiddenInLists: z.boolean().nullish(),
  /** the sort of a list that a user opens for the first time */
  listSort: z.enum(['ascending', 'descending']).nullish(),
  optionsFrom: z
    .strictObject({
      table: nameSchema,
      column: nameSchema,
      fills: z.record(nameSchema, nameSchema).optional(),
    })
    .nullish(),
};

export const columnShape = {
  ...fieldShape,
  default: jsonValueSchema.optional(),
  unique: z.boolean().optional(),
};

export const indexFieldShape = {
  ...fieldShape,
  /** its value is searched for on the pages of the document */
  onPage: z.boolean().nullish(),
};

const indexFieldInput = z.strictObject(indexFieldShape);
const columnInput = z.strictObject(columnShape);

/** One index field of a definition file or request, completed and validated. */
const indexFieldSchema = indexFieldInput.transform((input, context): IndexField =>
  completeIndexField(input, addProblemTo(context)),
);

/** One column of a definition file or request, completed and validated. */
const columnSchema = columnInput.transform((input, context): Column =>
  completeColumn(input, addProblemTo(context)),
);

const keywordFieldSchema = z
  .strictObject({ name: nameSchema, label: textSchema.max(200).optional() })
  .transform((input): KeywordField => ({ name: input.name, label: input.label ?? input.name }));

/** Lists of columns whose values are unique together. */
export const uniqueTogetherSchema = z.array(z.array(nameSchema).min(2).max(16)).max(20).optional();

const descriptionSchema = textSchema
  .max(10_000)
  .optional()
  .transform((text) => text ?? '');

export const archiveDefinitionShape = {
  guid: guidSchema,
  table: nameSchema,
  name: textSchema.min(1).max(200),
  description: descriptionSchema,
  indexFields: z.array(indexFieldSchema).min(1).max(MAX_FIELDS).superRefine(requireUniqueNames),
  keywordFields: z
    .array(keywordFieldSchema)
    .max(MAX_FIELDS)
    .superRefine(requireUniqueNames)
    .optional()
    .transform((fields) => fields ?? []),
  ...checksShape,
};

export const tableDefinitionShape = {
  guid: guidSchema,
  name: nameSchema,
  label: textSchema.max(200).optional(),
  description: descriptionSchema,
  columns: z.array(columnSchema).min(1).max(MAX_FIELDS).superRefine(requireUniqueNames),
  uniqueTogether: uniqueTogetherSchema,
  ...checksShape,
};

type AddProblem = (message: string, key: string) => void;

/** Completes a column and validates it. @param addProblem called with each problem, and the key that has it */
export function completeColumn(
  input: z.output<typeof columnInput>,
  addProblem: AddProblem,
): Column {
  if (nameKey(input.name) === 'jrid') addProblem(definitionsTexts.jridReserved, 'name');
  const field = completeField(input, addProblem);
  let initial: Scalar = null;
  if (input.default !== undefined && input.default !== null) {
    const typed = parseType(field, input.default);
    const checked = typed.ok ? checkRules(field, typed.value) : typed;
    if (checked.ok) initial = checked.value;
    else addProblem(checked.message, 'default');
  }
  return { ...field, default: initial, unique: input.unique ?? false };
}

/** Completes an index field and validates it. @param addProblem called with each problem, and the key that has it */
export function completeIndexField(
  { onPage, ...input }: z.output<typeof indexFieldInput>,
  addProblem: AddProblem,
): IndexField {
  if (onPage === true && isBoolean(input)) {
    addProblem(definitionsTexts.neverOnPage, 'onPage');
  }
  return { ...completeField(input, addProblem), ...(onPage === true && { onPage }) };
}

type FieldInput = z.output<z.ZodObject<typeof fieldShape>>;

function completeField(input: FieldInput, addProblem: AddProblem): IndexField {
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
    if (!parsed.ok) addProblem(parsed.message, key);
    return parsed.ok ? parsed.value : null;
  };
  const bound = (key: 'min' | 'max'): number | string | null => {
    const value = typed(input[key], key);
    return typeof value === 'boolean' ? null : value;
  };
  for (const key of TYPE_RULES) {
    if (input[key] == null || hasRule(input.type, key)) continue;
    addProblem(definitionsTexts.keyOfOtherType({ key, value: typesWith(key).join(' or ') }), key);
  }
  if (input.patternDescription != null && input.pattern == null) {
    addProblem(definitionsTexts.patternDescriptionAlone, 'patternDescription');
  }
  const [min, max] = [bound('min'), bound('max')];
  if (min !== null && max !== null && compareValues(input.type, min, max) > 0) {
    addProblem(definitionsTexts.maxBelowMin, 'max');
  }
  const options = input.options?.map((option) => typed(option, 'options')) ?? null;
  if (input.options?.includes(null)) addProblem(definitionsTexts.optionIsNull, 'options');
  return {
    ...rules,
    options,
    min,
    max,
    name: input.name,
    label: input.label ?? input.name,
    description: input.description ?? '',
    ...layoutOf(input),
    optionsFrom: input.optionsFrom
      ? { ...input.optionsFrom, fills: input.optionsFrom.fills ?? {} }
      : null,
  };
}

/** The properties that differ from the default layout; the rest is left out. */
export function layoutOf({
  group,
  width,
  hiddenInLists,
  listSort,
}: Pick<FieldInput, 'group' | 'width' | 'hiddenInLists' | 'listSort'>): FieldLayout {
  return {
    ...(group == null ? {} : { group }),
    ...(width === 'half' ? { width } : {}),
    ...(hiddenInLists === true ? { hiddenInLists } : {}),
    ...(listSort == null ? {} : { listSort }),
  };
}
