import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '#server/database/database.ts';
import { createIndexes } from '#server/database/records/record-tables.ts';
import { insertRecords } from '#server/database/records/write-records.ts';
import {
  stateOfArchive,
  stateOfTable,
  type DefinitionState,
} from '#server/modules/definitions/definition-state.ts';
import {
  defineCollection,
  extendCollection,
} from '#server/modules/definitions/definitions.service.ts';
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
export async function buildArchive(
  database: Database,
  indexFields: readonly FieldInput[],
  keywordFields: readonly string[] = [],
  /** other keys of the definition, such as `checks` */
  more: Readonly<Record<string, unknown>> = {},
): Promise<Archive> {
  const table = `ARCHIVE_${randomUUID().slice(0, 8)}`;
  const defined = await define(database, {
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
  });
  if (defined.kind !== 'archive') throw new Error('A table was defined.');
  return defined;
}

/** Defines a data table with these columns. */
export async function buildTable(
  database: Database,
  columns: readonly FieldInput[],
  name = `TABLE_${randomUUID().slice(0, 8)}`,
  /** other keys of the definition, such as `checks` */
  more: Readonly<Record<string, unknown>> = {},
): Promise<Table> {
  const defined = await define(database, {
    tables: [{ guid: randomUUID(), name, columns: withType(columns), ...more }],
  });
  if (defined.kind !== 'table') throw new Error('An archive was defined.');
  return defined;
}

async function define(database: Database, file: object): Promise<Collection> {
  return database.write(async (db) => {
    const defined = await defineCollection(db, stateIn(file), BUILDER);
    await createIndexes(db, defined);
    return defined;
  });
}

/** The only archive or table of a definition file. */
function stateIn(file: object): DefinitionState {
  const { archives, tables } = definitionFileSchema.parse(parseJson(JSON.stringify(file)));
  const [state] = [
    ...archives.map(({ definition }) => stateOfArchive(definition)),
    ...tables.map(({ definition }) => stateOfTable(definition)),
  ];
  if (!state) throw new Error('Nothing to define');
  return state;
}

/** Adds an optional index field to an archive, as a load does. */
export async function addIndexField(
  db: Transaction,
  archive: Archive,
  name: string,
): Promise<void> {
  const { guid, name: table, fields } = archive;
  const indexFields = [{ name, type: fields[0]?.type }];
  const wanted = stateIn({ archives: [{ guid, table, name: table, indexFields }] });
  await extendCollection(db, archive, wanted, BUILDER);
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
