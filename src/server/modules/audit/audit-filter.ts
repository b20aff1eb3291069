import type { CollectionKind } from '#shared/rules/names.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Adapter } from '#server/database/database.ts';
import type { HistoryScope } from '#server/database/tables/history-tables.ts';
import { AUDIT_SUBJECTS, type AuditKind } from '#shared/contract/audit.ts';
import { DEFINITION_SUBJECT_IDS } from '../definitions/definitions.service.ts';
import type { Change } from '../history/history.service.ts';

/** The filter for entries; null: no restriction. Plain data, because reads run in workers. */
export interface AuditFilter {
  /** milliseconds since 1970 UTC, inclusive */
  readonly from: number | null;
  readonly to: number | null;
  readonly username: string | null;
  readonly kind: AuditKind | null;
  readonly collection: { readonly kind: CollectionKind; readonly id: number } | null;
  /** the names of a field in the history, in lower case: an entry must have a change of one of them */
  readonly fields: readonly string[] | null;
  /** in lower case; with `fields` a value of one of these */
  readonly value: string | null;
}

/** The kind of the entries of a scope. */
export const KIND_OF_SCOPE: Readonly<Record<HistoryScope, AuditKind>> = {
  archive: 'data',
  table: 'data',
  definition: 'definition',
  user: 'access',
  group: 'access',
  system: 'access',
  session: 'sign-in',
  token: 'sign-in',
  refused: 'refused',
};

function scopesOf(kind: AuditKind): HistoryScope[] {
  return AUDIT_SUBJECTS.filter((scope) => KIND_OF_SCOPE[scope] === kind);
}

/** Entries that one index returns in the order of the audit, with further conditions. */
export interface IndexScan {
  /** the index of `history` */
  readonly index: 'history_time' | 'history_user' | 'history_subject';
  readonly prefix: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<unknown>[];
}

/** The scans that together find the matching entries; the time and `matchesChanges` are left to the caller. */
export function indexScansOf(filter: AuditFilter, adapter: Adapter): IndexScan[] {
  const { collection, username, kind } = filter;
  const ofChanges = changesConditions(filter, adapter.lowerAscii(sql`changes`));
  const subjects = collection
    ? subjectsOfCollection(collection, kind)
    : kind !== null && kind !== 'data'
      ? scopesOf(kind).flatMap(subjectsOfScope)
      : null;
  if (subjects) {
    const ofUser = username === null ? [] : [sql`username = ${username}`];
    return subjects.map(({ scope, id, rowId }) => ({
      index: 'history_subject',
      prefix: sql`scope = ${scope} and thing_id = ${id}`,
      conditions: [
        ...(rowId === undefined ? [] : [sql`row_id = ${rowId}`]),
        ...ofUser,
        ...ofChanges,
      ],
    }));
  }
  const ofKind = kind === null ? [] : [sql`scope in (${sql.join(scopesOf(kind))})`];
  const conditions = [...ofKind, ...ofChanges];
  return [
    username === null
      ? { index: 'history_time', prefix: sql`1 = 1`, conditions }
      : { index: 'history_user', prefix: sql`username = ${username}`, conditions },
  ];
}

interface SubjectIds {
  readonly scope: HistoryScope;
  readonly id: number;
  readonly rowId?: number;
}

function subjectsOfScope(scope: HistoryScope): SubjectIds[] {
  if (scope !== 'definition') return [{ scope, id: 0 }];
  return Object.values(DEFINITION_SUBJECT_IDS).map((id) => ({ scope, id }));
}

/** The records of an archive or table, and its definition. */
function subjectsOfCollection(
  { kind: scope, id }: NonNullable<AuditFilter['collection']>,
  kind: AuditKind | null,
): SubjectIds[] {
  const definition: SubjectIds = {
    scope: 'definition',
    id: DEFINITION_SUBJECT_IDS[scope],
    rowId: id,
  };
  return [
    ...(kind === null || kind === 'data' ? [{ scope, id }] : []),
    ...(kind === null || kind === 'definition' ? [definition] : []),
  ];
}

/** Conditions that hold for each entry that `matchesChanges` accepts, and for few others. */
function changesConditions(
  { fields, value }: AuditFilter,
  changes: RawBuilder<string>,
): RawBuilder<unknown>[] {
  const patterns = fields?.map((name) => `%"name":"${patternOf(name)}"%`) ?? [];
  const like = (pattern: string) => sql`${changes} like ${pattern}`;
  return [
    ...(fields ? [sql`(${sql.join(patterns.map(like), sql` or `)})`] : []),
    ...(value === null ? [] : [like(`%${patternOf(value)}%`)]),
  ];
}

/** A `like` pattern for a text in JSON: characters that the databases or JSON write in several ways match anything. */
function patternOf(text: string): string {
  return text.replaceAll(/[^a-z0-9 .,:/-]+/g, '%');
}

/** Whether the changes of an entry contain the wanted field and value. */
export function matchesChanges(
  { fields, value }: AuditFilter,
  changes: readonly Change[],
): boolean {
  return changes.some(
    ({ name, before, after }) =>
      (!fields || fields.includes(name.toLowerCase())) &&
      (value === null || hasValue(before, value) || hasValue(after, value)),
  );
}

/** Texts that contain it, ignoring case; other values that equal it. */
function hasValue(stored: unknown, wanted: string): boolean {
  if (typeof stored === 'string') return stored.toLowerCase().includes(wanted);
  if (Array.isArray(stored)) return stored.some((item) => hasValue(item, wanted));
  if (stored === null) return false;
  const json = JSON.stringify(stored) ?? '';
  return typeof stored === 'object' ? json.toLowerCase().includes(wanted) : json === wanted;
}
