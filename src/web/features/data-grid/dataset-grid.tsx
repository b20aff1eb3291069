import {
  type FocusEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useMemo,
  useRef,
} from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import type { ColourRule, ListView, ViewChange } from '#web/api/list-view.ts';
import type { ColumnMenuEntry } from '#web/grid/column-menu.tsx';
import { isSingle, encodeRowSelection, type CellPosition } from '#web/grid/rects.ts';
import { selectedBlocks } from '#web/grid/grid-focus.ts';
import { GRID_LAYER, ROW_HEIGHT, rowHeightFor } from '#web/grid/grid-parts.ts';
import type { WindowRow } from '#web/grid/use-grid-table.ts';
import { type GridHandle, VirtualGrid } from '#web/grid/virtual-grid.tsx';
import { useLazyModule } from '#web/ui/lazy-component.tsx';
import { lazyModule } from '#web/ui/lazy-module.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { columnTexts } from './rows/column-texts.ts';
import { rowHeaderWidth } from './columns/row-header-width.ts';
import type { TableField } from './columns/table-fields.ts';
import { cellsOf, newRowOf } from './edit-store/edits.ts';
import type { GridFindings } from './findings/use-grid-findings.ts';
import type { GridActions } from './grid-actions.ts';
import type { RemoteChange } from './rows/remote-changes.ts';
import type { BlockActions } from './ranges/use-block-actions.ts';
import { usePointer } from './ranges/use-pointer.ts';
import { DatasetRow } from './rows/dataset-row.tsx';
import type { TableRow, TableRows } from './rows/use-rows.ts';
import { willMove } from './rows/will-move.ts';
import type { DatasetSelection } from './use-dataset-selection.ts';
import type { Grid } from './use-grid.ts';
import type { useGridKeys } from './use-grid-keys.ts';
import * as texts from '#messages/tables.ts';

/** Few views colour cells. */
const colourModule = lazyModule(() => import('./columns/colour-of.ts'));
const NO_COLOURS: readonly ColourRule[] = [];

interface DatasetGridProps {
  readonly table: TableDetail;
  /** every column of the table */
  readonly fields: readonly TableField[];
  /** the columns that are shown, in their order */
  readonly columns: readonly TableField[];
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
  readonly grid: Grid;
  readonly rows: TableRows;
  readonly selection: DatasetSelection;
  readonly keys: ReturnType<typeof useGridKeys>;
  readonly actions: GridActions;
  /** the findings in the rows */
  readonly findings: GridFindings;
  readonly blockActions: BlockActions;
  /** recent changes by other users, by jrid */
  readonly remoteChanges: ReadonlyMap<string, RemoteChange>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly handle: Ref<GridHandle>;
  readonly canWrite: boolean;
  readonly canSelect: boolean;
  readonly onFilter: (column: TableField) => void;
  /** the menu entries of headings that only tables have */
  readonly menuEntries: (column: TableField) => readonly ColumnMenuEntry[];
  /** receives the first and last row in view */
  readonly onVisible: (first: number, last: number) => void;
  /** the rows in view, for the width of a column */
  readonly viewport: RefObject<{ readonly from: number; readonly to: number }>;
  /** shown instead of rows if there are none */
  readonly children?: ReactNode;
}

/** The grid of a table: the actions of its cells, keys, clipboard and pointer. */
export function DatasetGrid(props: DatasetGridProps) {
  const { table, columns, view, grid, rows, selection, keys, actions, blockActions, scroller } =
    props;
  const { canWrite, canSelect, remoteChanges, viewport } = props;
  const { state, dispatch } = grid;
  const { focus, active, editing } = state;
  const hintId = useId();
  const lines = view.lines ?? 1;

  const { positionOf, onMouseDown, fillRange } = usePointer({
    grid,
    blockActions,
    scroller,
    canWrite,
  });
  const isFocused = (position: CellPosition) =>
    position.row === focus.row && position.col === focus.col;
  const onFocus = (event: FocusEvent) => {
    const position = positionOf(event.target);
    if (position && position.row < 0 && pressed.current) return;
    if (position && (!active || !isFocused(position))) {
      grid.focusOn(position);
    }
  };
  const onBlur = (event: FocusEvent) => {
    const to = event.relatedTarget;
    const isInside =
      to instanceof Element && (scroller.current?.contains(to) || to.closest('[data-grid-part]'));
    if (isInside || !document.hasFocus()) return;
    // A cell that is rendered again loses the focus for a moment and takes it again.
    setTimeout(() => {
      const now = document.activeElement;
      if (now && (scroller.current?.contains(now) || now.closest('[data-grid-part]'))) return;
      dispatch({ do: 'inactive' });
    });
  };
  // A press on a heading sorts or drags it; the focus stays in its cell.
  const pressed = useRef(false);
  const onClick = (event: MouseEvent) => {
    const position = positionOf(event.target);
    if (pressed.current && position && position.row < 0) actions.refocus();
    pressed.current = false;
    if (position?.col === 0 && position.row >= 0 && canSelect) {
      selection.select(position.row, event.shiftKey ? 'range' : 'toggle');
    }
  };

  const { colours = NO_COLOURS } = view;
  const [colourRules] = useLazyModule(colourModule, colours.length > 0);
  const colourFunctions = useMemo(
    () => columns.map((column) => colourRules?.colourOf(column, colours) ?? null),
    [colourRules, columns, colours],
  );
  const blocks = selectedBlocks(state);
  const last = blocks.at(-1);
  const hasBlock = !isSingle(blocks);
  const hasSelectedRows = selection.ids.length > 0;
  const rowAt = (index: number): WindowRow<TableRow | null | undefined> => {
    const item = rows.at(index);
    return { index, id: item?.key ?? `row ${index}`, item };
  };

  return (
    <VirtualGrid
      element={{
        'aria-label': table.label,
        'aria-describedby': hintId,
        'aria-rowcount': rows.count === null ? -1 : rows.count + 1,
        'aria-readonly': !canWrite,
        'aria-busy': rows.outdated || rows.count === null,
        'data-outdated': rows.outdated || undefined,
        'data-selecting': hasSelectedRows || undefined,
        onMouseDown: (event) => {
          pressed.current = true;
          onMouseDown(event);
        },
        onClick: onClick,
        onDoubleClick: (event) => {
          const position = positionOf(event.target);
          if (position && position.row >= 0 && position.col > 0 && !editing)
            grid.beginEdit('changing');
        },
        onFocus: onFocus,
        onBlur: onBlur,
        onKeyDown: keys.onKeyDown,
        onCopy: keys.onCopy,
        onPaste: keys.onPaste,
      }}
      scroller={scroller}
      handle={props.handle}
      fields={props.fields}
      shown={columns}
      view={view}
      onViewChange={props.onViewChange}
      rowCount={rows.count ?? 0}
      rowAt={rowAt}
      onVisible={props.onVisible}
      rowSelection={selection.state}
      onRowSelectionChange={selection.change}
      focus={state}
      focusBy="cell"
      rowHeight={rowHeightFor(lines)}
      headHeight={ROW_HEIGHT}
      rowHeaderWidth={rowHeaderWidth(rows.count ?? 0)}
      lines={lines}
      corner={CORNER}
      marksRequired
      menuEntries={props.menuEntries}
      menuLayer={GRID_LAYER}
      onFilter={props.onFilter}
      textsOf={(column) => columnTexts(rows, column, viewport.current)}
      renderRow={({ index, top, item: row, isSelected }, { renderedColumns, pinnedOffsets }) => {
        const isCurrent = focus.row === index;
        return (
          <DatasetRow
            key={index}
            guid={table.guid}
            index={index}
            top={top}
            rowKey={row?.key ?? ''}
            kind={row === undefined ? 'unread' : (row?.kind ?? 'gone')}
            stored={row?.stored ?? null}
            newRow={row?.kind === 'new' ? newRowOf(rows.edits, row.key) : undefined}
            cells={cellsOf(rows.edits, row?.key ?? '')}
            remoteChange={row ? remoteChanges.get(row.key) : undefined}
            columns={columns}
            findings={props.findings}
            renderedColumns={renderedColumns}
            colourFunctions={colourFunctions}
            pinnedOffsets={pinnedOffsets}
            moves={
              row?.kind === 'record' &&
              willMove(row, cellsOf(rows.edits, row.key), rows.reading.view, table.columns)
            }
            selection={hasBlock ? encodeRowSelection(blocks, index) : null}
            fillRange={fillRange && encodeRowSelection([fillRange], index)}
            handleCol={canWrite && !editing && active && last?.bottom === index ? last.right : null}
            focusCol={isCurrent ? focus.col : null}
            active={isCurrent && active}
            editing={isCurrent ? editing : null}
            selected={canSelect ? row?.kind === 'record' && isSelected : undefined}
            hasSelectedRows={hasSelectedRows}
            lines={lines}
            actions={actions}
          />
        );
      }}
    >
      <VisuallyHidden id={hintId}>
        {canWrite ? texts.writableGridHint : texts.gridHint}
      </VisuallyHidden>
      {props.children}
    </VirtualGrid>
  );
}

const CORNER = <VisuallyHidden>{texts.rowHeader}</VisuallyHidden>;
