import type { Transaction } from '#server/database/database.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import { viewOf } from '#server/database/records/collection-view.ts';
import {
  effectiveRight,
  maxAccessByScope,
  type Access,
  type EffectiveRight,
  type Grant,
  type Role,
  type TokenScope,
} from '#shared/rules/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readDefined, type DefinedCollections } from './named-rights.ts';
import * as store from './rights.store.ts';

export type { StoredRight } from './rights.store.ts';
export { readGrantsOf, readOwnRights, replaceRights } from './rights.store.ts';

/** The user of a request for rights. */
export interface RightsSubject {
  readonly userId: number;
  readonly role: Role;
  /** of the token of the request; null: without a token */
  readonly scope: TokenScope | null;
}

/** An archive or table as visible to a user, and the user's right on it. */
export interface Visible<Seen extends Collection> {
  /** without the fields that are hidden from the person */
  readonly collection: Seen;
  readonly access: Access;
}

/**
 * An archive or table as visible to a user.
 * @returns null if it does not exist for the user
 */
export async function visibleTo<Seen extends Collection>(
  db: Transaction,
  person: RightsSubject,
  collection: Seen,
): Promise<Visible<Seen> | null> {
  const grants =
    person.role === 'administrator'
      ? []
      : await store.readGrants(db, person.userId, collection.kind, collection.id);
  const right = rightOf(person, grants, collection);
  return right && { collection: viewOf(collection, right.restricted), access: right.access };
}

function rightOf(
  { role, scope }: Omit<RightsSubject, 'userId'>,
  grants: readonly Grant[],
  collection: Collection,
): EffectiveRight | null {
  const maxAccess = maxAccessByScope(scope, collection);
  if (!maxAccess) return null;
  const fields = [...collection.fields, ...collection.keywordFields];
  return effectiveRight(role, grants, fields, maxAccess);
}

/** The archives and tables that exist for a user, in the order of their definitions. */
export interface VisibleCollections {
  readonly archives: readonly Visible<Archive>[];
  readonly tables: readonly Visible<Table>[];
}

export async function visibleCollections(
  db: Transaction,
  definitions: Definitions,
  person: RightsSubject,
): Promise<VisibleCollections> {
  return visibleAmong(db, await readDefined(db, definitions), person);
}

/** Those of archives and tables that exist for a person. */
export async function visibleAmong(
  db: Transaction,
  defined: DefinedCollections,
  person: RightsSubject,
): Promise<VisibleCollections> {
  const { userId, role } = person;
  const grants = role === 'administrator' ? [] : await store.readGrantsOf(db, [userId]);
  return visibleByGrants(person, grants, defined);
}

/** @param grants all grants of the user */
export function visibleByGrants(
  person: Omit<RightsSubject, 'userId'>,
  grants: readonly store.StoredRight[],
  { archives, tables }: DefinedCollections,
): VisibleCollections {
  const byCollection = Map.groupBy(grants, ({ kind, collectionId }) => `${kind} ${collectionId}`);
  const seenAmong = <Seen extends Collection>(all: readonly Seen[]): Visible<Seen>[] =>
    all.flatMap((collection) => {
      const { kind, id } = collection;
      const right = rightOf(person, byCollection.get(`${kind} ${id}`) ?? [], collection);
      return right
        ? [{ collection: viewOf(collection, right.restricted), access: right.access }]
        : [];
    });
  return { archives: seenAmong(archives), tables: seenAmong(tables) };
}
