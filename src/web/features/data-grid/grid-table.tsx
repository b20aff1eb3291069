import { useTable } from '@tanstack/react-table';
import {
  type CSSProperties,
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import type { ColumnActs } from '#web/grid/column-menu.tsx';
import { rememberWidths, startWidth, useWidths } from '#web/grid/column-widths.ts';
import type { ColourRule } from '#web/api/list-view.ts';
import { columnDefinitions, features, rowHeaderWidth } from './columns/column-definitions.ts';
import { rowHeightFor } from '#web/grid/row-height.ts';
import { colourOf } from './columns/colour-of.ts';
import classes from './data-grid.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { cellsOf, newRowOf } from './edit-store/edits.ts';
import type { GridActions } from './grid-actions.ts';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './rows/dataset-row.tsx';
import { type GridState, selectedBlocks } from './grid-state.ts';
import { isSingle, marksOfRow, type Place } from '#web/grid/rects.ts';
import type { OthersAct } from './live/others.ts';
import type { BlockActs } from './ranges/use-block-acts.ts';
import type { Grid } from './use-grid.ts';
import type { useGridKeys } from './use-grid-keys.ts';
import type { Row, Rows } from './rows/use-rows.ts';
import type { RowSelection } from './use-row-selection.ts';
import { useVisibleColumns } from '#web/grid/use-visible-columns.ts';
import { willMove } from './rows/will-move.ts';
import { usePointer } from './view/use-pointer.ts';
import { useVisibleRows } from '#web/grid/use-visible-rows.ts';

// The table library keeps columns and widths; the rows come from the sparse pages, window by window.
const NO_ROWS: Row[] = [];

interface GridTableProps {
  readonly table: TableDetail;
  readonly columns: readonly Column[];
  readonly sort: readonly string[];
  readonly grid: Grid;
  readonly rows: Rows;
  readonly selection: RowSelection;
  readonly keys: ReturnType<typeof useGridKeys>;
  readonly actions: GridActions;
  readonly acts: BlockActs;
  /** how many columns stay at the left */
  readonly frozen: number;
  /** lines of each row */
  readonly lines: number;
  readonly colours: readonly ColourRule[];
  /** what somebody else has just done, by jrid */
  readonly others: ReadonlyMap<string, OthersAct>;
  readonly columnActs: ColumnActs<Column>;
  /** puts a column into the place of another one, counted from 0 */
  readonly onPut: (column: Column, at: number) => void;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly canWrite: boolean;
  readonly canSelect: boolean;
  readonly onSort: (column: Column, adding: boolean) => void;
  /** the first and last row in sight */
  readonly onSight: (first: number, last: number) => void;
  /** gets what brings a row to the middle of the window */
  readonly goTo: Ref<(row: number) => void>;
  /** stands in the place of the rows where there are none */
  readonly children?: ReactNode;
}

/** The grid itself: headings, and of the rows those in sight. */
export function GridTable(props: GridTableProps) {
  const { table, columns, sort, grid, rows, selection, keys, actions, acts, scroller } = props;
  const { canWrite, canSelect, frozen, lines, colours, columnActs, onPut } = props;
  const { onSort, onSight, goTo, others } = props;
  const { state, dispatch, extent } = grid;
  const { focus, active, editing } = state;
  const hintId = useId();

  const widths = useWidths(table.guid);
  const definitions = useMemo(() => columnDefinitions(columns), [columns]);
  const model = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    state: { columnSizing: widths },
    onColumnSizingChange: (next) =>
      rememberWidths(table.guid, typeof next === 'function' ? next({ ...widths }) : next),
    columnResizeMode: 'onChange',
  });
  const headers = model.getHeaderGroups()[0]?.headers ?? [];
  const sizes = useMemo(
    () => columns.map((column) => widths[column.name] ?? startWidth(column)),
    [columns, widths],
  );

  const headerWidth = rowHeaderWidth(rows.count ?? 0);
  const widthsShown = [headerWidth, ...sizes];
  const style: CSSProperties & Record<'--columns' | '--width', string> = {
    '--columns': widthsShown.map((px) => `${px}px`).join(' '),
    '--width': `${widthsShown.reduce((sum, px) => sum + px)}px`,
  };

  const inSight = useVisibleRows({
    scroller,
    count: rows.count ?? 0,
    rowHeight: rowHeightFor(lines),
    focused: focus.row,
    onSight,
  });
  const { drawn, lefts } = useVisibleColumns({
    scroller,
    headerWidth,
    sizes,
    frozen,
    focused: focus.col,
  });
  useImperativeHandle(goTo, () => (row: number) => inSight.scrollToMiddle(row));

  const scrollTo = ({ row, col }: GridState['shown']) => {
    if (row !== null && row >= 0) inSight.scrollTo(row);
    const box = scroller.current;
    if (!box || col === null || col <= frozen) return;
    const left = sizes.slice(0, col - 1).reduce((sum, size) => sum + size, 0);
    const right = left + (sizes[col - 1] ?? 0) + headerWidth;
    const kept = sizes.slice(0, frozen).reduce((sum, size) => sum + size, 0);
    if (left - kept < box.scrollLeft) box.scrollTo({ left: left - kept });
    else if (right > box.scrollLeft + box.clientWidth) {
      box.scrollTo({ left: right - box.clientWidth });
    }
  };
  const shown = useRef(state.shown);
  useEffect(() => {
    if (!active || shown.current === state.shown) return;
    shown.current = state.shown;
    scrollTo(state.shown);
  });

  const { placeOf, onMouseDown, pulled } = usePointer({ grid, acts, scroller, canWrite });
  const isHere = (place: Place) => place.row === focus.row && place.col === focus.col;
  const onFocus = (event: FocusEvent) => {
    const place = placeOf(event.target);
    if (place && place.row < 0 && pressed.current) return;
    if (place && (!active || !isHere(place))) dispatch({ do: 'focus', place, extent: extent() });
  };
  const onBlur = (event: FocusEvent) => {
    const to = event.relatedTarget;
    const inside =
      to instanceof Element && (scroller.current?.contains(to) || to.closest('[data-grid-part]'));
    if (inside || !document.hasFocus()) return;
    // A cell that is drawn anew loses the keyboard for a moment and takes it back.
    setTimeout(() => {
      const now = document.activeElement;
      if (now && (scroller.current?.contains(now) || now.closest('[data-grid-part]'))) return;
      dispatch({ do: 'inactive' });
    });
  };
  // A press on a heading sorts or drags it; the keyboard stays in its cell.
  const pressed = useRef(false);
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target);
    if (pressed.current && place && place.row < 0) actions.refocus();
    pressed.current = false;
    if (place?.col === 0 && place.row >= 0 && canSelect) {
      selectionClick(place.row, event.shiftKey);
    }
  };
  const selectionClick = (row: number, range: boolean) =>
    selection.select(row, range ? 'range' : 'toggle');

  const rowsStyle: CSSProperties & Record<'--row-height' | '--lines', string> = {
    height: inSight.height,
    '--row-height': `${rowHeightFor(lines)}px`,
    '--lines': String(lines),
  };
  const colourings = useMemo(
    () => columns.map((column) => colourOf(column, colours)),
    [columns, colours],
  );
  const blocks = selectedBlocks(state);
  const last = blocks.at(-1);
  const several = !isSingle(blocks);

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={table.label}
      aria-describedby={hintId}
      aria-rowcount={rows.count === null ? -1 : rows.count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-readonly={!canWrite}
      aria-busy={rows.outdated || rows.count === null}
      tabIndex={-1}
      className={classes.grid}
      data-outdated={rows.outdated || undefined}
      data-selecting={selection.selected.size > 0 || undefined}
      style={style}
      onMouseDown={(event) => {
        pressed.current = true;
        onMouseDown(event);
      }}
      onClick={onClick}
      onDoubleClick={(event) => {
        const place = placeOf(event.target);
        if (place && place.row >= 0 && place.col > 0 && !editing) grid.beginEdit('changing');
      }}
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={keys.onKeyDown}
      onCopy={keys.onCopy}
      onPaste={keys.onPaste}
    >
      <VisuallyHidden id={hintId}>
        Tab goes to the next cell; Escape, then Tab leaves the grid.
        {canWrite && ' Type or press Enter to edit a cell.'}
      </VisuallyHidden>
      <GridHead
        columns={columns}
        headers={headers}
        drawn={drawn}
        lefts={lefts}
        sort={sort}
        frozen={frozen}
        focusCol={focus.row === -1 ? focus.col : null}
        active={active}
        acts={columnActs}
        onSort={onSort}
        onPut={onPut}
      />
      <div
        className={classes.rows}
        role="rowgroup"
        data-lines={lines > 1 || undefined}
        style={rowsStyle}
      >
        {inSight.rows.map(({ index, top }) => {
          const row = rows.at(index);
          const here = focus.row === index;
          return (
            <GridRow
              key={index}
              guid={table.guid}
              index={index}
              top={top}
              rowKey={row?.key ?? ''}
              kind={row === undefined ? 'coming' : (row?.kind ?? 'gone')}
              stored={row?.stored ?? null}
              newRow={row?.kind === 'new' ? newRowOf(rows.edits, row.key) : undefined}
              cells={cellsOf(rows.edits, row?.key ?? '')}
              others={row ? others.get(row.key) : undefined}
              columns={columns}
              drawn={drawn}
              colourings={colourings}
              lefts={lefts}
              moves={
                row?.kind === 'record' &&
                willMove(row, cellsOf(rows.edits, row.key), rows.reading.view, table.columns)
              }
              marks={several ? marksOfRow(blocks, index) : null}
              pulled={pulled && marksOfRow([pulled], index)}
              handleCol={
                canWrite && !editing && active && last?.bottom === index ? last.right : null
              }
              focusCol={here ? focus.col : null}
              active={here && active}
              editing={here ? editing : null}
              selected={
                canSelect ? row?.kind === 'record' && selection.selected.has(row.key) : undefined
              }
              choosing={selection.selected.size > 0}
              lines={lines}
              actions={actions}
            />
          );
        })}
      </div>
      {props.children}
    </div>
  );
}
