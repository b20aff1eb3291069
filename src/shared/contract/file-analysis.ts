import * as z from 'zod/mini';
import { NAME_PATTERN } from '../rules/names.ts';
import { MAX_SCALE } from '../values/decimal.ts';
import { VALUE_TYPES } from '../values/registry.ts';
import { MAX_TEXT_LENGTH } from '../values/value-rules.ts';
import { scalarSchema } from './answers.ts';
import { notationShape } from './common-schemas.ts';

/* The analysis of a file from which an archive or table can be created (docs/interface/administration.md). */

/** The number of the first rows in an answer: default and maximum. */
export const SAMPLE_ROWS = { default: 100, max: 10_000 } as const;

/** A file without a header row: the columns are numbered. */
export const NO_HEADER = 0;

/** Overrides of the guesses about one column; what is left out is guessed. */
export const columnOverridesSchema = z.strictObject({
  name: z.optional(z.string().check(z.regex(NAME_PATTERN))),
  label: z.optional(z.string().check(z.maxLength(200))),
  type: z.optional(z.enum(VALUE_TYPES)),
  decimal: z.optional(notationShape.decimal),
  order: z.optional(notationShape.order),
  required: z.optional(z.boolean()),
  unique: z.optional(z.boolean()),
  maxLength: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_TEXT_LENGTH)))),
  scale: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(MAX_SCALE)))),
  options: z.optional(z.nullable(z.array(z.string()).check(z.minLength(1), z.maxLength(1_000)))),
});
export type ColumnOverrides = z.infer<typeof columnOverridesSchema>;

const analysedColumnSchema = z.object({
  /** '' if the file has none */
  header: z.string(),
  /** null: it has neither a header nor values, and is not proposed */
  name: z.nullable(z.string()),
  label: z.string(),
  type: z.enum(VALUE_TYPES),
  required: z.boolean(),
  unique: z.boolean(),
  maxLength: z.nullable(z.number()),
  scale: z.nullable(z.number()),
  /** the distinct values if there are few */
  options: z.nullable(z.array(z.string())),
  /** how its numbers and dates are read */
  ...notationShape,
  /** a cell that can be read in several ways if no other cell decides; null: there is no question */
  question: z.nullable(z.object({ about: z.enum(['decimal', 'order']), example: z.string() })),
  /** the number of non-empty cells */
  filled: z.int(),
  /** cells that the field would refuse, with the first distinct ones and why the first is refused; null: none */
  misfits: z.nullable(
    z.object({ count: z.int(), examples: z.array(z.string()), message: z.string() }),
  ),
});
export type AnalysedColumn = z.infer<typeof analysedColumnSchema>;

const proposedFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(VALUE_TYPES),
  required: z.boolean(),
  maxLength: z.optional(z.number()),
  scale: z.optional(z.number()),
  options: z.optional(z.array(z.string())),
});
const proposedArchiveSchema = z.object({
  table: z.string(),
  name: z.string(),
  indexFields: z.array(proposedFieldSchema),
});
const proposedTableSchema = z.object({
  name: z.string(),
  label: z.string(),
  columns: z.array(z.extend(proposedFieldSchema, { unique: z.boolean() })),
});

const sheetAnalysisSchema = z.object({
  kind: z.literal('sheet'),
  name: z.string(),
  format: z.object({
    type: z.enum(['xlsx', 'csv']),
    /** null: XLSX */
    separator: z.nullable(z.string()),
    encoding: z.nullable(z.string()),
    /** the line of the header, from 1; 0: none */
    header: z.int(),
    /** null: numbers and dates are in the form of the interface, or columns differ */
    locale: z.nullable(z.string()),
  }),
  /** rows below the header */
  rows: z.int(),
  columns: z.array(analysedColumnSchema),
  /** the first rows: the cells as they are in the file, and their values */
  records: z.array(
    z.object({ line: z.int(), cells: z.array(z.string()), values: z.array(scalarSchema) }),
  ),
  /** bodies of POST configuration/archives and configuration/tables */
  proposed: z.object({
    archive: z.nullable(proposedArchiveSchema),
    table: z.nullable(proposedTableSchema),
  }),
});
export type SheetAnalysis = z.infer<typeof sheetAnalysisSchema>;

const anyObject = z.record(z.string(), z.unknown());

const definitionAnalysisSchema = z.object({
  kind: z.literal('definition'),
  name: z.string(),
  /** bodies of POST configuration/archives and configuration/tables */
  archives: z.array(anyObject),
  tables: z.array(anyObject),
  /** other content of the file, which the command `load` reads: documents, datasets, users */
  ignored: z.object({ documents: z.int(), datasets: z.int(), files: z.int(), users: z.int() }),
});
export type DefinitionAnalysis = z.infer<typeof definitionAnalysisSchema>;

export const analysesAnswer = z.object({
  analyses: z.array(z.discriminatedUnion('kind', [sheetAnalysisSchema, definitionAnalysisSchema])),
});
