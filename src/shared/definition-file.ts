import * as z from 'zod';
import {
  archiveDefinitionShape,
  jsonValueSchema,
  tableDefinitionShape,
  type ArchiveDefinition,
  type TableDefinition,
} from './definitions.ts';
import { viewBody } from './desk-requests.ts';
import { nameSchema } from './name-schemas.ts';
import { indexDataBody, revisionIdSchema } from './requests.ts';
import { ACCESS_LEVELS, ROLES } from './rights.ts';
import { textSchema } from './texts.ts';

const documentsFromSchema = z.strictObject({
  csv: textSchema,
  /** the CSV column that holds the revisionId; without it rows get the next ids */
  revisionId: textSchema.optional(),
  /** index field → CSV column; without it columns match by name */
  columns: z.record(textSchema, textSchema).optional(),
  keywords: z
    .record(
      textSchema,
      z.strictObject({ column: textSchema, separator: textSchema.min(1).optional() }),
    )
    .optional(),
});

const datasetsFromSchema = z.strictObject({
  csv: textSchema,
  jrid: textSchema.optional(),
  columns: z.record(textSchema, textSchema).optional(),
});

const archiveSchema = z
  .strictObject({
    ...archiveDefinitionShape,
    documents: z
      .array(
        z.strictObject({
          revisionId: revisionIdSchema.optional(),
          ...indexDataBody.shape,
          files: z.array(textSchema).optional(),
        }),
      )
      .optional(),
    documentsFrom: documentsFromSchema.optional(),
    /** views for all who see the archive */
    views: z.array(viewBody.omit({ shared: true })).optional(),
  })
  .transform(({ documents, documentsFrom, views, ...definition }) => ({
    definition: definition satisfies ArchiveDefinition,
    documents: documents ?? [],
    documentsFrom: documentsFrom ?? null,
    views: views ?? [],
  }));

const tableSchema = z
  .strictObject({
    ...tableDefinitionShape,
    datasets: z.array(z.record(textSchema, jsonValueSchema)).optional(),
    datasetsFrom: datasetsFromSchema.optional(),
  })
  .transform(({ datasets, datasetsFrom, label, ...definition }) => ({
    definition: { ...definition, label: label ?? definition.name } satisfies TableDefinition,
    datasets: datasets ?? [],
    datasetsFrom: datasetsFrom ?? null,
  }));

const rightsSchema = z.record(nameSchema, z.enum(ACCESS_LEVELS)).optional();

const userDefinitionSchema = z.strictObject({
  username: textSchema.min(1).max(100),
  displayName: textSchema.max(200).optional(),
  role: z.enum(ROLES),
  password: textSchema,
  /** by the archive's table name and the table's name */
  rights: z.strictObject({ archives: rightsSchema, tables: rightsSchema }).optional(),
});

/** The definition file of section 9; after parsing, everything it leaves out is filled in. */
export const definitionFileSchema = z
  .strictObject({
    archives: z.array(archiveSchema).optional(),
    tables: z.array(tableSchema).optional(),
    users: z.array(userDefinitionSchema).optional(),
  })
  .transform((file) => ({
    archives: file.archives ?? [],
    tables: file.tables ?? [],
    users: file.users ?? [],
  }));

export type DefinitionFile = z.output<typeof definitionFileSchema>;
