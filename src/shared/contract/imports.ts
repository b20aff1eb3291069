import * as z from 'zod/mini';
import { givenNotationShape } from './common-schemas.ts';
import { VALUE_TYPES } from '../values/registry.ts';

/** The meaning of a column of an imported spreadsheet, as the user sets it. */
export const importColumnSchema = z.discriminatedUnion('as', [
  z.strictObject({ as: z.literal('id') }),
  z.strictObject({ as: z.literal('version') }),
  /** the number of the row in an earlier file, which messages name instead of its own */
  z.strictObject({ as: z.literal('line') }),
  z.strictObject({ as: z.literal('nothing') }),
  z.strictObject({
    as: z.literal('field'),
    field: z.string(),
    ...givenNotationShape,
  }),
  /** the values of a keyword field of an archive, as a comma list */
  z.strictObject({ as: z.literal('keyword'), keyword: z.string() }),
]);

/** What the rows of a file may do: create records, change existing ones, or both (only data tables). */
export const IMPORT_MODES = ['create', 'change', 'both'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export type ImportColumn = z.infer<typeof importColumnSchema>;

/** A column as it was detected: from its header and its cells. */
const foundColumnSchema = z.object({
  header: z.string(),
  /** its meaning unless the user sets another */
  column: importColumnSchema,
  /** a cell that can be read in several ways, and which part of the writer's notation decides; null: no question */
  question: z.nullable(z.object({ about: z.enum(['decimal', 'order']), example: z.string() })),
  /** the first non-empty cells, as text; at most 3 */
  examples: z.array(z.string()),
  /** the type that all cells can be read as, whatever the column means; null: they are empty */
  looksLike: z.nullable(z.enum(VALUE_TYPES)),
  /**
   * how many cells cannot be read as the type of the field, and the first of them; null: all can, or the column is no
   * field
   */
  misfits: z.nullable(z.object({ count: z.int(), example: z.string() })),
});

/** The answer of an inspection. */
export const importInspectionAnswer = z.object({
  imports: z.array(
    z.object({
      name: z.string(),
      /** rows below the headers */
      rows: z.int(),
      columns: z.array(foundColumnSchema),
      /** whether a column holds the version of each revision, by which changes of others are detected */
      versions: z.boolean(),
    }),
  ),
});

export type ImportInspection = z.infer<typeof importInspectionAnswer>['imports'][number];
