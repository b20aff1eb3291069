import type { TableDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { UNBOUND } from '#shared/values/values.ts';
import type { ListView } from '#web/api/list-view.ts';
import { chosenFields, type ListField } from '#web/list-tools/list-field.ts';

const NO_RULES = {
  ...UNBOUND,
  maxLength: 200,
  scale: null,
  kind: 'meta',
  hidden: true,
} satisfies Omit<ListField, 'type' | 'name' | 'label'>;

const META: readonly ListField[] = [
  { ...NO_RULES, name: 'jrid', label: 'Record number', type: 'integer' },
  { ...NO_RULES, name: 'changedAt', label: 'Changed at', type: 'datetime' },
  { ...NO_RULES, name: 'changedBy', label: 'Changed by', type: 'text' },
];

/** What can be columns of the grid: the columns of the table. */
export function gridFields({ columns }: Pick<TableDetail, 'columns'>) {
  return columns.map((column) => ({ ...column, kind: 'field' as const }));
}

/** What the grid can be filtered by: also the record's number and who changed it, when. */
export function filterFields(table: Pick<TableDetail, 'columns'>): readonly ListField[] {
  const own = new Set(table.columns.map(({ name }) => nameKey(name)));
  // A column hides a field of the service's own that has its name (the service's rule).
  return [...gridFields(table), ...META.filter(({ name }) => !own.has(nameKey(name)))];
}

/** The columns of a view in their order; what the table does not have is left out. */
export function chosenColumns(
  { columns }: Pick<TableDetail, 'columns'>,
  chosen: readonly string[] | undefined,
): readonly Column[] {
  const names = chosenFields(gridFields({ columns }), chosen).map(({ name }) => name);
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/**
 * The view with other columns shown. A column that stays at the left and is hidden takes its place there with it, and
 * one that comes in among them stays too; none begins to stay, or to scroll, because another went or came.
 */
export function withColumnsShown(
  view: ListView,
  before: readonly Pick<Column, 'name'>[],
  after: readonly Pick<Column, 'name'>[],
): ListView {
  const { frozen: stayed = 0, ...others } = view;
  const has = (columns: typeof before, name: string) => columns.some((one) => one.name === name);
  let frozen = before.slice(0, stayed).filter(({ name }) => has(after, name)).length;
  for (const [place, { name }] of after.entries()) {
    if (place < frozen && !has(before, name)) frozen++;
  }
  return frozen > 0 ? { ...others, frozen } : others;
}

/** A view that shows one column more, behind those that stand before it in the table. */
export function withColumn(
  table: Pick<TableDetail, 'columns'>,
  view: ListView,
  column: string,
): ListView {
  const shown = chosenColumns(table, view.columns);
  const names = shown.map(({ name }) => name);
  const place = (name: string) => table.columns.findIndex((one) => one.name === name);
  const before = names.findLastIndex((name) => place(name) < place(column));
  const columns = names.toSpliced(before + 1, 0, column);
  return { ...withColumnsShown(view, shown, chosenColumns(table, columns)), columns };
}
