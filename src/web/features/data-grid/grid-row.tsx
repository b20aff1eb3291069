import { memo, useEffect, useRef } from 'react';
import type { Column } from '#shared/definitions.ts';
import { CheckIcon, CloseIcon, PlusIcon, WarningIcon } from '#web/ui/icons.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './data-grid.module.css';
import type { Cells, NewRow, RowKey, Stored } from './edits.ts';
import type { GridActions } from './grid-actions.ts';
import { GridCell } from './grid-cell.tsx';
import type { Editing } from './grid-state.ts';
import type { Row } from './use-rows.ts';

interface GridRowProps {
  readonly guid: string;
  readonly index: number;
  /** pixels from the first row */
  readonly top: number;
  /** '' where there is no row (yet) */
  readonly rowKey: RowKey;
  /** `coming` while the row is not read yet, `gone` where the server has none any more */
  readonly kind: Row['kind'] | 'coming' | 'gone';
  readonly stored: Stored | null;
  readonly newRow: NewRow | undefined;
  readonly cells: Cells;
  readonly columns: readonly Column[];
  /** the focused column in this row; null: none */
  readonly focusCol: number | null;
  readonly active: boolean;
  readonly editing: Editing | null;
  /** undefined where rows cannot be selected */
  readonly selected: boolean | undefined;
  readonly actions: GridActions;
}

/** One row of the grid; drawn anew only when something of it changes. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { guid, index, top, rowKey, kind, stored, newRow, cells, columns } = props;
  const { focusCol, active, editing, actions } = props;
  const name = kind === 'empty' ? 'New dataset' : `Row ${(index + 1).toLocaleString('en')}`;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.selected ?? false}
      data-row={index}
      data-kind={kind}
      data-editing={editing !== null || undefined}
      data-current={focusCol !== null || undefined}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <RowHeader
        rowKey={rowKey}
        kind={kind}
        number={index + 1}
        name={name}
        newRow={newRow}
        selected={props.selected ?? false}
        focused={focusCol === 0}
        active={active}
        onDiscard={actions.discard}
      />
      {kind !== 'coming' && kind !== 'gone'
        ? columns.map((column, i) => (
            <GridCell
              key={column.name}
              guid={guid}
              rowKey={rowKey}
              kind={kind}
              column={column}
              col={i + 1}
              stored={stored?.dataset[column.name] ?? null}
              edit={cells.get(column.name)}
              focused={focusCol === i + 1}
              active={active}
              editing={editing?.column === column.name ? editing : null}
              actions={actions}
            />
          ))
        : columns.map((column, i) => (
            <ComingCell
              key={column.name}
              col={i + 1}
              gone={kind === 'gone'}
              focused={focusCol === i + 1}
              active={active}
            />
          ))}
    </div>
  );
});

interface ComingCellProps {
  readonly col: number;
  readonly gone: boolean;
  readonly focused: boolean;
  readonly active: boolean;
}

/** A cell whose row is not read yet; it keeps the keyboard while one passes over it. */
function ComingCell({ col, gone, focused, active }: ComingCellProps) {
  const cell = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused && active) cell.current?.focus({ preventScroll: true });
  }, [focused, active]);
  return (
    <div
      ref={cell}
      role="gridcell"
      aria-colindex={col + 1}
      aria-busy={!gone}
      tabIndex={focused ? 0 : -1}
      data-col={col}
      data-focused={(focused && active) || undefined}
      className={classes.cell}
    >
      {!gone && <span className={classes.coming} />}
    </div>
  );
}

interface RowHeaderProps {
  readonly rowKey: RowKey;
  readonly kind: GridRowProps['kind'];
  readonly number: number;
  readonly name: string;
  readonly newRow: NewRow | undefined;
  readonly selected: boolean;
  readonly focused: boolean;
  readonly active: boolean;
  readonly onDiscard: (key: RowKey) => void;
}

function RowHeader(props: RowHeaderProps) {
  const { rowKey, kind, number, name, newRow, selected, focused, active, onDiscard } = props;
  const cell = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused && active) cell.current?.focus({ preventScroll: true });
  }, [focused, active]);
  const refused = newRow?.is === 'refused' ? newRow.message : null;
  return (
    <div
      ref={cell}
      role="rowheader"
      aria-colindex={1}
      tabIndex={focused ? 0 : -1}
      data-col={0}
      data-focused={(focused && active) || undefined}
      data-refused={refused !== null || undefined}
      title={refused ?? undefined}
      className={classes.rowHeader}
    >
      <span className={classes.hidden}>{refused === null ? name : `${name}: ${refused}`}</span>
      {kind === 'empty' && <PlusIcon size={14} />}
      {newRow?.is === 'sending' && <Spinner size={13} />}
      {refused !== null && <WarningIcon size={14} />}
      {kind === 'record' && (
        <>
          <span className={classes.number} aria-hidden>
            {number.toLocaleString('en')}
          </span>
          <span className={classes.box} data-checked={selected || undefined}>
            {selected && <CheckIcon size={11} />}
          </span>
        </>
      )}
      {kind === 'new' && newRow?.is !== 'sending' && (
        <button
          type="button"
          tabIndex={-1}
          className={classes.discard}
          aria-label="Discard the new dataset"
          title="Discard the new dataset"
          onClick={() => onDiscard(rowKey)}
        >
          <CloseIcon size={13} />
        </button>
      )}
    </div>
  );
}
