import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import {
  exceptionsAmong,
  isException,
  type RecordException,
} from '#server/database/records/check-exceptions.ts';
import { exceptedFields, newestAmong } from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import { indexOfName } from '#shared/rules/names.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { evaluateChecks, type IsBroken } from './check-evaluation.ts';

/** The findings that a change adds and removes, by check. */
export interface FindingsChange {
  readonly brings: readonly string[];
  readonly removes: readonly string[];
}

/** The values of a record about to be written. */
interface ChangedValues {
  /** null: it is new */
  readonly id: number | null;
  /** of the fields that the writer can see, in their order; null: it is new */
  readonly before: readonly Scalar[] | null;
  readonly after: readonly Scalar[];
}

const NO_CHANGE: FindingsChange = { brings: [], removes: [] };

/**
 * The findings added and removed when records are changed or created, by the evaluator of saves. Duplicates and
 * comparisons with other records (`_future`, `_outlier`) are left out. Older revisions have no findings.
 * @returns in the order of the candidates
 */
export async function findingsChanges(
  db: Transaction,
  collection: Collection,
  candidates: readonly ChangedValues[],
): Promise<FindingsChange[]> {
  const { fields } = collection;
  const checks = collection.checks.filter(
    ({ parts }) => parts.length > 0 && parts.every(({ measure }) => !measure),
  );
  if (checks.length === 0 || candidates.length === 0) return candidates.map(() => NO_CHANGE);
  const ids = candidates.flatMap(({ id }) => id ?? []);
  const newest = await newestAmong(db, collection, ids);
  const exceptions = await exceptionsAmong(db, collection, ids);
  const compiled = checks.map((check) => compile(collection, check));
  return evaluateChecks(db, collection, { fields, checks }, (isBroken) =>
    candidates.map((candidate) => {
      const { id } = candidate;
      if (id !== null && !newest.has(id)) return NO_CHANGE;
      const touched = touchedFields(collection, candidate);
      const brings: string[] = [];
      const removes: string[] = [];
      for (const { name, rules } of compiled) {
        const own = exceptions.filter((one) => one.id === id && one.name === name);
        const found = findingBeforeAndAfter(rules, candidate, touched, own, isBroken);
        if (found.after && !found.before) brings.push(name);
        if (found.before && !found.after) removes.push(name);
      }
      return { brings, removes };
    }),
  );
}

/** A rule with the numbers of the fields that it depends on, and of those that an exception must be about. */
interface NumberedRule {
  readonly rule: RuleNode;
  readonly uses: readonly number[];
  readonly exceptedBy: readonly number[];
}

function compile(
  collection: Collection,
  check: Check,
): { readonly name: string; readonly rules: readonly NumberedRule[] } {
  const { fields } = collection;
  const rules = check.parts.flatMap((part) => {
    const { rule } = part;
    const uses = part.uses.flatMap((name) => fields[indexOfName(fields, name)]?.number ?? []);
    return rule ? [{ rule, uses, exceptedBy: exceptedFields(collection, check, part) }] : [];
  });
  return { name: check.name, rules };
}

/** The numbers of the fields that a change touches: all of a new record. */
function touchedFields(
  { fields }: Collection,
  { before, after }: ChangedValues,
): ReadonlySet<number> {
  return new Set(
    fields.flatMap(({ number }, index) =>
      before && before[index] === after[index] ? [] : [number],
    ),
  );
}

/**
 * Whether a check has a finding in a record before and after a change.
 * @param exceptions of the record from the check: a change of one of its fields ends each
 */
function findingBeforeAndAfter(
  rules: readonly NumberedRule[],
  { before, after }: ChangedValues,
  touched: ReadonlySet<number>,
  exceptions: readonly RecordException[],
  isBroken: IsBroken,
): { readonly before: boolean; readonly after: boolean } {
  const lasting = exceptions.filter(({ numbers }) => !numbers.some((one) => touched.has(one)));
  const wasExcepted = ({ exceptedBy }: NumberedRule) =>
    exceptions.some((exception) => isException(exception, exceptedBy));
  const isExcepted = ({ exceptedBy }: NumberedRule) =>
    lasting.some((exception) => isException(exception, exceptedBy));
  const isChanged = (one: NumberedRule) =>
    one.uses.some((number) => touched.has(number)) || (wasExcepted(one) && !isExcepted(one));
  const changed = rules.filter(isChanged);
  if (changed.length === 0) return { before: false, after: false };
  const was =
    before !== null && changed.some((one) => !wasExcepted(one) && isBroken(one.rule, before));
  const is = changed.some((one) => !isExcepted(one) && isBroken(one.rule, after));
  if (was === is) return { before: was, after: is };
  // A rule with unchanged fields has the same result before and after.
  const stays = rules.some(
    (one) => !isChanged(one) && !wasExcepted(one) && isBroken(one.rule, after),
  );
  return { before: was || stays, after: is || stays };
}
