import type { TableDetail } from '#shared/answers.ts';
import type { ListView } from '#web/api/list-view.ts';
import { ListToolbar } from '#web/ui/list-tools/list-toolbar.tsx';
import { FilterStrip } from '#web/ui/list-tools/filter-strip.tsx';
import { filterFields, gridFields } from './table-fields.ts';

interface GridToolbarProps {
  readonly table: TableDetail;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly filtering: boolean;
  readonly onFiltering: (open: boolean) => void;
}

/** Fields, filter, sort and search of the grid. */
export function GridToolbar({ table, ...props }: GridToolbarProps) {
  return (
    <ListToolbar
      fields={gridFields(table)}
      label={table.label}
      initialOrder="By dataset number, ascending."
      {...props}
    />
  );
}

type GridFilterProps = Pick<GridToolbarProps, 'table' | 'view' | 'onViewChange'>;

/** The conditions of the grid's filter, by the columns of the table. */
export function GridFilter({ table, view, onViewChange }: GridFilterProps) {
  return (
    <FilterStrip
      fields={filterFields(table)}
      where={view.where ?? []}
      onFilter={(where) => onViewChange({ ...view, where })}
    />
  );
}
