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
import type { ColourRule, ViewChange } from '#web/api/list-view.ts';
import type { ColumnMenuEntry } from '#web/grid/column-menu.tsx';
import { encodeRowSelection, isSingle } from '#web/grid/rects.ts';
import { selectedBlocks } from '#web/grid/grid-focus.ts';
import { ROW_HEIGHT, rowHeightFor } from '#web/grid/grid-attributes.ts';
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
import { usePointer } from './ranges/use-pointer.ts';
import { DatasetRow } from './rows/dataset-row.tsx';
import { willMove } from './rows/will-move.ts';
import type { GridCommands } from './use-grid-commands.ts';
import type { GridModel } from './use-grid-model.ts';
import * as texts from '#messages/tables.ts';

/** Few views colour cells. */
const colourModule = lazyModule(() => import('./columns/cell-colour.ts'));
const NO_COLOURS: readonly ColourRule[] = [];

interface DatasetGridProps {
  readonly model: GridModel;
  readonly commands: GridCommands;
  readonly onViewChange: (change: ViewChange) => void;
  /** the findings in the rows */
  readonly findings: GridFindings;
  /** recent changes by other users, by jrid */
  readonly remoteChanges: ReadonlyMap<string, RemoteChange>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly handle: Ref<GridHandle>;
  readonly onFilter: (column: TableField) => void;
  /** the menu entries of headings that only tables have */
  readonly menuEntries: (column: TableField) => readonly ColumnMenuEntry[];
  /** shown instead of rows if there are none */
  readonly children?: ReactNode;
}

/** The grid of a table: the actions of its cells, keys, clipboard and pointer. */
export function DatasetGrid(props: DatasetGridProps) {
  const { model, commands, scroller, remoteChanges } = props;
  const { table, columns, view, grid, rows, selection, viewport, canWrite, canDelete } = model;
  const { keys, actions } = commands;
  const { state } = grid;
  const { focus, active, editing } = state;
  const hintId = useId();
  const lines = view.lines ?? 1;

  const { fillRange, ...events } = useCellEvents(model, commands.actions, scroller);
  const { colours = NO_COLOURS } = view;
  const [colourRules] = useLazyModule(colourModule, colours.length > 0);
  const colourFunctions = useMemo(
    () => columns.map((column) => colourRules?.createColourFunction(column, colours) ?? null),
    [colourRules, columns, colours],
  );
  const blocks = selectedBlocks(state);
  const last = blocks.at(-1);
  const hasBlock = !isSingle(blocks);
  const hasSelectedRows = selection.ids.length > 0;
  const isSelected = (jrid: string) => selection.state[jrid] === true;

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
        ...events,
        onKeyDown: keys.onKeyDown,
        onCopy: keys.onCopy,
        onPaste: keys.onPaste,
      }}
      scroller={scroller}
      handle={props.handle}
      shown={columns}
      view={view}
      onViewChange={props.onViewChange}
      rowCount={rows.count ?? 0}
      onVisible={(first, last) => viewport.onVisible(first, last, rows.total)}
      focus={state}
      focusBy="cell"
      rowHeight={rowHeightFor(lines)}
      headHeight={ROW_HEIGHT}
      rowHeaderWidth={rowHeaderWidth(rows.count ?? 0)}
      lines={lines}
      corner={CORNER}
      marksRequired
      menuEntries={props.menuEntries}
      onFilter={props.onFilter}
      textsOf={(column) => columnTexts(rows, column, viewport.inView.current)}
      renderRow={({ index, top }, { renderedColumns, pinnedOffsets }) => {
        const row = rows.at(index);
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
            selected={canDelete ? row?.kind === 'record' && isSelected(row.key) : undefined}
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

/** The events of the pointer and of the focus in the grid. */
function useCellEvents(
  model: GridModel,
  actions: GridActions,
  scroller: RefObject<HTMLElement | null>,
) {
  const { grid, selection, canDelete } = model;
  const { focus, active, editing } = grid.state;
  const { positionOf, onMouseDown, fillRange } = usePointer({ ...model, scroller });
  // A press on a heading sorts or drags it; the focus stays in its cell.
  const pressed = useRef(false);
  const isPart = (element: Element) =>
    scroller.current?.contains(element) || element.closest('[data-grid-part]');
  return {
    /** the cells that a dragged fill handle covers; null: none */
    fillRange,
    onMouseDown: (event: MouseEvent) => {
      pressed.current = true;
      onMouseDown(event);
    },
    onClick: (event: MouseEvent) => {
      const position = positionOf(event.target);
      if (pressed.current && position && position.row < 0) actions.refocus();
      pressed.current = false;
      if (position?.col === 0 && position.row >= 0 && canDelete) {
        selection.select(position.row, event.shiftKey ? 'range' : 'toggle');
      }
    },
    onDoubleClick: (event: MouseEvent) => {
      const position = positionOf(event.target);
      if (position && position.row >= 0 && position.col > 0 && !editing) grid.beginEdit('changing');
    },
    onFocus: (event: FocusEvent) => {
      const position = positionOf(event.target);
      if (!position || (position.row < 0 && pressed.current)) return;
      const isFocused = position.row === focus.row && position.col === focus.col;
      if (!active || !isFocused) grid.focusOn(position);
    },
    onBlur: ({ relatedTarget: to }: FocusEvent) => {
      if ((to instanceof Element && isPart(to)) || !document.hasFocus()) return;
      // A cell that is rendered again loses the focus for a moment and takes it again.
      setTimeout(() => {
        const now = document.activeElement;
        if (!now || !isPart(now)) grid.dispatch({ do: 'inactive' });
      });
    },
  };
}
