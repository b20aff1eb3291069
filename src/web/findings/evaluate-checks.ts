import * as texts from '#messages/findings.ts';
import type { RecordCheck } from '#shared/checks/record-checks.ts';
import { clockOf } from '#shared/checks/rule-clock.ts';
import {
  suggestCorrections,
  type SuggestionField,
  type SumTerm,
  type ValueSuggestion,
} from '#shared/checks/suggest-corrections.ts';
import { fixedPlacesOf } from '#shared/values/readings.ts';
import { isNumber } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { settings } from '#web/api/settings.ts';
import { checkValue } from '#web/fields/value-checks.ts';
import { formatFieldValue, toFieldValue } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { CheckedRecord, FieldSuggestion } from './finding.ts';

/** Whether a check finds something in the record in its present state. */
export function isFound(check: RecordCheck, { valueOf }: CheckedRecord): boolean {
  return check.isMet(valueOf, now()) === false;
}

/** The values that would make the rule of a check true. */
export function suggestionsFor(check: RecordCheck, record: CheckedRecord): FieldSuggestion[] {
  const context = { ...now(), isListed: () => null };
  return suggestCorrections(check.rule, suggestionFields(record), record.valueOf, context).map(
    (suggestion) => presented(suggestion, record),
  );
}

/** As in the service: `now` in rules is the beginning of the hour. */
function now() {
  const at = Date.now();
  const { timeZone } = settings();
  const { today } = clockOf(at, timeZone);
  return { today, now: clockOf(Math.floor(at / HOUR) * HOUR, timeZone).now };
}

const HOUR = 60 * 60 * 1000;

function suggestionFields({ fields }: CheckedRecord): SuggestionField[] {
  return fields.flatMap(({ name, definition, isReadOnly }) =>
    definition
      ? [
          {
            name,
            isNumber: isNumber(definition),
            scale: fixedPlacesOf(definition),
            accepts: (value: Scalar) => !isReadOnly && checkValue(definition, value).ok,
          },
        ]
      : [],
  );
}

function presented(
  { kind, values, sum }: ValueSuggestion,
  { fields }: CheckedRecord,
): FieldSuggestion {
  const put = fields.flatMap((field) => {
    const value = values.get(field.name);
    return value === undefined
      ? []
      : [{ field, text: toFieldValue(field.definition, value), path: field.path }];
  });
  const labels = put.map(({ field }) => field.label);
  const shown = put.map(({ field, text }) =>
    formatFieldValue(field.definition, text, { grouped: true }),
  );
  return {
    label:
      kind === 'swap'
        ? texts.swap({ one: labels[0] ?? '', other: labels[1] ?? '' })
        : texts.solved({
            label: labels[0] ?? '',
            sum: sum && sumText(sum, fields),
            value: shown[0] ?? '',
          }),
    values: put.map(({ path, text }) => [path, text]),
  };
}

/** `Net + VAT` */
function sumText(sum: readonly SumTerm[], fields: readonly ArchiveField[]): string {
  return sum
    .map(({ field, isNegative }, index) => {
      const label = fields.find(({ name }) => name === field)?.label ?? field;
      if (index === 0) return isNegative ? `−${label}` : label;
      return isNegative ? ` − ${label}` : ` + ${label}`;
    })
    .join('');
}
