import { sql } from 'kysely';
import * as texts from '#messages/service/records.ts';
import { requireValid } from '#server/http/query.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import {
  MAX_DUPLICATE_GROUPS,
  MAX_LISTED_IN_GROUP,
  type DuplicateGroup,
  type DuplicateGroups,
} from '#shared/contract/check-answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { readCheckStates, stateOf } from './check-states.store.ts';
import { recordKeyTable } from './counted-rows.ts';
import { requireCheck } from './checks.service.ts';
import { readExceptedPairs, hasDuplicate } from './duplicate-findings.ts';
import { groupName } from './duplicate-keys.ts';

const DEFAULT_LIMIT = 100;

/** A group identified by its first record, and the list of fields and the key that its records share. */
interface GroupKey {
  readonly part: number;
  readonly key: number;
  readonly rowId: number;
}

/** The start of a page: after the group of this list of fields with this first record. */
interface GroupCursor {
  readonly rowId: number;
  readonly part: number;
}

/**
 * The groups of records that a duplicate check found at the last count, in the order of their first records. A group
 * needs two records that are not excepted as a pair. A group whose records also share a key in an earlier list of fields
 * is left out.
 * @param collection as the person sees it
 * @throws {ApiError} 400 with all errors of the query; 404 if there is no such check on duplicates
 */
export async function duplicateGroups(
  db: Transaction,
  collection: Collection,
  name: string,
  query: QueryParameters,
): Promise<DuplicateGroups> {
  const reader = new QueryReader(query, ['limit', 'after', 'record']);
  const limit = reader.integer('limit', DEFAULT_LIMIT, 1, MAX_DUPLICATE_GROUPS);
  const record = reader.integer('record', 0, 1, Number.MAX_SAFE_INTEGER);
  const after = readCursor(reader);
  requireValid(reader);
  const check = requireCheck(collection, name);
  if (!check.duplicates) throw new ApiError('not_found', texts.noDuplicates({ name: check.name }));
  const { lists } = check.duplicates;
  const state = stateOf(check, await readCheckStates(db, collection));
  const countedAt = state?.count === null ? null : (state?.as_of ?? null);
  const asOf = isoTime(countedAt);
  const answerOf = (groups: readonly DuplicateGroup[], next: string | null) => ({
    groups: [...groups],
    meta: { asOf, pagination: { limit, next } },
  });
  if (!state || asOf === null) return answerOf([], null);
  const found = await readGroupKeys(db, state.id, after, record === 0 ? null : record, limit + 1);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const excepted = await readExceptedPairs(db, collection, check.name);
  const members = await readMembers(db, state.id, page);
  const earlier = await readEarlierKeys(db, state.id, page, members);
  const groups = page.flatMap((group): DuplicateGroup[] => {
    const all = members.get(groupName(group)) ?? [];
    const ids = all
      .map(({ rowId }) => rowId)
      .filter((id, _, others) => hasDuplicate(id, others, excepted));
    const isKnown = earlier.some(
      ({ part, rowIds }) => part < group.part && ids.every((id) => rowIds.has(id)),
    );
    if (ids.length < 2 || isKnown) return [];
    const fields = [...(lists[group.part] ?? [])];
    const count = all.length < MAX_LISTED_IN_GROUP ? ids.length : (all[0]?.count ?? ids.length);
    return [{ group: cursorOf(group), fields, ids: ids.map(String), count }];
  });
  return answerOf(groups, last ? cursorOf(last) : null);
}

const cursorOf = ({ rowId, part }: GroupCursor) => `${rowId}.${part}`;

function readCursor(reader: QueryReader<'after' | 'limit' | 'record'>): GroupCursor {
  const text = reader.text('after');
  const [, rowId = '0', part = '0'] = /^(\d{1,15})\.(\d{1,3})$/.exec(text ?? '0.0') ?? [];
  if (text !== undefined && rowId === '0') reader.refuse('after', texts.noSuchGroup);
  return { rowId: Number(rowId), part: Number(part) };
}

/** @param record only the groups with this record; null: all */
async function readGroupKeys(
  db: Transaction,
  checkId: number,
  after: GroupCursor,
  record: number | null,
  limit: number,
): Promise<GroupKey[]> {
  const same = (one: string) =>
    sql`${sql.ref(`${one}.check_id`)} = ${checkId} and ${sql.ref(`${one}.part`)} = own.part
      and ${sql.ref(`${one}.key`)} = own.key`;
  const withRecord =
    record === null
      ? sql``
      : sql`and exists (select 1 from check_keys as named where ${same('named')}
          and named.row_id = ${record})`;
  const { rows } = await sql<GroupKey>`
    select own.part, own.key, own.row_id as "rowId"
    from check_findings as finding join ${sql.table(recordKeyTable(db))} as own
      on own.check_id = finding.check_id and own.row_id = finding.row_id
    where finding.check_id = ${checkId} and (finding.row_id > ${after.rowId}
        or (finding.row_id = ${after.rowId} and own.part > ${after.part}))
      and exists (select 1 from check_keys as later where ${same('later')}
        and later.row_id > own.row_id)
      and not exists (select 1 from check_keys as earlier join check_findings as found
          on found.check_id = earlier.check_id and found.row_id = earlier.row_id
        where ${same('earlier')} and earlier.row_id < own.row_id) ${withRecord}
    order by finding.row_id, own.part limit ${limit}`.execute(db.k);
  return rows;
}

interface Member extends GroupKey {
  /** the records of its group */
  readonly count: number;
}

/** The first records of each group, by its name. */
async function readMembers(
  db: Transaction,
  checkId: number,
  groups: readonly GroupKey[],
): Promise<Map<string, Member[]>> {
  const keys = [...new Set(groups.map(({ key }) => key))];
  const { rows } = await sql<Member>`
    select part, key, row_id as "rowId", cast(amount as integer) as count from (
      select part, key, row_id, count(*) over (partition by part, key) as amount,
        row_number() over (partition by part, key order by row_id) as row_index
      from check_keys where check_id = ${checkId} and key ${db.adapter.isAmong(keys)}) as members
    where row_index <= ${MAX_LISTED_IN_GROUP} order by part, key, row_id`.execute(db.k);
  return Map.groupBy(rows, groupName);
}

/** The keys that the records of a group by a later list of fields share in earlier lists. */
async function readEarlierKeys(
  db: Transaction,
  checkId: number,
  groups: readonly GroupKey[],
  members: ReadonlyMap<string, readonly Member[]>,
): Promise<{ readonly part: number; readonly rowIds: ReadonlySet<number> }[]> {
  const later = groups.filter(({ part }) => part > 0);
  if (later.length === 0) return [];
  const ids = new Set(later.flatMap((group) => members.get(groupName(group)) ?? []).map(idOf));
  const last = Math.max(...later.map(({ part }) => part));
  const { rows } = await sql<GroupKey>`
    select part, key, row_id as "rowId" from ${sql.table(recordKeyTable(db))} where check_id = ${checkId}
      and part < ${last} and row_id ${db.adapter.isAmong([...ids])}`.execute(db.k);
  return [...Map.groupBy(rows, groupName).values()].flatMap((equal) => {
    const [first, ...others] = equal;
    if (!first || others.length === 0) return [];
    return [{ part: first.part, rowIds: new Set(equal.map(idOf)) }];
  });
}

const idOf = ({ rowId }: GroupKey) => rowId;
