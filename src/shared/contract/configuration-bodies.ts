import * as definitionsTexts from '#messages/definitions.ts';
import * as z from 'zod';
import {
  columnShape,
  completeColumn,
  completeIndexField,
  indexFieldShape,
  MAX_FIELDS,
  uniqueTogetherSchema,
  type Column,
  type IndexField,
  type KeywordField,
} from '../rules/definitions.ts';
import { checksShape, type DefinedChecks } from '../rules/check-definitions.ts';
import { readInstant } from '../values/iso-dates.ts';
import { addProblemTo, guidSchema, nameSchema, requireUniqueNames } from '../rules/name-schemas.ts';
import { languageTagSchema, textSchema } from '../rules/text-schemas.ts';

/* Requests that define archives and tables (docs/interface/administration.md, section 1). */

/** A field as an administrator defines it. */
export interface RequestedField<Field = IndexField | Column | KeywordField> {
  readonly field: Field;
  /** its current name; its values are kept */
  readonly renamedFrom: string | null;
  /** the locale (BCP 47) in which its texts are read when its type changes; null: only in the form of the interface */
  readonly readAs: string | null;
  readonly isRetired: boolean;
  /** of a revert: the number of the field that it was before its type was changed */
  readonly originalNumber?: number;
}

/**
 * A definition as an administrator sends it, the same for archives and tables. Without `checks` or `checksOff` these
 * stay as they are.
 */
export interface RequestedDefinition extends DefinedChecks {
  /** null: a new GUID is created, or the current one stays */
  readonly guid: string | null;
  /** `table` of an archive, `name` of a table */
  readonly name: string;
  /** `name` of an archive, `label` of a table */
  readonly label: string;
  readonly description: string;
  readonly fields: readonly RequestedField<IndexField | Column>[];
  readonly keywordFields: readonly RequestedField<KeywordField>[];
  readonly uniqueTogether: readonly (readonly string[])[];
  /** of a revert: retired index fields or columns whose values others have from then on, or no longer */
  readonly retiredBefore?: readonly RetiredBefore[];
}

interface RetiredBefore {
  readonly number: number;
  /** whether another field shows its values */
  readonly isSuperseded: boolean;
}

/** The properties of a sent field that are not part of its definition. */
const changeShape = {
  renamedFrom: nameSchema.nullish(),
  readAs: languageTagSchema.nullish(),
  retiredAt: textSchema
    .refine((text) => typeof readInstant(text) === 'number', definitionsTexts.notAnInstant)
    .meta({ description: 'ISO 8601 with an offset, as answers give it', format: 'date-time' })
    .nullish(),
  /** a key of answers */
  stoodAfter: z.unknown().optional(),
};

function requested<Field>(
  field: Field,
  { renamedFrom, readAs, retiredAt }: Partial<z.output<z.ZodObject<typeof changeShape>>>,
): RequestedField<Field> {
  return {
    field,
    renamedFrom: renamedFrom ?? null,
    readAs: readAs ?? null,
    isRetired: retiredAt != null,
  };
}

const indexFieldSchema = z
  .strictObject({ ...indexFieldShape, ...changeShape })
  .transform((input, context) =>
    requested(completeIndexField(input, addProblemTo(context)), input),
  );

const columnSchema = z
  .strictObject({ ...columnShape, ...changeShape })
  .transform((input, context) => requested(completeColumn(input, addProblemTo(context)), input));

const keywordFieldSchema = z
  .strictObject({
    name: nameSchema,
    label: textSchema.max(200).optional(),
    renamedFrom: changeShape.renamedFrom,
    retiredAt: changeShape.retiredAt,
    stoodAfter: changeShape.stoodAfter,
  })
  .transform((input) => requested({ name: input.name, label: input.label ?? input.name }, input));

function namesOnce(fields: readonly Partial<RequestedField>[], context: z.RefinementCtx): void {
  const read = fields.flatMap(({ field }) => (field ? [field] : []));
  // Fields with errors stay as they were sent.
  if (read.length === fields.length) requireUniqueNames(read, context);
}

/** Keys that only answers have; a client may send them back unchanged. */
const answeredShape = {
  version: z.unknown().optional(),
  estimated: z.unknown().optional(),
  retiredAt: z.unknown().optional(),
  changedAt: z.unknown().optional(),
};

/** The count of records, a key of answers too. A list has the records of a definition file, which would be lost. */
const answeredCountSchema = z
  .unknown()
  .refine((count) => !Array.isArray(count), definitionsTexts.recordsNotStored)
  .optional();

const descriptionSchema = textSchema.max(10_000).nullish();

const archiveSchema = z
  .strictObject({
    guid: guidSchema.nullish(),
    table: nameSchema,
    name: textSchema.min(1).max(200),
    description: descriptionSchema,
    indexFields: z.array(indexFieldSchema).min(1).max(MAX_FIELDS).superRefine(namesOnce),
    keywordFields: z.array(keywordFieldSchema).max(MAX_FIELDS).superRefine(namesOnce).optional(),
    ...checksShape,
    ...answeredShape,
    documents: answeredCountSchema,
  })
  .transform(({ checks, checksOff, ...archive }): RequestedDefinition => ({
    guid: archive.guid ?? null,
    name: archive.table,
    label: archive.name,
    description: archive.description ?? '',
    fields: archive.indexFields,
    keywordFields: archive.keywordFields ?? [],
    uniqueTogether: [],
    checks,
    checksOff,
  }));

const tableSchema = z
  .strictObject({
    guid: guidSchema.nullish(),
    name: nameSchema,
    label: textSchema.max(200).optional(),
    description: descriptionSchema,
    columns: z.array(columnSchema).min(1).max(MAX_FIELDS).superRefine(namesOnce),
    uniqueTogether: uniqueTogetherSchema,
    ...checksShape,
    ...answeredShape,
    datasets: answeredCountSchema,
  })
  .transform(({ checks, checksOff, ...table }): RequestedDefinition => ({
    guid: table.guid ?? null,
    name: table.name,
    label: table.label ?? table.name,
    description: table.description ?? '',
    fields: table.columns,
    keywordFields: [],
    uniqueTogether: table.uniqueTogether ?? [],
    checks,
    checksOff,
  }));

/** Body of POST configuration/archives. */
export const createArchiveBody = z.strictObject({ archive: archiveSchema });
/** Body of POST configuration/tables. */
export const createTableBody = z.strictObject({ table: tableSchema });

/** `keep`: narrower rules apply although stored values break them, and values that cannot be converted become null. */
const onMisfit = z.enum(['keep']).optional();

/** Body of PUT configuration/archives/:archive. */
export const changeArchiveBody = z.strictObject({ archive: archiveSchema, onMisfit });
/** Body of PUT configuration/tables/:guid. */
export const changeTableBody = z.strictObject({ table: tableSchema, onMisfit });

/** The parts of a definition file that are not definitions. */
const CONTENT = ['documents', 'documentsFrom', 'views', 'datasets', 'datasetsFrom'];

function withoutContent(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !CONTENT.includes(key)));
}

/** The archives and tables of a definition file, as the calls take them: fields may have `renamedFrom` and `readAs`. */
export const requestedDefinitions = z
  .looseObject({
    archives: z.array(z.preprocess(withoutContent, archiveSchema)).optional(),
    tables: z.array(z.preprocess(withoutContent, tableSchema)).optional(),
  })
  .transform(({ archives = [], tables = [] }) => [
    ...archives.map((wanted) => ({ kind: 'archive' as const, wanted })),
    ...tables.map((wanted) => ({ kind: 'table' as const, wanted })),
  ]);

/** Confirms a permanent deletion by the name of what is deleted. */
export const purgeBody = z.strictObject({ confirm: textSchema.max(1_000) });

/** The body of a call that retires, or with `purge=true` deletes permanently; no body if it retires. */
export const retireBody = z.strictObject({ confirm: purgeBody.shape.confirm.optional() }).nullish();
