import * as texts from '#messages/service/people.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import type { NamedRights } from '#shared/contract/configuration-people-requests.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Message, MessagesByPath } from '#shared/messages/message.ts';
import { findByName, isSameName, keywordFieldName, keywordNameIn } from '#shared/rules/names.ts';
import { entryOf, type FieldAccess } from '#shared/rules/rights.ts';
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
    for (const [name, value] of Object.entries(named[group] ?? {})) {
      const path = `rights.${group}.${name}`;
      const collection = collections.find((known) => isNamed(known, name));
      if (!collection) {
        refuse(path, unknown({ name }));
        continue;
      }
      if (seen.has(collection)) refuse(path, texts.rightTwice({ name: collection.name }));
      seen.add(collection);
      const { right: access, fields: given = {} } =
        typeof value === 'string' ? { right: value } : value;
      const entries = new Map<number, FieldAccess>();
      for (const [field, level] of Object.entries(given)) {
        const number = numberOf(collection, field);
        const fieldPath = `${path}.fields.${field}`;
        if (number === undefined) refuse(fieldPath, texts.unknownField({ name: field }));
        else if (entries.has(number)) refuse(fieldPath, texts.rightTwice({ name: field }));
        else entries.set(number, level);
      }
      if (access === 'none') continue;
      const { kind, id: collectionId } = collection;
      const replaced = before.find((right) => collectionOf(defined, right) === collection);
      const fields = withRetired(collection, entries, replaced?.fields ?? new Map());
      rights.push({ kind, collectionId, access, fields });
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
      const level = entryOf(right.fields, field);
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

type Field = Pick<Collection['fields'][number], 'number' | 'formerNumbers' | 'superseded'>;

/** The fields by their names in rights: index fields or columns, then `keyword.NAME`. */
export function namedFields({ fields, keywordFields }: Collection): [name: string, field: Field][] {
  return [
    ...fields.map((field): [string, Field] => [field.name, field]),
    ...keywordFields.map((field): [string, Field] => [keywordFieldName(field.name), field]),
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

/**
 * Adds the entries of fields that can be restored, and of active fields without one that would otherwise have that of such a
 * field.
 * @param entries of active fields
 * @param before the replaced entries
 */
function withRetired(
  collection: Collection,
  entries: StoredRight['fields'],
  before: StoredRight['fields'],
): StoredRight['fields'] {
  const fields = namedFields(collection).map(([, field]) => field);
  const open = fields.filter(({ number }) => !entries.has(number));
  const replaced = new Set([
    ...fields.map(({ number }) => number),
    ...open.flatMap(({ superseded }) => superseded.map(({ number }) => number)),
  ]);
  const retired = [...before].filter(([number]) => !replaced.has(number));
  const all = new Map([...retired, ...entries]);
  // The entry of a field that was kept when its type was changed does not apply to the converted field.
  for (const field of open) if (entryOf(all, field)) all.set(field.number, 'write');
  return all;
}
