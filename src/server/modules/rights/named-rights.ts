import * as texts from '#messages/service/people.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import type { NamedRights } from '#shared/contract/configuration-people-requests.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import { restrictionOf } from '#server/database/records/collection-view.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Message, MessagesByPath } from '#shared/messages/message.ts';
import { findByName, isSameName, keywordFieldName, keywordNameIn } from '#shared/rules/names.ts';
import type { FieldAccess } from '#shared/rules/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import type { StoredRight } from './rights.store.ts';

/** The archives and tables on which rights can be given. */
export interface DefinedCollections {
  readonly archives: readonly Archive[];
  readonly tables: readonly Table[];
}

/** All active archives and tables, from the process's cache. */
export async function readDefined(
  db: Transaction,
  definitions: Definitions,
): Promise<DefinedCollections> {
  return { archives: await definitions.archives(db), tables: await definitions.tables(db) };
}

/**
 * Converts rights by names or GUIDs to stored rights.
 * @param before the replaced rights: entries of retired archives, tables and fields stay, because they can be restored
 * @throws {ApiError} 422 under `rights.archives.NAME` and the like, naming what does not exist
 */
export function resolveRights(
  defined: DefinedCollections,
  named: NamedRights,
  before: readonly StoredRight[] = [],
): StoredRight[] {
  const errors: MessagesByPath = {};
  const refuse = (path: string, message: Message) => (errors[path] ??= []).push(message);
  const seen = new Set<Collection>();
  const rights = before.filter((right) => !collectionOf(defined, right));
  for (const [group, collections, unknown] of [
    ['archives', defined.archives, texts.unknownArchive],
    ['tables', defined.tables, texts.unknownTable],
  ] as const) {
    for (const [name, given] of Object.entries(named[group] ?? {})) {
      const path = `rights.${group}.${name}`;
      const collection = collections.find((known) => isNamed(known, name));
      if (!collection) {
        refuse(path, unknown({ name }));
        continue;
      }
      if (seen.has(collection)) refuse(path, texts.rightTwice({ name: collection.name }));
      seen.add(collection);
      const { right: access, fields = {} } = typeof given === 'string' ? { right: given } : given;
      const entries = new Map(retiredEntries(collection, before));
      const numbers = new Set<number>();
      for (const [field, level] of Object.entries(fields)) {
        const number = numberOf(collection, field);
        const fieldPath = `${path}.fields.${field}`;
        if (number === undefined) refuse(fieldPath, texts.unknownField({ name: field }));
        else if (numbers.has(number)) refuse(fieldPath, texts.rightTwice({ name: field }));
        else entries.set(number, level);
        if (number !== undefined) numbers.add(number);
      }
      if (access === 'none') continue;
      const { kind, id: collectionId } = collection;
      rights.push({ kind, collectionId, access, fields: entries });
    }
  }
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  return rights;
}

/** Converts stored rights for answers: by the table names of archives and the GUIDs of tables. */
export function nameRights(defined: DefinedCollections, rights: readonly StoredRight[]): Rights {
  const named: Rights = { archives: {}, tables: {} };
  for (const collection of [...defined.archives, ...defined.tables]) {
    const { kind, id } = collection;
    const right = rights.find((stored) => stored.kind === kind && stored.collectionId === id);
    if (!right) continue;
    const { access } = right;
    const entries = namedFields(collection).flatMap(([name, field]): [string, FieldAccess][] => {
      const level = restrictionOf(right.fields, field);
      return level ? [[name, level]] : [];
    });
    const fields = Object.fromEntries(entries);
    const value = entries.length === 0 ? access : { right: access, fields };
    if (kind === 'archive') named.archives[collection.name] = value;
    else named.tables[collection.guid] = value;
  }
  return named;
}

/** Replaces some of the rights. @param changes by names or GUIDs; others stay */
export function mergeRights(
  { archives, tables }: DefinedCollections,
  current: NamedRights,
  changes: NamedRights,
): NamedRights {
  const merge = (group: 'archives' | 'tables', collections: readonly Collection[]) => {
    const find = (name: string) => collections.find((known) => isNamed(known, name));
    const changed = new Set(Object.keys(changes[group] ?? {}).map(find));
    const kept = Object.entries(current[group] ?? {}).filter(([name]) => !changed.has(find(name)));
    return { ...Object.fromEntries(kept), ...changes[group] };
  };
  return { archives: merge('archives', archives), tables: merge('tables', tables) };
}

/** The names of the fields in rights, with their numbers: index fields or columns, then `keyword.NAME`. */
export function fieldNames(collection: Collection): [name: string, number: number][] {
  return namedFields(collection).map(([name, { number }]) => [name, number]);
}

interface NumberedField {
  readonly number: number;
  readonly formerNumbers: readonly number[];
}

function namedFields({
  fields,
  keywordFields,
}: Collection): [name: string, field: NumberedField][] {
  return [
    ...fields.map((field): [string, NumberedField] => [field.name, field]),
    ...keywordFields.map((field): [string, NumberedField] => [keywordFieldName(field.name), field]),
  ];
}

export function isNamed({ name, guid }: Collection, given: string): boolean {
  return isSameName(name, given) || isSameName(guid, given);
}

function numberOf({ fields, keywordFields }: Collection, name: string): number | undefined {
  const keyword = keywordNameIn(name);
  return keyword === null
    ? findByName(fields, name)?.number
    : findByName(keywordFields, keyword)?.number;
}

function collectionOf(
  { archives, tables }: DefinedCollections,
  { kind, collectionId }: StoredRight,
): Collection | undefined {
  const collections: readonly Collection[] = kind === 'archive' ? archives : tables;
  return collections.find(({ id }) => id === collectionId);
}

/** The entries of fields that the definition does not have at present. */
function retiredEntries(
  collection: Collection,
  before: readonly StoredRight[],
): [number, FieldAccess][] {
  const right = before.find(
    ({ kind, collectionId }) => kind === collection.kind && collectionId === collection.id,
  );
  const current = new Set(
    namedFields(collection).flatMap(([, { number, formerNumbers }]) => [number, ...formerNumbers]),
  );
  return [...(right?.fields ?? [])].filter(([number]) => !current.has(number));
}
