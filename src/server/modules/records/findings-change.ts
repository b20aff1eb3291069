import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import { exceptionsAmong } from '#server/database/records/check-exceptions.ts';
import { newestRevisionSql } from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import { indexOfName } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/values.ts';
import { evaluateChecks, type IsBroken } from './check-evaluation.ts';

/** The findings that a change adds and removes, by check. */
export interface FindingsChange {
  readonly brings: readonly string[];
  readonly removes: readonly string[];
}

interface Candidate {
  /** null: it is new */
  readonly id: number | null;
  /** of the fields that the writer can see, in their order; null: it is new */
  readonly before: readonly Scalar[] | null;
  readonly after: readonly Scalar[];
}

const NOTHING: FindingsChange = { brings: [], removes: [] };

/**
 * The findings added and removed when records are changed or created, by the evaluator of saves. Duplicates and
 * comparisons with other records (`_future`, `_outlier`) are left out. Older revisions have no findings.
 * @returns in the order of the candidates
 */
export async function findingsChanges(
  db: Transaction,
  collection: Collection,
  candidates: readonly Candidate[],
): Promise<FindingsChange[]> {
  const { fields } = collection;
  const checks = collection.checks.filter(
    ({ parts }) => parts.length > 0 && parts.every(({ measure }) => !measure),
  );
  if (checks.length === 0 || candidates.length === 0) return candidates.map(() => NOTHING);
  const ids = candidates.flatMap(({ id }) => id ?? []);
  const newest = await newestAmong(db, collection, ids);
  // With the indexes of the fields whose change ends them; -1: fields that are not seen.
  const exceptions = (await exceptionsAmong(db, collection, ids)).map(({ numbers, ...one }) => ({
    ...one,
    fieldIndexes: numbers.map((number) => fields.findIndex((field) => field.number === number)),
  }));
  const compiled = checks.map((check) => compile(check, fields));
  return evaluateChecks(db, collection, { fields, checks }, (isBroken) =>
    candidates.map((candidate) => {
      const { id } = candidate;
      if (id !== null && newest && !newest.has(id)) return NOTHING;
      const changedFields = changedFieldIndexes(candidate);
      const brings: string[] = [];
      const removes: string[] = [];
      for (const { name, rules } of compiled) {
        const exception = exceptions.find((one) => one.id === id && one.name === name);
        const found = foundBy(
          rules,
          candidate,
          changedFields,
          exception?.fieldIndexes ?? [],
          isBroken,
        );
        if (found.after && !found.before) brings.push(name);
        if (found.before && !found.after) removes.push(name);
      }
      return { brings, removes };
    }),
  );
}

/** A rule with the indexes of the fields that it depends on, and of those that an exception from it names. */
interface IndexedRule {
  readonly rule: RuleNode;
  readonly fieldIndexes: readonly number[];
  readonly exceptionFieldIndexes: readonly number[];
}

function compile(
  { name, definition, parts }: Check,
  fields: Collection['fields'],
): { readonly name: string; readonly rules: readonly IndexedRule[] } {
  const indexesOf = (names: readonly string[]) => names.map((one) => indexOfName(fields, one));
  const rules = parts.flatMap(({ rule, uses, fields: marked }) =>
    rule
      ? [
          {
            rule,
            fieldIndexes: indexesOf(uses),
            exceptionFieldIndexes: indexesOf(definition ? uses : marked),
          },
        ]
      : [],
  );
  return { name, rules };
}

function changedFieldIndexes({ before, after }: Candidate): ReadonlySet<number> {
  return new Set(
    after.flatMap((value, index) => (before && before[index] === value ? [] : [index])),
  );
}

/**
 * Whether a check has a finding in a record before and after a change.
 * @param excepted the positions of the fields of an exception: a change of one of them ends it
 */
function foundBy(
  rules: readonly IndexedRule[],
  { before, after }: Candidate,
  changedFields: ReadonlySet<number>,
  excepted: readonly number[],
  isBroken: IsBroken,
): { readonly before: boolean; readonly after: boolean } {
  const isEnded = excepted.some((index) => changedFields.has(index));
  const wasExcepted = ({ exceptionFieldIndexes }: IndexedRule) =>
    excepted.length > 0 && exceptionFieldIndexes.every((index) => excepted.includes(index));
  const isChanged = (one: IndexedRule) =>
    one.fieldIndexes.some((index) => changedFields.has(index)) || (isEnded && wasExcepted(one));
  const changed = rules.filter(isChanged);
  if (changed.length === 0) return { before: false, after: false };
  const was =
    before !== null && changed.some((one) => !wasExcepted(one) && isBroken(one.rule, before));
  const is = changed.some((one) => (isEnded || !wasExcepted(one)) && isBroken(one.rule, after));
  if (was === is) return { before: was, after: is };
  // A rule with unchanged fields has the same result before and after.
  const remains = rules.some(
    (one) => !isChanged(one) && !wasExcepted(one) && isBroken(one.rule, after),
  );
  return { before: was || remains, after: is || remains };
}

/** The newest revisions among some records; null: all are, as in tables. */
async function newestAmong(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const newest = newestRevisionSql(collection);
  if (!newest || ids.length === 0) return null;
  const id = sql.ref(`${tableName(collection)}._id`);
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${sql.table(tableName(collection))}
    where ${id} ${db.adapter.isAmong(ids)} and ${newest}`.execute(db.k);
  return new Set(rows.map((row) => row.id));
}
