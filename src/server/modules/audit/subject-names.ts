import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import type { AuditEntry } from '#shared/contract/audit.ts';
import { DEFINITION_SUBJECT_IDS } from '../definitions/definitions.service.ts';
import { readAllCollections } from '../definitions/stored-definitions.ts';
import { readGroupNames } from '../groups/groups.service.ts';
import {
  currentNamesOf,
  readChanges,
  type ChainedEntry,
  type Change,
} from '../history/history.service.ts';
import { isCovered, purgesOf, readPurges, type Purge } from '../purges/purges.service.ts';
import { KIND_OF_SCOPE } from './audit-filter.ts';
import { readUsernames } from './audit.store.ts';

/** The names in the audit for ids in entries. */
interface SubjectNames {
  /** retired ones included */
  readonly collections: readonly (Archive | Table)[];
  readonly usernames: ReadonlyMap<number, string>;
  readonly groupNames: ReadonlyMap<number, string>;
  /** oldest first */
  readonly purges: readonly Purge[];
}

export async function readSubjectNames(db: Transaction): Promise<SubjectNames> {
  return {
    collections: await readAllCollections(db),
    usernames: await readUsernames(db),
    groupNames: await readGroupNames(db),
    purges: await readPurges(db),
  };
}

/** The archive or table of an entry about a record or a definition. */
export function collectionOf(
  { collections }: SubjectNames,
  row: ChainedEntry,
): Archive | Table | undefined {
  const subject = subjectOfCollection(row);
  return subject && collections.find(({ kind, id }) => kind === subject.kind && id === subject.id);
}

/** The name of the archive or table of an entry, even after a purge. */
function nameOfCollection(
  names: SubjectNames,
  row: ChainedEntry,
): { archive?: string; table?: string } {
  const collection = collectionOf(names, row);
  if (collection?.kind === 'archive') return { archive: collection.name };
  if (collection) return { table: collection.guid };
  const subject = subjectOfCollection(row);
  const [purge] = subject ? purgesOf(names.purges, subject) : [];
  if (!purge) return {};
  const { archive, table } = purge;
  return { ...(archive !== undefined && { archive }), ...(table !== undefined && { table }) };
}

function subjectOfCollection({
  scope,
  thing_id: id,
  row_id: row,
}: ChainedEntry): CollectionRef | undefined {
  if (scope === 'archive' || scope === 'table') return { kind: scope, id };
  if (scope !== 'definition') return undefined;
  return { kind: id === DEFINITION_SUBJECT_IDS.archive ? 'archive' : 'table', id: row };
}

/** The newest purge that has removed changes of an entry; null: it is unchanged, or no purge covers it. */
export function purgeOf({ purges }: SubjectNames, row: ChainedEntry): Purge | null {
  const { scope, thing_id: id } = row;
  if (row.sha256 === null || (scope !== 'archive' && scope !== 'table')) return null;
  const all = purgesOf(purges, { kind: scope, id });
  return all.findLast((purge) => isCovered(row, [purge])) ?? null;
}

/** An entry as answered by the call. */
export function presentEntry(names: SubjectNames, row: ChainedEntry): AuditEntry {
  const purge = purgeOf(names, row);
  return {
    historyId: String(row.id),
    at: isoTime(row.at),
    user: row.username === '' ? null : row.username,
    kind: KIND_OF_SCOPE[row.scope],
    subject: row.scope,
    action: row.kind,
    ...nameOfCollection(names, row),
    id: idOf(names, row),
    call: row.call,
    address: row.address,
    changes: presentChanges(names, row),
    ...(purge && { purgedBy: String(purge.id) }),
  };
}

function idOf(
  { usernames, groupNames }: SubjectNames,
  { scope, row_id }: ChainedEntry,
): string | null {
  switch (scope) {
    case 'archive':
    case 'table':
      return String(row_id);
    case 'user':
    case 'session':
    case 'token':
      return usernames.get(row_id) ?? String(row_id);
    case 'group':
      return groupNames.get(row_id) ?? String(row_id);
    case 'definition':
    case 'system':
    case 'refused':
      return null;
  }
  return scope satisfies never;
}

/** Changes with the present names of fields, groups, archives and tables. */
function presentChanges(names: SubjectNames, row: ChainedEntry): Change[] {
  const changes = readChanges(row.changes);
  if (row.scope === 'user' || row.scope === 'group') {
    return changes.map((change) => presentAccess(names, change));
  }
  const collection = row.scope === 'definition' ? undefined : collectionOf(names, row);
  const fields = collection && currentNamesOf(collection);
  return changes.map(({ name, before, after }) => ({
    name: fields?.get(name) ?? name,
    before,
    after,
  }));
}

/** Replaces the ids in `right.archive.3` and `group.5` by names, and the numbers of fields in rights. */
function presentAccess(
  { collections, groupNames }: SubjectNames,
  { name, before, after }: Change,
): Change {
  const [what = '', second = '', third = '', ...rest] = name.split('.');
  if (what === 'group') {
    return { name: `group.${groupNames.get(Number(second)) ?? second}`, before, after };
  }
  if (what !== 'right') return { name, before, after };
  const found = collections.find(({ kind, id }) => kind === second && id === Number(third));
  if (!found) return { name, before, after };
  return {
    name: [what, second, found.name, ...rest].join('.'),
    before: presentRight(found, before),
    after: presentRight(found, after),
  };
}

const restrictedRight = z.looseObject({ fields: z.record(z.string(), z.unknown()) });

/** A right with the current names of fields; fields that were deleted keep their numbers. */
function presentRight(collection: Archive | Table, right: unknown): unknown {
  const read = restrictedRight.safeParse(right);
  if (!read.success) return right;
  const names = new Map([
    ...collection.fields.map(({ number, name }) => [String(number), name] as const),
    ...collection.keywordFields.map(
      ({ number, name }) => [String(number), keywordFieldName(name)] as const,
    ),
    // After the names of superseded fields themselves.
    ...collection.fields.flatMap(({ superseded, name }) =>
      superseded.map(({ number }) => [String(number), name] as const),
    ),
  ]);
  // The entry of a field itself comes after those of the fields from which it was converted, and holds.
  const entries = Object.entries(read.data.fields).map(([number, level]) => [
    names.get(number) ?? number,
    level,
  ]);
  return { ...read.data, fields: Object.fromEntries(entries) };
}
