import type { Rights } from '#shared/contract/configuration-people.ts';
import type { FieldAccess, RIGHTS } from '#shared/rules/rights.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';

/** A right of `Rights`, or `none`. */
export type ChosenRight = (typeof RIGHTS)[number];
/** An entry for a field; `right`: no entry, the right applies. */
type ChosenAccess = 'right' | FieldAccess;

/** The part of `Rights` for each kind. */
const PARTS = { archive: 'archives', table: 'tables' } as const;

type Entry = Rights['archives'][string];

/** The chosen right for an archive or table. */
export function rightOf(rights: Rights, collection: CollectionRef): ChosenRight {
  const entry = entryOf(rights, collection);
  if (entry === undefined) return 'none';
  return typeof entry === 'string' ? entry : entry.right;
}

/** The chosen access to a field. */
export function accessOfField(
  rights: Rights,
  collection: CollectionRef,
  field: string,
): ChosenAccess {
  return fieldsOf(rights, collection)[field] ?? 'right';
}

/** The separate entries of fields, by their names. */
export function fieldEntries(
  rights: Rights,
  collection: CollectionRef,
): readonly [string, FieldAccess][] {
  return Object.entries(fieldsOf(rights, collection));
}

/** The rights with a changed right for one archive or table; entries for fields stay, except with `none`. */
export function withRight(rights: Rights, collection: CollectionRef, right: ChosenRight): Rights {
  if (right === 'none') return withEntry(rights, collection, undefined);
  return withEntry(rights, collection, toEntry(right, fieldsOf(rights, collection)));
}

/** The rights with a changed entry for a field. */
export function withAccess(
  rights: Rights,
  collection: CollectionRef,
  field: string,
  access: ChosenAccess,
): Rights {
  const right = rightOf(rights, collection);
  if (right === 'none') return rights;
  const others = Object.entries(fieldsOf(rights, collection)).filter(([name]) => name !== field);
  const fields = access === 'right' ? others : [...others, [field, access] as const];
  return withEntry(rights, collection, toEntry(right, Object.fromEntries(fields)));
}

function entryOf(rights: Rights, { kind, id }: CollectionRef): Entry | undefined {
  const entries = rights[PARTS[kind]];
  return Object.hasOwn(entries, id) ? entries[id] : undefined;
}

function fieldsOf(
  rights: Rights,
  collection: CollectionRef,
): Readonly<Record<string, FieldAccess>> {
  const entry = entryOf(rights, collection);
  return entry === undefined || typeof entry === 'string' ? {} : entry.fields;
}

function toEntry(
  right: Exclude<ChosenRight, 'none'>,
  fields: Readonly<Record<string, FieldAccess>>,
): Entry {
  return Object.keys(fields).length === 0 ? right : { right, fields: { ...fields } };
}

function withEntry(rights: Rights, { kind, id }: CollectionRef, entry: Entry | undefined): Rights {
  const part = PARTS[kind];
  const others = Object.fromEntries(Object.entries(rights[part]).filter(([name]) => name !== id));
  return { ...rights, [part]: entry === undefined ? others : { ...others, [id]: entry } };
}
