import type { CollectionKind } from '#shared/rules/names.ts';
import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { chunks, READ_CHUNK_SIZES } from '#server/database/records/bulk-statements.ts';
import type { RightRow } from '#server/database/tables/account-tables.ts';
import {
  ACCESS_LEVELS,
  FIELD_ACCESS_LEVELS,
  type FieldAccess,
  type Grant,
} from '#shared/rules/rights.ts';

/** A stored right: on an archive or table by its id, which renaming does not change. */
export interface StoredRight extends Grant {
  readonly kind: CollectionKind;
  readonly collectionId: number;
}

/** The holder of a right. */
interface Holder {
  readonly holder: 'user' | 'group';
  readonly id: number;
}

/** The rights of a user on one archive or table: the user's own, and those of the user's groups. */
export async function readGrants(
  db: Transaction,
  userId: number,
  kind: CollectionKind,
  collectionId: number,
): Promise<Grant[]> {
  const rows = await db.run(GRANTS, [userId, kind, collectionId, userId, kind, collectionId]);
  return rows.flatMap((row) => toGrant(row[0], row[1]));
}

const GRANTS = {
  owner: readGrants,
  name: '',
  build: () => sql`
    select access, fields from user_rights where user_id = ${0} and kind = ${''} and thing_id = ${0}
    union all
    select access, fields from group_members inner join group_rights
      on group_rights.group_id = group_members.group_id
    where user_id = ${0} and kind = ${''} and thing_id = ${0}`,
};

interface GrantedRight extends StoredRight {
  readonly userId: number;
  /** null: the user's own */
  readonly groupId: number | null;
}

/** All rights of users: own ones, and those of their groups. */
export async function readGrantsOf(
  db: Transaction,
  userIds: readonly number[],
): Promise<GrantedRight[]> {
  const found: GrantedRight[] = [];
  for (const chunk of chunks(userIds, READ_CHUNK_SIZES)) {
    const ids = sql.join(chunk);
    const { rows } = await sql<GrantedRightRow>`
      select user_id, cast(null as integer) as group_id, kind, thing_id, access, fields
      from user_rights where user_id in (${ids})
      union all
      select user_id, group_members.group_id, kind, thing_id, access, fields
      from group_members inner join group_rights on group_rights.group_id = group_members.group_id
      where user_id in (${ids})
      order by 3, 4, 1, 2`.execute(db.k);
    for (const row of rows) {
      const right = toStoredRight(row);
      found.push(
        ...right.map((entry) => ({ ...entry, userId: row.user_id, groupId: row.group_id })),
      );
    }
  }
  return found;
}

interface GrantedRightRow extends RightRow {
  readonly user_id: number;
  readonly group_id: number | null;
}

/** The rights of users or groups themselves, by their ids. @param ids null: of all */
export async function readOwnRights(
  db: Transaction,
  holder: Holder['holder'],
  ids: readonly number[] | null,
): Promise<Map<number, StoredRight[]>> {
  const owner = sql.ref(OWNER[holder]);
  const table = sql.table(TABLE[holder]);
  const condition = ids === null ? sql`` : sql`where ${owner} ${db.adapter.isAmong(ids)}`;
  const { rows } = await sql<RightRow & { holder_id: number }>`
    select ${owner} as holder_id, kind, thing_id, access, fields from ${table} ${condition}
    order by kind, thing_id`.execute(db.k);
  const rights = new Map<number, StoredRight[]>();
  for (const row of rows) {
    rights.set(row.holder_id, [...(rights.get(row.holder_id) ?? []), ...toStoredRight(row)]);
  }
  return rights;
}

const OWNER = { user: 'user_id', group: 'group_id' } as const;
const TABLE = { user: 'user_rights', group: 'group_rights' } as const;

/** Replaces all rights of a user or group. */
export async function replaceRights(
  db: Transaction,
  { holder, id }: Holder,
  rights: readonly StoredRight[],
): Promise<void> {
  const table = sql.table(TABLE[holder]);
  const owner = sql.ref(OWNER[holder]);
  await sql`delete from ${table} where ${owner} = ${id}`.execute(db.k);
  for (const { kind, collectionId, access, fields } of rights) {
    await sql`insert into ${table} (${owner}, kind, thing_id, access, fields)
      values (${id}, ${kind}, ${collectionId}, ${access}, ${toText(fields)})`.execute(db.k);
  }
}

function toText(fields: Grant['fields']): string | null {
  return fields.size === 0 ? null : JSON.stringify(Object.fromEntries(fields));
}

function toStoredRight(row: RightRow): StoredRight[] {
  return toGrant(row.access, row.fields).map((grant) => ({
    kind: row.kind,
    collectionId: row.thing_id,
    ...grant,
  }));
}

/** @returns empty if the right is unknown to this version */
function toGrant(stored: unknown, fields: unknown): Grant[] {
  const access = ACCESS_LEVELS.find((level) => level === stored);
  return access ? [{ access, fields: toFields(fields) }] : [];
}

const NO_FIELDS: ReadonlyMap<number, FieldAccess> = new Map();

function toFields(text: unknown): ReadonlyMap<number, FieldAccess> {
  if (typeof text !== 'string') return NO_FIELDS;
  const stored: Record<string, unknown> = JSON.parse(text);
  return new Map(
    Object.entries(stored).flatMap(([number, value]): [number, FieldAccess][] => {
      const level = FIELD_ACCESS_LEVELS.find((known) => known === value);
      return level ? [[Number(number), level]] : [];
    }),
  );
}
