import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import {
  findingSql,
  newestRevisionTests,
  ruleSetting,
} from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { allOf } from '#server/database/records/comparisons.ts';
import { countRows } from '#server/database/records/count-rows.ts';
import { type Figures, MAX_EXAMINED } from '#shared/contract/check-figures.ts';
import { readCheckStates, stateOf, type CheckState } from './check-states.store.ts';
import { countOf } from './checks.service.ts';
import * as store from './figures.store.ts';
import { examineFindings } from './finding-origins.ts';

const DAY = 24 * 60 * 60 * 1000;

/** What the caller asks for, and may see. */
interface FiguresRequest {
  readonly days: number;
  /** of the caller; null: an administrator views the service as another user */
  readonly userId: number | null;
  /** whether the caller may see how much each user has corrected */
  readonly includesUsers: boolean;
}

/**
 * The findings in an archive or table now and in the last days, and the corrections.
 * @param collection as visible to the user
 */
export async function readFigures(
  db: Transaction,
  collection: Collection,
  { days: count, userId, includesUsers }: FiguresRequest,
): Promise<Figures> {
  const days = lastDays(store.dayOf(collection, Date.now()), count);
  const [since = ''] = days;
  const states = await readCheckStates(db, collection);
  const counted = collection.checks.map((check) => ({
    check,
    state: stateOf(check, states),
  }));
  const daily = Map.groupBy(await store.readDailyCounts(db, collection, since), ({ name }) => name);
  const { checks } = collection;
  const visible = (await store.readCorrections(db, collection, since)).filter(({ name }) =>
    checks.some((check) => check.name === name),
  );
  const known = visible.filter(({ name }) =>
    checks.some((check) => check.name === name && !check.hidesParts),
  );
  const found = foundSql(db, collection, counted);
  const withFindings = found ? await countRows(db, sql`(${found}) as found`) : 0;
  const hidesSome = collection.restriction?.hidesFields ?? false;
  const answered: Figures['checks'] = [];
  for (const { check, state } of counted) {
    const { name, label, severity, hidesParts } = check;
    answered.push({
      name,
      label,
      severity,
      count: await countOf(db, collection, check, state),
      corrected: hidesParts ? null : sum(known.filter((row) => row.name === name)),
      daily: series(
        days,
        hidesParts ? [] : (daily.get(name) ?? []),
        hidesParts ? null : state?.count,
      ),
    });
  }
  return {
    days,
    records: {
      total: await countDocuments(db, collection),
      withFindings,
      daily: series(days, hidesSome ? [] : (daily.get(store.ANY_CHECK) ?? []), withFindings),
    },
    checks: answered,
    corrections: {
      count: sum(known),
      daily: days.map((day) => sum(known.filter((row) => row.day === day))),
      own: userId === null ? null : sum(visible.filter((row) => row.userId === userId)),
      people: includesUsers ? await peopleOf(db, known) : null,
    },
    examined: await examineFindings(db, collection, await newestFound(db, found)),
  };
}

/** @param today the last one */
function lastDays(today: string, count: number): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, i) =>
    new Date(end - (count - 1 - i) * DAY).toISOString().slice(0, 10),
  );
}

/**
 * The count at the end of each day. A day without a stored count has that of the previous day: each change stores a
 * count.
 * @param counts oldest first
 * @param now null or undefined: unknown
 */
function series(
  days: readonly string[],
  counts: readonly store.DailyCount[],
  now: number | null | undefined,
): (number | null)[] {
  const [first = ''] = days;
  const byDay = new Map(counts.map(({ day, count }) => [day, count]));
  let last = counts.findLast(({ day }) => day < first)?.count ?? null;
  return days.map((day, i) => {
    last = byDay.get(day) ?? last;
    return i === days.length - 1 ? (now ?? last) : last;
  });
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((all, { count }) => all + count, 0);
}

interface CheckWithState {
  readonly check: Check;
  readonly state: CheckState | undefined;
}

/** The records with stored findings, as distinct `row_id`; null: there can be none. */
function foundSql(db: Transaction, collection: Collection, counted: readonly CheckWithState[]) {
  const wholes = counted.flatMap(({ check, state }) =>
    state && !check.hidesParts ? [state.id] : [],
  );
  const table = tableName(collection);
  const parts = counted.flatMap(({ check, state }) => {
    if (!state || !check.hidesParts) return [];
    // Findings only on hidden fields are left out.
    const test = findingSql(db, collection, check, ruleSetting(collection, [check]));
    return [
      sql`select ${sql.ref(`${table}._id`)} as row_id from ${sql.table(table)}
        where ${sql.ref(`${table}._id`)} in (select row_id from check_findings
          where check_id = ${state.id}) and ${test}`,
    ];
  });
  const selects = [
    ...(wholes.length > 0
      ? [sql`select distinct row_id from check_findings where check_id in (${sql.join(wholes)})`]
      : []),
    ...parts,
  ];
  return selects.length === 0 ? null : sql`${sql.join(selects, sql` union `)}`;
}

async function newestFound(db: Transaction, found: ReturnType<typeof foundSql>): Promise<number[]> {
  if (!found) return [];
  const { rows } = await sql<{ id: number }>`select row_id as id from (${found}) as found
    order by row_id desc limit ${MAX_EXAMINED}`.execute(db.k);
  return rows.map(({ id }) => id);
}

/** The records that checks evaluate: for an archive the newest revisions. */
function countDocuments(db: Transaction, collection: Collection): Promise<number> {
  const table = sql.table(tableName(collection));
  const tests = newestRevisionTests(collection);
  // Without a condition SQLite counts whole pages.
  return countRows(db, tests.length === 0 ? table : sql`${table} where ${allOf(tests)}`);
}

async function peopleOf(
  db: Transaction,
  corrections: readonly store.DailyCorrection[],
): Promise<NonNullable<Figures['corrections']['people']>> {
  const byUser = Map.groupBy(corrections, ({ userId }) => userId);
  const ids = [...byUser.keys()].filter((id) => id !== 0);
  const users =
    ids.length === 0
      ? []
      : await db.k
          .selectFrom('users')
          .select(['id', 'username', 'display_name'])
          .where('id', 'in', ids)
          .execute();
  return [...byUser]
    .map(([id, own]) => {
      const user = users.find((candidate) => candidate.id === id);
      return {
        username: user?.username ?? null,
        displayName: user?.display_name ?? null,
        count: sum(own),
      };
    })
    .toSorted((a, b) => b.count - a.count);
}

/** The number of records with a finding of any check. */
export async function countFound(db: Transaction, { kind, id }: Pick<Collection, 'kind' | 'id'>) {
  return countRows(
    db,
    sql`(select distinct row_id from check_findings where check_id in (
      select id from check_states where scope = ${kind} and thing_id = ${id})) as found`,
  );
}
