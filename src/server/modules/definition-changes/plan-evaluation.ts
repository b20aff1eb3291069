import type { RecordValues } from '#server/database/records/iterate-values.ts';
import type { StoredField } from '#server/database/records/columns.ts';
import { JsonNumber } from '#shared/values/json.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, parseType, type Scalar, type ValueRules } from '#shared/values/values.ts';
import { NO_TALLY, type ChangeTally } from '../definition-jobs/change-tally.ts';
import { convertValue, isUnchanged, type Converted } from '#server/database/records/conversion.ts';
import type { FieldCheck } from './field-differences.ts';
import type { PlannedChange } from './planned-change.ts';

export const MAX_EXAMPLES = 100;

/** The fields whose values determine the effect of changes, each once. */
export function fieldsToRead(
  changes: readonly PlannedChange[],
  fields: readonly StoredField[],
): StoredField[] {
  const numbers = new Set(
    changes.flatMap(({ number, touchesValues, check }) => {
      if (number === null || !touchesValues) return [];
      const original = check?.kind === 'conversion' ? check.original : undefined;
      return original ? [number, original.number] : [number];
    }),
  );
  return fields.filter(({ number }) => numbers.has(number));
}

/**
 * Adds the values of some records to the evaluation of each change.
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
    const fits = fittingOf(change, fields);
    let { affected, misfits } = before;
    const examples = [...before.examples];
    for (const { id, values } of records) {
      const value = values[index] ?? null;
      if (value !== null) affected++;
      if (fits(values)) continue;
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
      ? [fittingOf(change, fields)]
      : [],
  );
  return records.flatMap(({ id, values }) => (checks.every((fits) => fits(values)) ? [] : [id]));
}

/** Whether the values of a record are valid by the check of a change; uniqueness does not concern single records. */
function fittingOf(
  { check, number }: PlannedChange,
  fields: readonly StoredField[],
): (values: readonly Scalar[]) => boolean {
  switch (check?.kind) {
    case 'rules': {
      const index = fields.findIndex((field) => field.number === number);
      return (values) => meets(check.rules, values[index] ?? null);
    }
    case 'conversion': {
      const convert = converterOf(check, number, fields);
      return (values) => convert(values).fits;
    }
    default:
      return () => true;
  }
}

/**
 * How a conversion reads the values of a record.
 * @param number of the field before the conversion
 * @param fields of the values, among them the original of a revert
 */
export function converterOf(
  { to, readAs, original }: Extract<FieldCheck, { kind: 'conversion' }>,
  number: number | null,
  fields: readonly StoredField[],
): (values: readonly Scalar[]) => Converted {
  const indexOf = (wanted: number | null) => fields.findIndex((field) => field.number === wanted);
  const index = indexOf(number);
  const convert = (value: Scalar) => convertValue(to, readAs, value);
  if (!original) return (values) => convert(values[index] ?? null);
  const originalIndex = indexOf(original.number);
  return (values) => {
    const [value, before] = [values[index] ?? null, values[originalIndex] ?? null];
    // It was valid in its field, as the rules for it are those from before.
    return isUnchanged(original.steps, before, value)
      ? { value: before, fits: true }
      : convert(value);
  };
}

function meets(rules: ValueRules, value: Scalar): boolean {
  if (rules.scale !== null && typeof value === 'number') {
    if (!parseType(rules, new JsonNumber(String(value))).ok) return false;
  }
  return checkRules(rules, value).ok;
}
