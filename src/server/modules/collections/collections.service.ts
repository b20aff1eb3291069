import * as texts from '#messages/service/records.ts';
import * as recordReads from '../records/records.reads.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Caller } from '#server/http/route.ts';
import type {
  ArchiveDetail,
  ArchiveSummary,
  TableDetail,
  TableSummary,
} from '#shared/contract/answers.ts';
import type { Column, IndexField } from '#shared/rules/definitions.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { isSameName, nameKey } from '#shared/rules/names.ts';
import { accessOf, type Access, type Role } from '#shared/rules/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { findUser, grantedByCollection } from '../accounts/users.service.ts';

interface Reader {
  readonly userId: number;
  readonly role: Role;
}

/**
 * The user of the requested archives: the caller, or any user for an administrator.
 * @throws {ApiError} 404 for another user, who is invisible to the caller
 */
async function readerOf(db: Transaction, caller: Caller, username: string): Promise<Reader> {
  if (isSameName(username, caller.username)) return caller;
  const user = caller.role === 'administrator' ? await findUser(db, username) : undefined;
  if (!user) throw new ApiError('not_found', texts.noUser);
  return { userId: user.id, role: user.role };
}

/** @throws {ApiError} 404 unless the user is the caller, or exists and the caller is an administrator */
export async function archiveSummaries(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
  username: string,
): Promise<ArchiveSummary[]> {
  const { userId, role } = await readerOf(db, caller, username);
  const granted = await grantedByCollection(db, userId, 'archive');
  const summaries: ArchiveSummary[] = [];
  for (const archive of await definitions.archives(db)) {
    const rights = accessOf(role, granted.get(archive.id) ?? null);
    if (rights) summaries.push(await archiveSummary(db, archive, rights));
  }
  return summaries;
}

/** @throws {ApiError} 404 if the user has no such archive */
export async function archiveDetail(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
  username: string,
  key: string,
): Promise<ArchiveDetail> {
  const { userId, role } = await readerOf(db, caller, username);
  const archive = await definitions.findArchive(db, key);
  const granted = archive && (await grantedByCollection(db, userId, 'archive')).get(archive.id);
  const rights = archive && accessOf(role, granted ?? null);
  if (!archive || !rights) throw new ApiError('not_found', texts.noArchive);
  const describe = await fieldDescriber(db, definitions, { userId, role }, archive.fields);
  return {
    ...(await archiveSummary(db, archive, rights)),
    indexFieldDefinitions: archive.fields.map(describe),
    keywordFieldDefinitions: archive.keywordFields.map(({ name, label }) => ({ name, label })),
  };
}

export async function tableSummaries(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
): Promise<TableSummary[]> {
  const visible = await visibleTables(db, definitions, caller);
  const summaries: TableSummary[] = [];
  for (const { table, rights } of visible) summaries.push(await tableSummary(db, table, rights));
  return summaries;
}

export async function tableDetail(
  db: Transaction,
  definitions: Definitions,
  caller: Caller,
  table: Table,
  rights: Access,
): Promise<TableDetail> {
  const describe = await fieldDescriber(db, definitions, caller, table.fields);
  return {
    ...(await tableSummary(db, table, rights)),
    columns: table.fields.map((column: Column) => ({
      ...describe(column),
      default: column.default,
      unique: column.unique,
    })),
  };
}

async function visibleTables(
  db: Transaction,
  definitions: Definitions,
  { userId, role }: Reader,
): Promise<{ readonly table: Table; readonly rights: Access }[]> {
  const granted = await grantedByCollection(db, userId, 'table');
  return (await definitions.tables(db)).flatMap((table) => {
    const rights = accessOf(role, granted.get(table.id) ?? null);
    return rights ? [{ table, rights }] : [];
  });
}

/**
 * The fields of an archive or table for a user, without options from tables that are invisible to the user
 * (docs/interface/decisions.md, section 9).
 */
async function fieldDescriber(
  db: Transaction,
  definitions: Definitions,
  reader: Reader,
  fields: readonly IndexField[],
): Promise<(field: IndexField) => FieldDefinition> {
  const visible = fields.some(({ optionsFrom }) => optionsFrom)
    ? await visibleTables(db, definitions, reader)
    : [];
  const names = new Set(visible.map(({ table }) => nameKey(table.name)));
  return (field) => {
    const { optionsFrom, ...definition } = toFieldDefinition(field);
    const isVisible = optionsFrom !== null && names.has(nameKey(optionsFrom.table));
    return { ...definition, optionsFrom: isVisible ? optionsFrom : null };
  };
}

async function archiveSummary(
  db: Transaction,
  archive: Archive,
  rights: Access,
): Promise<ArchiveSummary> {
  const { guid, table, name, description } = archive.definition;
  return { guid, table, name, description, documents: await countAll(db, archive), rights };
}

async function tableSummary(db: Transaction, table: Table, rights: Access): Promise<TableSummary> {
  const { guid, name, label, description } = table.definition;
  return { guid, name, label, description, datasets: await countAll(db, table), rights };
}

function countAll(db: Transaction, collection: Archive | Table): Promise<number> {
  return recordReads.countRecords(db, collection, { where: [], q: '' });
}

type FieldDefinition = ArchiveDetail['indexFieldDefinitions'][number];

function toFieldDefinition(field: IndexField): FieldDefinition {
  return {
    name: field.name,
    label: field.label,
    type: field.type,
    required: field.required,
    maxLength: field.maxLength,
    scale: field.scale,
    options: field.options && [...field.options],
    min: field.min,
    max: field.max,
    pattern: field.pattern,
    ...(field.patternDescription === undefined
      ? {}
      : { patternDescription: field.patternDescription }),
    description: field.description,
    optionsFrom: field.optionsFrom && {
      ...field.optionsFrom,
      fills: { ...field.optionsFrom.fills },
    },
  };
}
