import { randomUUID } from 'node:crypto';
import type { Database } from '#server/database/database.ts';
import { createIndexes } from '#server/database/records/record-tables.ts';
import { insertRecords } from '#server/database/records/write-records.ts';
import { defineArchive, defineTable } from '#server/modules/definitions/definitions.service.ts';
import type { Archive, Table, Collection } from '#server/database/records/collection.ts';
import type { Writer } from '#server/modules/records/records.service.ts';
import type { StoredRight } from '#server/modules/rights/rights.service.ts';
import { definitionFileSchema } from '#shared/contract/definition-file.ts';
import { parseJson } from '#shared/values/json.ts';
import type { Access } from '#shared/rules/rights.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/** Who makes what tests need, as the history tells it. */
export const BUILDER = { userId: null, username: 'builder', address: null, call: 'test' } as const;

/** Fields as a definition file gives them: what a test does not state is filled in. */
export type FieldInput = { readonly name: string; readonly type?: string | undefined } & Readonly<
  Record<string, unknown>
>;

const withType = (fields: readonly FieldInput[]) =>
  fields.map((field) => ({ type: 'text', ...field }));

/** Defines an archive with these fields; its other properties are made up. */
export function buildArchive(
  database: Database,
  indexFields: readonly FieldInput[],
  keywordFields: readonly string[] = [],
  /** other keys of the definition, such as `checks` */
  more: Readonly<Record<string, unknown>> = {},
): Promise<Archive> {
  const table = `ARCHIVE_${randomUUID().slice(0, 8)}`;
  const file = definitionFileSchema.parse(
    parseJson(
      JSON.stringify({
        archives: [
          {
            guid: randomUUID(),
            table,
            name: table,
            indexFields: withType(indexFields),
            keywordFields: keywordFields.map((name) => ({ name })),
            ...more,
          },
        ],
      }),
    ),
  );
  return define(
    database,
    file.archives.map(({ definition }) => definition),
    defineArchive,
  );
}

/** Defines a data table with these columns. */
export function buildTable(
  database: Database,
  columns: readonly FieldInput[],
  name = `TABLE_${randomUUID().slice(0, 8)}`,
  /** other keys of the definition, such as `checks` */
  more: Readonly<Record<string, unknown>> = {},
): Promise<Table> {
  const file = definitionFileSchema.parse(
    parseJson(
      JSON.stringify({
        tables: [
          {
            guid: randomUUID(),
            name,
            columns: withType(columns),
            ...more,
          },
        ],
      }),
    ),
  );
  return define(
    database,
    file.tables.map(({ definition }) => definition),
    defineTable,
  );
}

async function define<Definition, Defined extends Collection>(
  database: Database,
  [definition]: readonly Definition[],
  make: (
    db: Parameters<typeof defineTable>[0],
    definition: Definition,
    actor: typeof BUILDER,
  ) => Promise<Defined>,
): Promise<Defined> {
  if (definition === undefined) throw new Error('Nothing to define');
  return database.write(async (db) => {
    const defined = await make(db, definition, BUILDER);
    await createIndexes(db, defined);
    return defined;
  });
}

/** Stores records with these values, in the order of the definition; their ids count from 1. */
export function buildRecords(
  database: Database,
  collection: Collection,
  rows: readonly (readonly Scalar[])[],
  keywords: (row: number) => readonly (readonly string[])[] = () =>
    collection.keywordFields.map(() => []),
): Promise<number[]> {
  return database.write((db) =>
    insertRecords(
      db,
      collection,
      rows.map((values, row) => ({
        id: null,
        version: 1,
        values,
        keywords: keywords(row),
        document: collection.kind === 'archive' ? { documentId: null, revision: 1 } : null,
      })),
      { at: Date.UTC(2024, 0, 1), by: 'builder' },
    ),
  );
}

/** Somebody who writes, without a session of the service. */
export function buildWriter(given: Partial<Writer> = {}): Writer {
  return {
    userId: null,
    username: 'writer',
    address: null,
    call: 'TEST call',
    sessionId: null,
    isAdministrator: false,
    ...given,
  };
}

/** The right of a user on an archive or table, for `buildUser`. */
export function rightOn({ kind, id }: Collection, access: Access): StoredRight {
  return { kind, collectionId: id, access, fields: new Map() };
}

/** Where the calls about an archive begin. */
export function archivePath({ name }: Archive): string {
  return `application/archiveapp/archives/${name}`;
}

/** Where the calls about a table's datasets begin. */
export function datasetsPath({ guid }: Table): string {
  return `application/dataapp/tables/${guid}/datasets`;
}
