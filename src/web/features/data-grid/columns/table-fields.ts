import type { TableDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Column } from '#shared/rules/definitions.ts';
import type { ListView } from '#web/api/list-view.ts';
import { viewWithColumns } from '#web/list-tools/view-with-columns.ts';
import { checkColumn, findingText } from '#web/list-tools/check-column.ts';
import { chosenFields, type ListField, NO_RULES } from '#web/list-tools/list-field.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import * as texts from '#messages/tables.ts';

const META: readonly ListField[] = (
  [
    { name: 'jrid', label: texts.recordNumber, type: 'integer' },
    { name: 'changedAt', label: texts.changedAt, type: 'datetime' },
    { name: 'changedBy', label: texts.changedBy, type: 'text' },
  ] as const
).map((field) => ({ ...NO_RULES, ...field, kind: 'meta', hidden: true }));

/** A column of a table as a field of its list, or the findings of checks. */
export interface TableField extends Column {
  readonly kind: 'field' | 'check';
  readonly hidden: boolean;
  /** whether the user may not change its values (docs/interface/administration.md, section 2) */
  readonly readOnly?: true | undefined;
}

/** The possible columns of the grid: the columns of the table, and the findings of checks. */
export function gridFields(table: Pick<TableDetail, 'columns'>): readonly TableField[] {
  return [...ownFields(table), { ...NO_COLUMN, ...checkColumn(table.columns) }];
}

const NO_COLUMN = {
  required: false,
  unique: false,
  default: null,
  description: '',
  optionsFrom: null,
  readOnly: true,
} as const;

function ownFields({ columns }: Pick<TableDetail, 'columns'>): readonly TableField[] {
  return columns.map((column) => ({
    ...column,
    kind: 'field',
    hidden: column.hiddenInLists === true,
  }));
}

/** The last known value of a record in a column. */
export function storedIn(
  stored: ServerRecord | null | undefined,
  { name, kind }: Pick<TableField, 'name' | 'kind'>,
): Scalar {
  if (kind === 'check') return findingText(stored?.findings ?? [], '; ') || null;
  return stored?.dataset[name] ?? null;
}

/** The possible filters of the grid: also the record's id and who changed it, when. */
export function filterFields(table: Pick<TableDetail, 'columns'>): readonly ListField[] {
  const own = new Set(table.columns.map(({ name }) => nameKey(name)));
  // A column hides a field of the service with the same name (the service's rule).
  return [...ownFields(table), ...META.filter(({ name }) => !own.has(nameKey(name)))];
}

/** A view with one more column, at its position in the table's order. */
export function withColumn(
  table: Pick<TableDetail, 'columns'>,
  view: ListView,
  column: string,
): ListView {
  const names = chosenFields(gridFields(table), view.columns).map(({ name }) => name);
  const indexOf = (name: string) => table.columns.findIndex((one) => one.name === name);
  const before = names.findLastIndex((name) => indexOf(name) < indexOf(column));
  const columns = names.toSpliced(before + 1, 0, column);
  return viewWithColumns(view, names, columns);
}
