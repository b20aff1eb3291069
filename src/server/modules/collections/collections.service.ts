import * as peopleTexts from '#messages/service/people.ts';
import * as texts from '#messages/service/records.ts';
import { countRecordsInWorker } from '../records/records.reads.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Caller, PathParams } from '#server/http/route.ts';
import type {
  ArchiveDetail,
  ArchiveSummary,
  TableDetail,
  TableSummary,
} from '#shared/contract/answers.ts';
import type { Column, IndexField } from '#shared/rules/definitions.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { findByName, isSameName, nameKey } from '#shared/rules/names.ts';
import type { Access } from '#shared/rules/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { describeField } from '../definitions/present-definition.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import { ALL_RECORDS } from '#server/database/records/list-reader.ts';
import { findUser } from '../accounts/users.service.ts';
import { visibleCollections, visibleTo, type RightsSubject } from '../rights/rights.service.ts';

/**
 * The user of the requested archives: the caller, or any user for an administrator.
 * @throws {ApiError} 404 for another user, who is invisible to the caller
 */
async function readerOf(db: Transaction, caller: Caller, username: string): Promise<RightsSubject> {
  if (isSameName(username, caller.username)) return caller;
  const user = caller.role === 'administrator' ? await findUser(db, username) : undefined;
  if (!user) throw new ApiError('not_found', peopleTexts.noUser({ username }));
  return { userId: user.id, role: user.role, scope: caller.scope };
}

/** @throws {ApiError} 404 unless the user is the caller, or exists and the caller is an administrator */
export async function archiveSummaries(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
  username: string,
): Promise<ArchiveSummary[]> {
  const person = await readerOf(db, caller, username);
  const { archives } = await visibleCollections(db, definitions, person);
  const summaries: ArchiveSummary[] = [];
  for (const { collection, access } of archives) {
    summaries.push(await archiveSummary(db, collection, access));
  }
  return summaries;
}

/**
 * The archive of a path, as its user sees it.
 * @throws {ApiError} 404 if the user has no such archive
 */
export async function requireArchive(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
  params: PathParams,
) {
  const person = await readerOf(db, caller, params['username'] ?? '');
  const fullCollection = await definitions.findArchive(db, params['archive'] ?? '');
  const visible = fullCollection && (await visibleTo(db, person, fullCollection));
  if (!visible) throw new ApiError('not_found', texts.noArchive);
  return { person, ...visible };
}

/** @throws {ApiError} as `requireArchive` */
export async function archiveDetail(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
  params: PathParams,
): Promise<ArchiveDetail> {
  const found = await requireArchive(db, definitions, caller, params);
  const { person, collection: archive, access } = found;
  const describe = await fieldDescriber(db, definitions, person, archive);
  return {
    ...(await archiveSummary(db, archive, access)),
    indexFieldDefinitions: archive.fields.map(describe),
    keywordFieldDefinitions: archive.keywordFields.map((field) => ({
      name: field.name,
      label: field.label,
      ...(isWritable(archive, field) ? {} : { readOnly: true }),
    })),
  };
}

export async function tableSummaries(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
): Promise<TableSummary[]> {
  const { tables } = await visibleCollections(db, definitions, caller);
  const summaries: TableSummary[] = [];
  for (const { collection, access } of tables) {
    summaries.push(await tableSummary(db, collection, access));
  }
  return summaries;
}

export async function tableDetail(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
  table: Table,
  rights: Access,
): Promise<TableDetail> {
  const describe = await fieldDescriber(db, definitions, caller, table);
  return {
    ...(await tableSummary(db, table, rights)),
    columns: table.fields.map((column: Column & NumberedField) => ({
      ...describe(column),
      default: column.default,
      unique: column.unique,
    })),
  };
}

/**
 * The fields of an archive or table for a user, with read-only ones marked. Options from tables and columns that are
 * invisible to the user are left out (docs/interface/decisions.md, section 9).
 */
async function fieldDescriber(
  db: Transaction,
  definitions: Definitions,
  person: RightsSubject,
  collection: Archive | Table,
): Promise<(field: NumberedField) => FieldDefinition> {
  const fields: readonly NumberedField[] = collection.fields;
  const { tables } = fields.some(({ optionsFrom }) => optionsFrom)
    ? await visibleCollections(db, definitions, person)
    : { tables: [] };
  const columns = new Map(
    tables.map(({ collection: table }) => [nameKey(table.name), table.fields]),
  );
  return (field) => ({
    ...describeField(field),
    ...(isWritable(collection, field) ? {} : { readOnly: true }),
    optionsFrom: field.optionsFrom && visibleOptions(field.optionsFrom, columns),
  });
}

type NumberedField = IndexField & { readonly number: number };

/** @param columns visible to the user, by table; null: the options have another source */
function visibleOptions(
  { table, column, fills }: NonNullable<IndexField['optionsFrom']>,
  columns: ReadonlyMap<string, readonly IndexField[]>,
): FieldDefinition['optionsFrom'] {
  const visible = columns.get(nameKey(table));
  if (!visible || !findByName(visible, column)) return null;
  const visibleFills = Object.entries(fills).filter(([, from]) => findByName(visible, from));
  return { table, column, fills: Object.fromEntries(visibleFills) };
}

async function archiveSummary(
  db: Transaction,
  archive: Archive,
  rights: Access,
): Promise<ArchiveSummary> {
  const { guid, name: table, label: name, description } = archive;
  return { guid, table, name, description, documents: await countAll(db, archive), rights };
}

async function tableSummary(db: Transaction, table: Table, rights: Access): Promise<TableSummary> {
  const { guid, name, label, description } = table;
  return { guid, name, label, description, datasets: await countAll(db, table), rights };
}

/** How many records an archive or table has. */
export function countAll(db: Transaction, collection: Archive | Table): Promise<number> {
  return countRecordsInWorker(db, collection, ALL_RECORDS);
}

type FieldDefinition = ArchiveDetail['indexFieldDefinitions'][number];
