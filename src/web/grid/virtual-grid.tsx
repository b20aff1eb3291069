import {
  type ComponentProps,
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
} from 'react';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import type { ListField } from '../list-tools/list-field.ts';
import { useMedia } from '../ui/use-media.ts';
import type { ColumnMenuEntry } from './column-menu.tsx';
import classes from './grid.module.css';
import type { GridFocus } from './grid-focus.ts';
import { GridHeader } from './grid-header.tsx';
import { useColumnWidths } from './use-column-widths.ts';
import { useGridTable } from './use-grid-table.ts';
import { useHeadings } from './use-headings.ts';
import { sumOf, useScrollToFocus } from './use-scroll-to-focus.ts';
import { useVisibleColumns, type VisibleColumns } from './use-visible-columns.ts';
import { useVisibleRows } from './use-visible-rows.ts';

/** The interface of a grid for the components around it. */
export interface GridHandle {
  /** scrolls a row into view, no further than needed */
  readonly scrollTo: (row: number) => void;
  readonly scrollToMiddle: (row: number) => void;
  readonly scrollToTop: () => void;
}

/** A row to draw. */
interface RenderedRow {
  /** its position in the list, from 0 */
  readonly index: number;
  /** pixels from the top of the rows */
  readonly top: number;
}

/** The columns to draw. */
interface RenderedColumns extends VisibleColumns {
  /** the id of a row begins with it */
  readonly id: string;
  /** pixels of the columns that are shown, in their order */
  readonly sizes: readonly number[];
}

/** What a list adds to the element of its grid, such as keys, clipboard and pointer. */
type ElementProps = Omit<
  ComponentProps<'div'>,
  'ref' | 'role' | 'tabIndex' | 'id' | 'style' | 'className'
> &
  DataAttributes;

interface DataAttributes {
  readonly 'data-outdated'?: boolean | undefined;
  readonly 'data-selecting'?: boolean | undefined;
}

interface VirtualGridProps<Field extends ListField> {
  /** keys, clicks, clipboard and labels of the grid's element */
  readonly element: ElementProps;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly handle: Ref<GridHandle>;
  /** the columns that are shown, in their order */
  readonly shown: readonly Field[];
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
  readonly rowCount: number;
  readonly renderRow: (row: RenderedRow, columns: RenderedColumns) => ReactNode;
  /** gets the first and last row in view */
  readonly onVisible: (first: number, last: number) => void;
  readonly focus: GridFocus;
  /** what has the focus: a cell itself; for rows the grid, which refers to the row by its id */
  readonly focusBy: 'cell' | 'row';
  /** pixels */
  readonly rowHeight: number;
  /** pixels */
  readonly headHeight: number;
  /** width in pixels of the cells at the left edge that number or select the rows */
  readonly rowHeaderWidth: number;
  /** lines of each row */
  readonly lines?: number;
  readonly corner: ReactNode;
  readonly marksRequired?: boolean;
  /** the entries that this list adds to the menus of its headings */
  readonly menuEntries: (field: Field) => readonly ColumnMenuEntry[];
  readonly onFilter: (field: Field) => void;
  /** the texts of a column in the loaded rows, for its width */
  readonly textsOf: (field: Field) => readonly string[];
  readonly children?: ReactNode;
}

/**
 * The virtual grid of every list: headings, and the rows and columns in view. The list adds its rows, its cells, and
 * the actions of its keys and clicks.
 */
export function VirtualGrid<Field extends ListField>(props: VirtualGridProps<Field>) {
  const { scroller, handle, shown, view, onViewChange, rowCount, renderRow } = props;
  const { onVisible, focus: state, focusBy } = props;
  const { rowHeight, headHeight, rowHeaderWidth, lines = 1, corner, marksRequired = false } = props;
  const { menuEntries, onFilter, textsOf, children, element } = props;
  const { focus, active } = state;
  const id = useId();

  const visible = useVisibleRows({
    scroller,
    count: rowCount,
    rowHeight,
    headHeight,
    focused: focus.row,
    onVisible,
  });
  const table = useGridTable({
    shown,
    view,
    isNarrow: useMedia('(width < 720px)'),
    onViewChange,
  });
  const frozen = table.state.columnPinning.start.length;
  const sizes = useColumnWidths(table);
  const columns = useVisibleColumns({
    scroller,
    headerWidth: rowHeaderWidth,
    sizes,
    frozen,
    focused: focusBy === 'row' && focus.row >= 0 ? 0 : focus.col,
    rendersAll: focusBy === 'row',
  });
  useImperativeHandle(handle, () => visible);

  useScrollToFocus({
    scroller,
    focus: state,
    isOfCells: focusBy === 'cell',
    scrollToRow: (row) => visible.scrollTo(row),
    headerWidth: rowHeaderWidth,
    sizes,
    frozen,
  });
  const headings = useHeadings({ table, shown, menuEntries, onFilter, textsOf, scroller });
  const heading = focus.row === -1 ? shown[focus.col - 1] : undefined;

  const widths = [rowHeaderWidth, ...sizes];
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--columns': widths.map((px) => `${px}px`).join(' '),
    '--width': `${sumOf(widths)}px`,
    '--head-height': `${headHeight}px`,
    '--row-height': `${rowHeight}px`,
    '--lines': String(lines),
  };
  const isInView = visible.rows.some(({ index }) => index === focus.row);
  return (
    <div
      {...element}
      ref={scroller}
      role="grid"
      tabIndex={focusBy === 'row' ? 0 : -1}
      aria-colcount={shown.length + 1}
      aria-multiselectable
      aria-activedescendant={
        focusBy === 'cell'
          ? undefined
          : heading
            ? `${id}-heading-${focus.col}`
            : isInView
              ? `${id}-${focus.row}`
              : undefined
      }
      className={classes.grid}
      style={style}
      onKeyDown={(event) => {
        if (!headings.onKeyDown(event, heading)) element.onKeyDown?.(event);
      }}
    >
      <GridHeader
        id={id}
        headers={table.getLeafHeaders()}
        shown={shown}
        renderedColumns={columns.renderedColumns}
        pinnedOffsets={columns.pinnedOffsets}
        sorting={table.state.sorting}
        resizing={table.state.columnResizing.isResizingColumn}
        focusCol={heading ? focus.col : null}
        isActive={active}
        takesFocus={focusBy === 'cell'}
        marksRequired={marksRequired}
        corner={corner}
        {...headings.headProps}
      />
      <div
        role="rowgroup"
        className={classes.rows}
        data-lines={lines > 1 || undefined}
        style={{ height: visible.height }}
      >
        {visible.rows.map((row) => renderRow(row, { ...columns, id, sizes }))}
      </div>
      {children}
    </div>
  );
}
