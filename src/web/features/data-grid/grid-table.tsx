import { useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { TableDetail } from '#shared/answers.ts';
import type { Column } from '#shared/definitions.ts';
import { rememberedWidths, rememberWidths } from '#web/ui/list-tools/column-widths.ts';
import { columnDefinitions, features, ROW_HEADER_WIDTH, ROW_HEIGHT } from './columns.ts';
import classes from './data-grid.module.css';
import { cellsOf } from './edits.ts';
import type { GridActions } from './grid-actions.ts';
import { GridHeader } from './grid-header.tsx';
import { GridRow } from './grid-row.tsx';
import type { Place } from './grid-state.ts';
import type { Grid } from './use-grid.ts';
import type { useGridKeys } from './use-grid-keys.ts';
import type { Row, Rows } from './use-rows.ts';
import type { RowSelection } from './use-row-selection.ts';

/** Rows drawn beyond those in sight, so that scrolling finds them there. */
const OVERSCAN = 10;
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
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly canWrite: boolean;
  readonly canSelect: boolean;
  readonly onSort: (column: Column, adding: boolean) => void;
  /** the first and last row in sight */
  readonly onSight: (first: number, last: number) => void;
  /** stands in the place of the rows where there are none */
  readonly children?: ReactNode;
}

/** The grid itself: headings, and of the rows those in sight. */
export function GridTable(props: GridTableProps) {
  const { table, columns, sort, grid, rows, selection, keys, actions, scroller } = props;
  const { canWrite, canSelect, onSort, onSight } = props;
  const { state, dispatch, extent } = grid;
  const { focus, active, editing } = state;
  const hintId = useId();

  const [widths, setWidths] = useState(() => ({ ...rememberedWidths(table.guid) }));
  useEffect(() => rememberWidths(table.guid, widths), [table.guid, widths]);
  const definitions = useMemo(() => columnDefinitions(columns), [columns]);
  const model = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    state: { columnSizing: widths },
    onColumnSizingChange: setWidths,
    columnResizeMode: 'onChange',
  });
  const headers = model.getHeaderGroups()[0]?.headers ?? [];
  const sizes = headers.map((header) => header.getSize());

  const style: CSSProperties & Record<'--columns', string> = {
    '--columns': [ROW_HEADER_WIDTH, ...sizes].map((px) => `${px}px`).join(' '),
  };

  const focusedRow = focus.row;
  const rangeExtractor = useCallback(
    (range: Range) => {
      const inSight = defaultRangeExtractor(range);
      // The focused row stays, wherever one scrolls: it holds the keyboard and what is being typed.
      if (focusedRow < 0 || focusedRow >= range.count || inSight.includes(focusedRow))
        return inSight;
      return [...inSight, focusedRow].sort((a, b) => a - b);
    },
    [focusedRow],
  );
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised takes its functions
  const virtual = useVirtualizer({
    count: rows.count ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: ROW_HEIGHT,
    scrollPaddingStart: ROW_HEIGHT,
    rangeExtractor,
    // Moving the keyboard scrolls from within an effect, where nothing can be flushed at once.
    useFlushSync: false,
    onChange: ({ range }) => range && onSight(range.startIndex, range.endIndex),
  });

  const scrollTo = ({ row, col }: Place) => {
    if (row >= 0) virtual.scrollToIndex(row, { align: 'auto' });
    const box = scroller.current;
    if (!box || col < 1) return;
    const left = sizes.slice(0, col - 1).reduce((sum, size) => sum + size, 0);
    const right = left + (sizes[col - 1] ?? 0) + ROW_HEADER_WIDTH;
    if (left < box.scrollLeft) box.scrollLeft = left;
    else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
  };
  const shown = useRef(focus);
  useEffect(() => {
    if (shown.current === focus || !active) return;
    shown.current = focus;
    scrollTo(focus);
  });

  const placeOf = (target: EventTarget): Place | null => {
    if (!(target instanceof Element)) return null;
    const cell = target.closest<HTMLElement>('[data-col]');
    if (!cell || !scroller.current?.contains(cell)) return null;
    const row = cell.closest<HTMLElement>('[data-row]')?.dataset['row'];
    return { row: row === undefined ? -1 : Number(row), col: Number(cell.dataset['col']) };
  };
  const isHere = (place: Place) => place.row === focus.row && place.col === focus.col;
  const onMouseDown = (event: MouseEvent) => {
    const place = placeOf(event.target);
    if (!place || event.button !== 0 || (editing && isHere(place))) return;
    if (place.row >= 0) dispatch({ do: 'focus', place, extent: extent() });
  };
  const onFocus = (event: FocusEvent) => {
    const place = placeOf(event.target);
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
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target);
    if (place?.col === 0 && place.row >= 0 && canSelect) {
      selectionClick(place.row, event.shiftKey);
    }
  };
  const selectionClick = (row: number, range: boolean) =>
    selection.select(row, range ? 'range' : 'toggle');

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={table.label}
      aria-describedby={hintId}
      aria-rowcount={rows.count === null ? -1 : rows.count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable={canSelect}
      aria-readonly={!canWrite}
      aria-busy={rows.outdated || rows.count === null}
      tabIndex={-1}
      className={classes.grid}
      data-outdated={rows.outdated || undefined}
      data-selecting={selection.selected.size > 0 || undefined}
      style={style}
      onMouseDown={onMouseDown}
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
      <span id={hintId} className={classes.hidden}>
        Tab goes to the next cell; Escape, then Tab leaves the grid.
        {canWrite && ' Type or press Enter to edit a cell.'}
      </span>
      <div role="row" aria-rowindex={1} className={classes.head}>
        <div
          role="columnheader"
          aria-colindex={1}
          className={classes.corner}
          data-col={0}
          tabIndex={-1}
        >
          <span className={classes.hidden}>Row</span>
        </div>
        {headers.map((header, i) => {
          const column = columns[i];
          return (
            column && (
              <GridHeader
                key={column.name}
                header={header}
                column={column}
                col={i + 1}
                sort={sort}
                focused={focus.row === -1 && focus.col === i + 1}
                active={active}
                onSort={onSort}
              />
            )
          );
        })}
      </div>
      <div className={classes.rows} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows.at(index);
          const here = focus.row === index;
          return (
            <GridRow
              key={index}
              guid={table.guid}
              index={index}
              top={start - ROW_HEIGHT}
              rowKey={row?.key ?? ''}
              kind={row === undefined ? 'coming' : (row?.kind ?? 'gone')}
              stored={row?.stored ?? null}
              newRow={
                row?.kind === 'new'
                  ? rows.edits.newRows.find(({ key }) => key === row.key)
                  : undefined
              }
              cells={cellsOf(rows.edits, row?.key ?? '')}
              columns={columns}
              focusCol={here ? focus.col : null}
              active={here && active}
              editing={here ? editing : null}
              selected={
                canSelect ? row?.kind === 'record' && selection.selected.has(row.key) : undefined
              }
              actions={actions}
            />
          );
        })}
      </div>
      {props.children}
    </div>
  );
}
