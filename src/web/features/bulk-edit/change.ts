import { isList } from '#web/fields/value-checks.ts';
import { type FieldValue, type ParsedField, parseField } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';

/** The new value of a field in every revision; null or no keywords: its value is removed. */
export interface FieldChange {
  readonly field: ArchiveField;
  readonly value: FieldValue;
}

/** A change with the value to store, or the reason why it is invalid. */
export type CheckedChange = ParsedField & Pick<FieldChange, 'field'>;

/** Checks a change by the rules of the service. Repeated keywords count once. */
export function checkChange({ field, value }: FieldChange): CheckedChange {
  const distinct = isList(value) ? [...new Set(value)] : value;
  return { field, ...parseField(field.definition, distinct) };
}
