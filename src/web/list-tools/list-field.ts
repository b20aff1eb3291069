import { findByName } from '#shared/rules/names.ts';
import type { ValueRules } from '#shared/values/values.ts';

/** A check as people choose it in a filter. */
interface CheckChoice {
  readonly name: string;
  readonly label: string;
}

/** Something that a list can show, sort and be filtered by. */
export interface ListField extends ValueRules {
  readonly name: string;
  readonly label: string;
  /** `check`: the findings of checks */
  readonly kind: 'field' | 'meta' | 'keyword' | 'check';
  /** of `check`: the checks */
  readonly checks?: readonly CheckChoice[] | undefined;
  readonly description?: string;
  readonly unique?: boolean;
  /** no column unless it is chosen */
  readonly hidden?: boolean;
}

/** Whether a list can be sorted by the field; a keyword field may have several values, a record several findings. */
export function isSortable({ kind }: ListField): boolean {
  return kind !== 'keyword' && kind !== 'check';
}

/** The columns of a view in their order; what the list does not have is left out. */
export function chosenFields<Field extends ListField>(
  fields: readonly Field[],
  chosen: readonly string[] | undefined,
): Field[] {
  const found = (chosen ?? []).flatMap((name) => fieldNamed(fields, name) ?? []);
  return found.length > 0 ? [...new Set(found)] : defaultFields(fields);
}

/** The columns where nothing is chosen. */
export function defaultFields<Field extends ListField>(fields: readonly Field[]): Field[] {
  return fields.filter(({ hidden }) => !hidden);
}

/** A field by its name, without regard to case. */
export function fieldNamed<Field extends ListField>(
  fields: readonly Field[],
  name: string,
): Field | undefined {
  return findByName(fields, name);
}
