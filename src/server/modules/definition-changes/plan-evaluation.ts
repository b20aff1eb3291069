import type { RecordValues } from '#server/database/records/iterate-values.ts';
import type { StoredField } from '#server/database/records/columns.ts';
import { JsonNumber } from '#shared/values/json.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, parseType, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { NO_TALLY, type ChangeTally } from '../definition-jobs/change-tally.ts';
import {
  convertValue,
  numbersRead,
  valueIfUnchanged,
} from '#server/database/records/conversion.ts';
import type { FieldCheck } from './field-differences.ts';
import type { PlannedChange } from './planned-change.ts';

export const MAX_EXAMPLES = 100;

/** The value of a field after a change. */
interface Converted {
  /** null also if the value has no meaning in the new type */
  readonly value: Scalar;
  /** whether it can be converted, and is valid by the rules that the change checks */
  readonly fits: boolean;
}

/** The fields whose values determine the effect of changes, each once. */
export function fieldsToRead(
  changes: readonly PlannedChange[],
  fields: readonly StoredField[],
): StoredField[] {
  const numbers = new Set(
    changes.flatMap(({ number, touchesValues, check }) => {
      if (check?.kind === 'uniqueTogether') return isConverted(check) ? [...check.before] : [];
      if (number === null || !touchesValues) return [];
      const original = check?.kind === 'conversion' ? check.original : undefined;
      return original ? [number, ...numbersRead(original)] : [number];
    }),
  );
  return fields.filter(({ number }) => numbers.has(number));
}

/** Whether values that become unique together are converted by the same change, so that they are stored nowhere before. */
export function isConverted({
  numbers,
  before,
}: Extract<FieldCheck, { kind: 'uniqueTogether' }>): boolean {
  return !before.includes(null) && before.some((number, i) => number !== numbers[i]);
}

/**
 * Adds the values of some records to the tallies of the changes.
 * @param fields of the values
 * @param tallies one for each change
 */
export function addToTallies(
  changes: readonly PlannedChange[],
  fields: readonly StoredField[],
  records: readonly RecordValues[],
  tallies: readonly ChangeTally[],
): ChangeTally[] {
  return changes.map((change, i) => {
    const before = tallies[i] ?? NO_TALLY;
    const index = fields.findIndex(({ number }) => number === change.number);
    if (index < 0 || !change.touchesValues) return before;
    const effectOf = effectsOf(change, fields);
    let { affected, misfits } = before;
    const examples = [...before.examples];
    for (const { id, values } of records) {
      const { fits, value: after } = effectOf(values);
      const value = values[index] ?? after;
      if (value !== null) affected++;
      if (fits) continue;
      misfits++;
      if (examples.length < MAX_EXAMPLES) examples.push({ id, value });
    }
    return { affected, misfits, examples };
  });
}

/** The ids of records with a value that violates one of the changes; the parameters are those of `addToTallies`. */
export function findMisfitsAmong(
  changes: readonly PlannedChange[],
  fields: readonly StoredField[],
  records: readonly RecordValues[],
): number[] {
  const checks = changes.flatMap((change) =>
    change.touchesValues && fields.some(({ number }) => number === change.number)
      ? [effectsOf(change, fields)]
      : [],
  );
  return records.flatMap(({ id, values }) =>
    checks.every((effectOf) => effectOf(values).fits) ? [] : [id],
  );
}

/**
 * What the values of a record are after a change, and whether they are valid by its check; uniqueness does not concern
 * single records.
 */
function effectsOf(
  { check, number }: PlannedChange,
  fields: readonly StoredField[],
): (values: readonly Scalar[]) => Converted {
  if (check?.kind === 'conversion') return converterOf(check, number, fields);
  const index = fields.findIndex((field) => field.number === number);
  const rules = check?.kind === 'rules' ? check.rules : null;
  return (values) => {
    const value = values[index] ?? null;
    return { value, fits: rules === null || meets(rules, value) };
  };
}

/**
 * How a conversion reads the values of a record.
 * @param number of the field before the conversion
 * @param fields of the values, among them those that a revert reads (`fieldsToRead`)
 */
export function converterOf(
  { to, readAs, rules, original }: Extract<FieldCheck, { kind: 'conversion' }>,
  number: number | null,
  fields: readonly StoredField[],
): (values: readonly Scalar[]) => Converted {
  const indexes = new Map(fields.map((field, index) => [field.number, index]));
  const valueIn = (values: readonly Scalar[], wanted: number | null) =>
    values[indexes.get(wanted ?? -1) ?? -1] ?? null;
  const convert = (stored: Scalar): Converted => {
    const value = convertValue(to, readAs, stored);
    if (value === undefined) return { value: null, fits: false };
    return { value, fits: rules === null || meets(rules, value) };
  };
  if (!original) return (values) => convert(valueIn(values, number));
  const { narrowed } = original;
  return (values) => {
    const present = valueIn(values, number);
    const former = valueIfUnchanged(original, present, (wanted) => valueIn(values, wanted));
    // A restored value may break a rule, because violations were accepted. That is no reason to delete it.
    const { value, fits } = former === undefined ? convert(present) : { value: former, fits: true };
    return { value, fits: fits && (narrowed === null || meets(narrowed, value)) };
  };
}

function meets(rules: ValueRules, value: Scalar): boolean {
  if (rules.scale !== null && typeof value === 'number') {
    if (!parseType(rules, new JsonNumber(String(value))).ok) return false;
  }
  return checkRules(rules, value).ok;
}
