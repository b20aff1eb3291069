import type { RecordValues } from '#server/database/records/iterate-values.ts';
import type { StoredField } from '#server/database/records/columns.ts';
import { JsonNumber } from '#shared/values/json.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, parseType, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { NO_TALLY, type ChangeTally, type Misfit } from '../definition-jobs/change-tally.ts';
import {
  convertValue,
  numbersRead,
  valueIfUnchanged,
} from '#server/database/records/conversion.ts';
import type { ConversionCheck, FieldCheck } from './field-differences.ts';
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

/** The effect of a change on some records. */
interface Effect {
  /** values that it affects */
  readonly affected: number;
  readonly misfits: readonly Misfit[];
}

/**
 * Evaluates a change for some records; uniqueness does not concern single records.
 * @param fields of the values
 */
export function effectOn(
  { check, number, touchesValues }: PlannedChange,
  fields: readonly StoredField[],
  records: readonly RecordValues[],
): Effect {
  const index = fields.findIndex((field) => field.number === number);
  if (index < 0 || !touchesValues) return { affected: 0, misfits: [] };
  const convert = check?.kind === 'conversion' ? converterOf(check, number, fields) : null;
  const rules = check?.kind === 'rules' ? check.rules : null;
  let affected = 0;
  const misfits: Misfit[] = [];
  for (const { id, values } of records) {
    const stored = values[index] ?? null;
    const after = convert?.(values) ?? { value: stored, fits: !rules || meets(rules, stored) };
    const value = stored ?? after.value;
    if (value !== null) affected++;
    if (!after.fits) misfits.push({ id, value });
  }
  return { affected, misfits };
}

/** Whether a change requires that no two records have the same value. */
export function becomesUnique(check: FieldCheck | null): boolean {
  switch (check?.kind) {
    case 'uniqueTogether':
      return true;
    case 'rules':
      return check.isUnique;
    case 'conversion':
      return check.to.unique === true;
    case undefined:
      return false;
    default:
      return check satisfies never;
  }
}

/**
 * Adds the effect on some records to the tallies of the changes.
 * @param fields of the values
 * @param tallies one for each change; none: nothing was tallied yet
 */
export function addToTallies(
  changes: readonly PlannedChange[],
  fields: readonly StoredField[],
  records: readonly RecordValues[],
  tallies: readonly ChangeTally[],
): ChangeTally[] {
  return changes.map((change, i) => {
    const before = tallies[i] ?? NO_TALLY;
    const { affected, misfits } = effectOn(change, fields, records);
    return {
      affected: before.affected + affected,
      misfits: before.misfits + misfits.length,
      examples: [...before.examples, ...misfits].slice(0, MAX_EXAMPLES),
    };
  });
}

/**
 * How a conversion reads the values of a record.
 * @param number of the field before the conversion
 * @param fields of the values, among them those that a revert reads (`fieldsToRead`)
 */
export function converterOf(
  { to, readAs, rules, original }: ConversionCheck,
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
