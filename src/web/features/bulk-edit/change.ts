import { isList } from '#web/fields/value-checks.ts';
import { type FieldValue, type ParsedField, parseField } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';

/** What one field of every revision is to hold; null or no keywords: its value is removed. */
export interface Change {
  readonly field: ArchiveField;
  readonly value: FieldValue;
}

/** A change with the value to store, or why it has none. */
export type CheckedChange = ParsedField & Pick<Change, 'field'>;

/** Checks a change by the rules that the service will apply to it. A keyword counts once. */
export function checkChange({ field, value }: Change): CheckedChange {
  const held = isList(value) ? [...new Set(value)] : value;
  return { field, ...parseField(field.definition, held) };
}
