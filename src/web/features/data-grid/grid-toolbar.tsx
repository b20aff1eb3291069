import { Button } from '@mantine/core';
import type { TableDetail } from '#shared/answers.ts';
import type { Column } from '#shared/definitions.ts';
import type { ListView } from '#web/api/list-view.ts';
import { PlusIcon, RefreshIcon } from '#web/ui/icons.tsx';
import { ColumnsButton } from '#web/ui/list-tools/columns-button.tsx';
import type { ListField } from '#web/ui/list-tools/conditions.ts';
import { FilterButton } from '#web/ui/list-tools/filter-button.tsx';
import { SearchField } from '#web/ui/list-tools/search-field.tsx';
import classes from './grid-toolbar.module.css';

interface GridToolbarProps {
  readonly table: TableDetail;
  readonly view: ListView;
  readonly columns: readonly Column[];
  readonly onViewChange: (view: ListView) => void;
  readonly onReadAnew: () => void;
  /** goes to the empty row; null where nothing can be created */
  readonly onNewRow: (() => void) | null;
}

/** Columns, filter and search of the grid, reading anew, and the way to the empty row. */
export function GridToolbar(props: GridToolbarProps) {
  const { table, view, columns, onViewChange, onReadAnew, onNewRow } = props;
  const { columns: _, ...withoutColumns } = view;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={`Tools for ${table.label}`}>
      <ColumnsButton
        fields={table.columns}
        shown={columns.map(({ name }) => name)}
        changed={view.columns !== undefined}
        onChange={(shown) =>
          onViewChange(shown ? { ...withoutColumns, columns: shown } : withoutColumns)
        }
      />
      <FilterButton
        fields={filterFields(table)}
        where={view.where ?? []}
        onChange={(where) => onViewChange({ ...view, where })}
      />
      <SearchField
        label={`Search in ${table.label}`}
        q={view.q ?? ''}
        onChange={(q) => onViewChange({ ...view, q })}
      />
      <Button
        variant="subtle"
        color="gray"
        className={classes.anew ?? ''}
        leftSection={<RefreshIcon size={14} />}
        onClick={onReadAnew}
      >
        Reload
      </Button>
      {onNewRow && (
        <Button leftSection={<PlusIcon size={14} />} onClick={onNewRow}>
          New row
        </Button>
      )}
    </div>
  );
}

const META: readonly ListField[] = [
  { name: 'jrid', label: 'Record number', type: 'integer' },
  { name: 'changedAt', label: 'Changed at', type: 'datetime' },
  { name: 'changedBy', label: 'Changed by', type: 'text' },
];

function filterFields(table: TableDetail): readonly ListField[] {
  const own = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  // A column hides a field of the service's own that has its name (the service's rule).
  return [...table.columns, ...META.filter(({ name }) => !own.has(name.toLowerCase()))];
}
