import * as definitionsTexts from '#messages/definitions.ts';
import * as z from 'zod';
import { byName } from './by-name.ts';
import {
  archiveDefinitionShape,
  jsonValueSchema,
  tableDefinitionShape,
  type ArchiveDefinition,
  type TableDefinition,
} from '../rules/definitions.ts';
import { viewBody } from './workspace-requests.ts';
import { emailSchema, namedRightsSchema } from './configuration-people-requests.ts';
import { isEncoding, SEPARATOR } from '../rules/csv-format.ts';
import { nameSchema } from '../rules/name-schemas.ts';
import { indexDataBody, revisionIdSchema } from './requests.ts';
import { ROLES } from '../rules/rights.ts';
import { languageTagSchema, textSchema } from '../rules/text-schemas.ts';

/** How a CSV file is written; what is left out is detected from its content. */
const formatSchema = z.strictObject({
  /** between the cells of a line */
  separator: z.string().regex(SEPARATOR, definitionsTexts.notOneCharacter).optional(),
  /** as the Encoding Standard names it */
  encoding: z.string().refine(isEncoding, definitionsTexts.notAnEncoding).optional(),
  /** under which numbers and dates are written (BCP 47) */
  locale: languageTagSchema.optional(),
});

const documentsFromSchema = z.strictObject({
  csv: textSchema,
  format: formatSchema.optional(),
  /** the CSV column that holds the revisionId; without it rows get the next ids */
  revisionId: textSchema.optional(),
  /** index field → CSV column; without it columns match by name */
  columns: byName(textSchema).optional(),
  keywords: byName(
    z.strictObject({ column: textSchema, separator: textSchema.min(1).optional() }),
  ).optional(),
  /** the CSV column with the paths of a document's files, relative to the definition file */
  files: z
    .strictObject({
      column: textSchema,
      /** between several paths; without it a cell is one path */
      separator: textSchema.min(1).optional(),
    })
    .optional(),
});

const datasetsFromSchema = z.strictObject({
  csv: textSchema,
  format: formatSchema.optional(),
  jrid: textSchema.optional(),
  columns: byName(textSchema).optional(),
});

/** Views for everyone who can see the archive or table. */
const viewsSchema = z.array(viewBody.omit({ shared: true })).optional();

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
    views: viewsSchema,
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
    views: viewsSchema,
  })
  .transform(({ datasets, datasetsFrom, views, label, ...definition }) => ({
    definition: { ...definition, label: label ?? definition.name } satisfies TableDefinition,
    datasets: datasets ?? [],
    datasetsFrom: datasetsFrom ?? null,
    views: views ?? [],
  }));

const userDefinitionSchema = z.strictObject({
  username: textSchema.min(1).max(100),
  displayName: textSchema.max(200).optional(),
  email: emailSchema.optional(),
  role: z.enum(ROLES).default('clerk'),
  password: textSchema,
  /** by name */
  groups: z.array(nameSchema).optional(),
  rights: namedRightsSchema.optional(),
});

const groupDefinitionSchema = z.strictObject({
  name: nameSchema,
  label: textSchema.max(200).optional(),
  rights: namedRightsSchema.optional(),
});

/** A definition file (docs/interface/decisions.md, section 9); parsing fills in all defaults. */
export const definitionFileSchema = z
  .strictObject({
    /** for editors: where the JSON Schema of definition files is */
    $schema: textSchema.optional(),
    archives: z.array(archiveSchema).optional(),
    tables: z.array(tableSchema).optional(),
    groups: z.array(groupDefinitionSchema).optional(),
    users: z.array(userDefinitionSchema).optional(),
  })
  .transform((file) => ({
    archives: file.archives ?? [],
    tables: file.tables ?? [],
    groups: file.groups ?? [],
    users: file.users ?? [],
  }));

export type DefinitionFile = z.output<typeof definitionFileSchema>;
