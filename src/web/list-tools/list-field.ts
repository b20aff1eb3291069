import { findByName } from '#shared/rules/names.ts';
import { TYPE_ONLY_RULES, type ValueRules } from '#shared/values/value-rules.ts';

/** A check as a choice in a filter. */
interface CheckChoice {
  readonly name: string;
  readonly label: string;
}

/** A field that a list can show, sort and filter by. */
export interface ListField extends ValueRules {
  readonly name: string;
  readonly label: string;
  /** `check`: the findings of checks */
  readonly kind: 'field' | 'meta' | 'keyword' | 'check';
  /** of `check`: the checks */
  readonly checks?: readonly CheckChoice[] | undefined;
  readonly description?: string;
  readonly unique?: boolean;
  /** hidden by default */
  readonly hidden?: boolean;
}

/** The rules of a field that no definition has, such as the time of the last change; its length decides its width. */
export const NO_RULES = {
  ...TYPE_ONLY_RULES,
  maxLength: 200,
  scale: null,
} satisfies Omit<ValueRules, 'type'>;

/** Whether a list can be sorted by the field; a keyword field may have several values, a record several findings. */
export function isSortable({ kind }: ListField): boolean {
  return kind !== 'keyword' && kind !== 'check';
}

/** The columns of a view in order; unknown ones are left out. */
export function chosenFields<Field extends ListField>(
  fields: readonly Field[],
  chosen: readonly string[] | undefined,
): Field[] {
  const found = (chosen ?? []).flatMap((name) => findByName(fields, name) ?? []);
  return found.length > 0 ? [...new Set(found)] : defaultFields(fields);
}

/** The default columns. */
export function defaultFields<Field extends ListField>(fields: readonly Field[]): Field[] {
  return fields.filter(({ hidden }) => !hidden);
}
