import type { TableDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { TYPE_ONLY_RULES } from '#shared/values/values.ts';
import type { ListView } from '#web/api/list-view.ts';
import { viewWithColumns } from '#web/list-tools/view-with-columns.ts';
import { checkColumn, findingText } from '#web/list-tools/check-column.ts';
import { chosenFields, type ListField } from '#web/list-tools/list-field.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { ServerRecord } from '../edit-store/edits.ts';
import * as texts from '#messages/tables.ts';

const NO_RULES = {
  ...TYPE_ONLY_RULES,
  maxLength: 200,
  scale: null,
  kind: 'meta',
  hidden: true,
} satisfies Omit<ListField, 'type' | 'name' | 'label'>;

const META: readonly ListField[] = [
  { ...NO_RULES, name: 'jrid', label: texts.recordNumber, type: 'integer' },
  { ...NO_RULES, name: 'changedAt', label: texts.changedAt, type: 'datetime' },
  { ...NO_RULES, name: 'changedBy', label: texts.changedBy, type: 'text' },
];

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

/** The names of the columns of a view in order; unknown ones are left out. */
function shownColumns(
  table: Pick<TableDetail, 'columns'>,
  chosen: readonly string[] | undefined,
): readonly string[] {
  return chosenFields(gridFields(table), chosen).map(({ name }) => name);
}

/** A view with one more column, at its position in the table's order. */
export function withColumn(
  table: Pick<TableDetail, 'columns'>,
  view: ListView,
  column: string,
): ListView {
  const names = shownColumns(table, view.columns);
  const indexOf = (name: string) => table.columns.findIndex((one) => one.name === name);
  const before = names.findLastIndex((name) => indexOf(name) < indexOf(column));
  const columns = names.toSpliced(before + 1, 0, column);
  return viewWithColumns(view, names, columns);
}
