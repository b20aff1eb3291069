import type { RecordValues } from '#server/database/records/iterate-values.ts';
import type { StoredField } from '#server/database/records/columns.ts';
import { JsonNumber } from '#shared/values/json.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, parseType, type Scalar, type ValueRules } from '#shared/values/values.ts';
import { NO_TALLY, type ChangeTally } from '../definition-jobs/change-tally.ts';
import { convertValue } from '#server/database/records/conversion.ts';
import type { PlannedChange } from './planned-change.ts';

export const MAX_EXAMPLES = 100;

/** The fields whose values determine the effect of changes, each once. */
export function fieldsToRead(
  changes: readonly PlannedChange[],
  fields: readonly StoredField[],
): StoredField[] {
  const numbers = new Set(
    changes.flatMap(({ number, touchesValues }) =>
      number !== null && touchesValues ? [number] : [],
    ),
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
    let { affected, misfits } = before;
    const examples = [...before.examples];
    for (const { id, values } of records) {
      const value = values[index] ?? null;
      if (value !== null) affected++;
      if (fits(change, value)) continue;
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
  const checked = changes.flatMap((change) => {
    const index = fields.findIndex(({ number }) => number === change.number);
    return index < 0 || !change.touchesValues ? [] : [{ change, index }];
  });
  return records.flatMap(({ id, values }) =>
    checked.every(({ change, index }) => fits(change, values[index] ?? null)) ? [] : [id],
  );
}

/** Whether a stored value is valid by the check of a change; uniqueness does not concern single values. */
function fits({ check }: PlannedChange, value: Scalar): boolean {
  switch (check?.kind) {
    case 'rules':
      return meets(check.rules, value);
    case 'conversion':
      return convertValue(check.to, check.readAs, value).fits;
    default:
      return true;
  }
}

function meets(rules: ValueRules, value: Scalar): boolean {
  if (rules.scale !== null && typeof value === 'number') {
    if (!parseType(rules, new JsonNumber(String(value))).ok) return false;
  }
  return checkRules(rules, value).ok;
}
