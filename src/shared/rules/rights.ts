import type { CollectionKind } from '#shared/rules/names.ts';

/**
 * Roles (docs/interface/decisions.md, section 9): administrators may do everything; clerks have rights by archive and
 * table; readers have at most `read`.
 */
export const ROLES = ['administrator', 'clerk', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** Each includes the previous ones: `write` edits and creates, `manage` also deletes. */
export const ACCESS_LEVELS = ['read', 'write', 'manage'] as const;
export type Access = (typeof ACCESS_LEVELS)[number];

/** The possible values of a right; `none`: the same as no entry. */
export const RIGHTS = ['none', ...ACCESS_LEVELS] as const;

/** What a person may do with a field; each includes the previous ones. */
export const FIELD_ACCESS_LEVELS = ['hidden', 'read', 'write'] as const;
export type FieldAccess = (typeof FIELD_ACCESS_LEVELS)[number];

/** A right on one archive or table, from one source: the person's own, or that of a group. */
export interface Grant {
  readonly access: Access;
  /** by the number of the field or keyword field; a field without an entry has the right of `access` */
  readonly fields: ReadonlyMap<number, FieldAccess>;
}

/** A field or keyword field, as entries of rights name it. */
export interface NumberedField {
  readonly number: number;
  /** of the fields that it was converted from, latest first */
  readonly formerNumbers: readonly number[];
}

/** What a person may do with one archive or table. */
export interface EffectiveRight {
  readonly access: Access;
  /** the fields on which the person has less than `access`, by their present numbers, and retired fields that are hidden */
  readonly restricted: ReadonlyMap<number, 'hidden' | 'read'>;
}

/** The maximum rights of a token, whatever the rights of its owner (docs/interface/administration.md, section 6). */
export interface TokenScope {
  readonly right: Access;
  /** the ids of the only archives and tables that the token can access; null: all of its owner's */
  readonly only: {
    readonly archives: readonly number[];
    readonly tables: readonly number[];
  } | null;
  /** whether it allows the calls for administrators and those about the account, if its owner is an administrator */
  readonly configuration: boolean;
}

const UNRESTRICTED: ReadonlyMap<number, 'hidden' | 'read'> = new Map();

/**
 * What a person may do with an archive or table (docs/interface/administration.md, section 2): each source grants for a
 * field the lesser of its right and its entry; a person has the greatest over all sources; the role `reader` caps at `read`.
 * The only place that computes it.
 * @param fields of the archive or table, keyword fields included, without retired ones
 * @param maxAccess a further cap: that of a token
 * @returns null if the archive or table does not exist for the person
 */
export function effectiveRight(
  role: Role,
  sources: readonly Grant[],
  fields: readonly NumberedField[],
  maxAccess: Access = 'manage',
): EffectiveRight | null {
  if (role === 'administrator') return { access: maxAccess, restricted: UNRESTRICTED };
  const granted = greatest(
    ACCESS_LEVELS,
    sources.map(({ access }) => access),
  );
  if (granted === null) return null;
  const access = least(ACCESS_LEVELS, [granted, role === 'reader' ? 'read' : 'manage', maxAccess]);
  if (sources.every((source) => source.fields.size === 0)) {
    return { access, restricted: UNRESTRICTED };
  }
  const usual = fieldAccessOf(access);
  const restricted = new Map<number, 'hidden' | 'read'>();
  for (const field of fields) {
    const level = fieldAccess(sources, field);
    if (level === 'hidden') restricted.set(field.number, level);
    else if (level === 'read' && usual === 'write') restricted.set(field.number, level);
  }
  const current = new Set(fields.map(({ number }) => number));
  for (const number of new Set(sources.flatMap((source) => [...source.fields.keys()]))) {
    if (current.has(number)) continue;
    if (fieldAccess(sources, { number, formerNumbers: [] }) === 'hidden')
      restricted.set(number, 'hidden');
  }
  return { access, restricted: restricted.size === 0 ? UNRESTRICTED : restricted };
}

/** The highest right that the sources grant on a field. */
function fieldAccess(sources: readonly Grant[], field: NumberedField): FieldAccess {
  const granted = sources.map(({ access, fields }) => {
    const [right, entry] = [fieldAccessOf(access), entryOf(fields, field)];
    return entry === undefined ? right : least(FIELD_ACCESS_LEVELS, [right, entry]);
  });
  return greatest(FIELD_ACCESS_LEVELS, granted) ?? 'hidden';
}

/** The entry of a field: under its number, or under that of the field from which it was converted. */
export function entryOf(
  entries: Grant['fields'],
  { number, formerNumbers }: NumberedField,
): FieldAccess | undefined {
  const named = [number, ...formerNumbers].find((candidate) => entries.has(candidate));
  return named === undefined ? undefined : entries.get(named);
}

/** The right on fields that follows from a right on the archive or table. */
export function fieldAccessOf(access: Access): FieldAccess {
  return access === 'read' ? 'read' : 'write';
}

/** @param levels from the lowest to the highest */
function least<Level>(
  levels: readonly Level[],
  given: readonly [NoInfer<Level>, ...NoInfer<Level>[]],
): Level {
  return levels.find((level) => given.includes(level)) ?? given[0];
}

/** @param levels from the lowest to the highest */
function greatest<Level>(levels: readonly Level[], given: readonly Level[]): Level | null {
  return levels.findLast((level) => given.includes(level)) ?? null;
}

/** The maximum right of a token on an archive or table; null: the token cannot access it. */
export function maxAccessByScope(
  scope: TokenScope | null,
  { kind, id }: { readonly kind: CollectionKind; readonly id: number },
): Access | null {
  if (!scope) return 'manage';
  const only = kind === 'archive' ? scope.only?.archives : scope.only?.tables;
  return only === undefined || only.includes(id) ? scope.right : null;
}

/** Whether an existing right includes the needed one. */
export function allows(held: Access | null, needed: Access): boolean {
  return held !== null && ACCESS_LEVELS.indexOf(held) >= ACCESS_LEVELS.indexOf(needed);
}
