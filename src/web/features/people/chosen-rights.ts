import type { Rights } from '#shared/contract/configuration-people.ts';
import type { FieldAccess } from '#shared/rules/rights.ts';

/** A right of `Rights`, or `none`. */
export type ChosenRight = 'none' | 'read' | 'write' | 'manage';
/** An entry for a field; `right`: no entry, the right applies. */
export type ChosenAccess = 'right' | FieldAccess;

/** An archive by its table name, or a table by its GUID. */
export interface CollectionKey {
  readonly kind: 'archives' | 'tables';
  readonly id: string;
}

type Entry = Rights['archives'][string];

/** The chosen right for an archive or table. */
export function rightOf(rights: Rights, key: CollectionKey): ChosenRight {
  const entry = entryOf(rights, key);
  if (entry === undefined) return 'none';
  return typeof entry === 'string' ? entry : entry.right;
}

/** The chosen access to a field. */
export function accessOfField(rights: Rights, key: CollectionKey, field: string): ChosenAccess {
  return fieldsOf(rights, key)[field] ?? 'right';
}

/** Whether fields have separate entries. */
export function hasFieldEntries(rights: Rights, key: CollectionKey): boolean {
  return Object.keys(fieldsOf(rights, key)).length > 0;
}

/** The rights with a changed right for one archive or table; entries for fields stay, except with `none`. */
export function withRight(rights: Rights, key: CollectionKey, right: ChosenRight): Rights {
  if (right === 'none') return withEntry(rights, key, undefined);
  return withEntry(rights, key, toEntry(right, fieldsOf(rights, key)));
}

/** The rights with a changed entry for a field. */
export function withAccess(
  rights: Rights,
  key: CollectionKey,
  field: string,
  access: ChosenAccess,
): Rights {
  const right = rightOf(rights, key);
  if (right === 'none') return rights;
  const others = Object.entries(fieldsOf(rights, key)).filter(([name]) => name !== field);
  const fields = access === 'right' ? others : [...others, [field, access] as const];
  return withEntry(rights, key, toEntry(right, Object.fromEntries(fields)));
}

function entryOf(rights: Rights, { kind, id }: CollectionKey): Entry | undefined {
  return Object.hasOwn(rights[kind], id) ? rights[kind][id] : undefined;
}

function fieldsOf(rights: Rights, key: CollectionKey): Readonly<Record<string, FieldAccess>> {
  const entry = entryOf(rights, key);
  return entry === undefined || typeof entry === 'string' ? {} : entry.fields;
}

function toEntry(
  right: Exclude<ChosenRight, 'none'>,
  fields: Readonly<Record<string, FieldAccess>>,
): Entry {
  return Object.keys(fields).length === 0 ? right : { right, fields: { ...fields } };
}

function withEntry(rights: Rights, { kind, id }: CollectionKey, entry: Entry | undefined): Rights {
  const others = Object.fromEntries(Object.entries(rights[kind]).filter(([name]) => name !== id));
  return { ...rights, [kind]: entry === undefined ? others : { ...others, [id]: entry } };
}
