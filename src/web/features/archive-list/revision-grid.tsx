import { type ColumnSizingState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { isFocusAtPageStart } from '#web/ui/page.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { useWidths, rememberWidths, startWidth } from '#web/grid/column-widths.ts';
import { GridHeader, SelectAll } from './grid-header.tsx';
import { GridRow, type SizedField } from './revision-row.tsx';
import type { ListField } from '#web/list-tools/list-field.ts';
import classes from './revision-grid.module.css';
import { columnsOf, features, type Row, WIDTHS } from './revision-table.ts';
import { useColumnActs } from '#web/grid/use-column-acts.ts';
import { cellText, valueIn } from './list-columns.ts';
import { isSelected, type Selection } from './revision-selection.ts';
import { useRowHeight } from './use-row-height.ts';
import type { RevisionRows } from './use-revision-rows.ts';
import { useGridMoves } from './use-grid-moves.ts';
import { useHeadingKeys } from './use-heading-keys.ts';
import type { SelectionActions } from './use-selection.ts';

/** What the page can ask of the list. */
export interface GridHandle {
  readonly focus: () => void;
}

interface RevisionGridProps {
  readonly archive: ArchiveDetail;
  readonly rows: RevisionRows;
  readonly fields: readonly ListField[];
  readonly openId: string | undefined;
  /** opens a revision's form; `enter`: the cursor is to go into it */
  readonly onOpen: (revisionId: string, enter: boolean) => void;
  readonly onClose: () => void;
  /** the sort asked for; the rows may still stand in the one before */
  readonly sort: readonly string[];
  readonly onSort: (name: string, adding: boolean) => void;
  /** a heading's menu replaces the sort */
  readonly onSortBy: (sort: readonly string[]) => void;
  readonly onColumns: (fields: readonly ListField[]) => void;
  /** a heading's menu requests a condition */
  readonly onFilter: (field: ListField) => void;
  readonly unsaved: ReadonlySet<string>;
  readonly selection: Selection;
  readonly actions: SelectionActions;
  readonly ref?: Ref<GridHandle> | undefined;
}

const NO_ROWS: Row[] = [];
const GUTTER = 44;
/** While the scroll bar is dragged, pages that fly past are not read. */
const READ_AFTER = 90;

/** The virtual list of revisions: one tab stop, rows by arrow keys. */
export function RevisionGrid(props: RevisionGridProps) {
  const { archive, rows, fields, openId, onOpen, sort, onSort, unsaved } = props;
  const { selection, actions } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(0);
  const widths = useWidths(archive.table);
  const sizing = useMemo<ColumnSizingState>(() => ({ ...widths }), [widths]);

  const rowHeight = useRowHeight();
  // The rule is about React's compiler, which is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // The heading stands in the same pane and stays over the rows. Another margin also sizes the rows again.
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
    overscan: 16,
    // React would have to render while it commits; the rows beyond the screen bridge the moment.
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const columns = useMemo(() => columnsOf(fields), [fields]);
  const table = useTable({
    features,
    columns,
    // The rows are virtual and come page by page; the table keeps columns and their widths.
    data: NO_ROWS,
    columnResizeMode: 'onChange',
    state: { columnSizing: sizing },
    onColumnSizingChange: (update) => {
      const next = typeof update === 'function' ? update(sizing) : update;
      rememberWidths(archive.table, next);
    },
  });
  const sized = useMemo(
    () =>
      fields.map((field): SizedField => ({
        field,
        width: sizing[field.name] ?? startWidth(field),
      })),
    [fields, sizing],
  );
  const width = GUTTER + sized.reduce((sum, column) => sum + column.width, 0);

  const read = useEffectEvent(() => rows.look(first, last));
  const near = rows.at(first) !== undefined || rows.at(last) !== undefined;
  useEffect(() => {
    const timer = setTimeout(read, near ? 0 : READ_AFTER);
    return () => clearTimeout(timer);
  }, [first, last, near, rows.count]);

  useImperativeHandle(props.ref, () => ({ focus: () => scroller.current?.focus() }));

  const locating = useRef(0);
  const showFirst = useEffectEvent(() => {
    // A place that was requested in the previous order is not valid in this one.
    locating.current += 1;
    virtual.scrollToOffset(0);
    setCursor(0);
  });
  const showOpen = useEffectEvent(async (revisionId: string, align: 'center' | 'auto') => {
    const request = ++locating.current;
    if (rows.status !== 'ready') return;
    const index = await rows.locate(revisionId).catch(() => -1);
    if (index < 0 || request !== locating.current) return;
    setCursor(index);
    virtual.scrollToIndex(index, { align });
  });
  const previous = useRef<{ filter: unknown; openId: string | undefined } | null>(null);
  useEffect(() => {
    const before = previous.current;
    previous.current = { filter: rows.filter, openId };
    const isOtherList = before?.filter !== rows.filter;
    if (isOtherList) showFirst();
    // Another sort or filter begins at its first row; a link or a view with a revision shows that revision.
    const keepsFirst = before !== null && isOtherList && before.openId === openId;
    if (openId !== undefined && !keepsFirst) void showOpen(openId, isOtherList ? 'center' : 'auto');
  }, [openId, rows.filter, rows.status]);

  const selecting = selection.kind === 'all' || selection.ids.size > 0;
  const { onKeyDown, onClick } = useGridMoves({
    rows,
    actions,
    openId,
    onOpen,
    onLeave: () => {
      if (selecting) actions.clear();
      else if (openId !== undefined) props.onClose();
    },
    cursor,
    onCursor: setCursor,
    scroller,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  });

  const headings = useHeadingKeys({
    fields,
    isAtFirstRow: cursor === 0,
    onSort,
    scroller,
  });

  // After the page was opened, an arrow key enters the list.
  const enter = () => {
    if (!isFocusAtPageStart()) return false;
    scroller.current?.focus();
    return undefined;
  };
  useShortcut('ArrowDown', enter);
  useShortcut('ArrowUp', enter);

  const { acts } = useColumnActs({
    list: archive.table,
    columns: fields,
    limits: WIDTHS,
    scroller,
    textsOf: (field) =>
      items.flatMap(({ index }) => {
        const entry = rows.at(index);
        return entry ? [cellText(field, valueIn(entry, field))] : [];
      }),
    onColumns: props.onColumns,
    onSort: props.onSortBy,
    onFilter: props.onFilter,
  });
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={`Revisions of ${archive.name}`}
      aria-rowcount={rows.exact ? rows.count + 1 : -1}
      aria-colcount={fields.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={
        headings.at !== null
          ? `${id}-heading-${headings.at}`
          : cursor >= first && cursor <= last
            ? `${id}-${cursor}`
            : undefined
      }
      aria-busy={rows.waiting}
      className={classes.grid}
      data-waiting={rows.waiting || undefined}
      data-selecting={selecting || undefined}
      onKeyDown={(event) => {
        if (!headings.onKeyDown(event)) onKeyDown(event);
      }}
      onClick={(event) => {
        headings.leave();
        onClick(event);
      }}
      onMouseDown={(event) => {
        // Shift+click extends the selection of rows, not that of the page's text.
        if (event.shiftKey) event.preventDefault();
        if (event.shiftKey) scroller.current?.focus();
      }}
    >
      <div role="row" aria-rowindex={1} className={classes.head} style={{ width }}>
        <div role="columnheader" aria-colindex={1} className={classes.corner}>
          <SelectAll
            selected={
              selection.kind === 'all' || (rows.count > 0 && selection.ids.size === rows.count)
            }
            some={selecting}
            actions={actions}
          />
        </div>
        {headers.map((header, place) => {
          const field = fields[place];
          return field ? (
            <GridHeader
              key={header.id}
              id={`${id}-heading-${place}`}
              isFocused={place === headings.at}
              isMenuOpen={headings.menu === field.name}
              onMenuOpen={(isOpen) => headings.onMenu(isOpen ? field.name : null)}
              header={header}
              field={field}
              place={place + 2}
              sort={sort}
              onSort={onSort}
              acts={acts}
              of={fields.length}
            />
          ) : null;
        })}
      </div>
      <div
        role="rowgroup"
        className={classes.rows}
        style={{ height: virtual.getTotalSize(), width }}
      >
        {items.map((item) => {
          const entry = rows.at(item.index);
          return (
            <GridRow
              key={item.key}
              id={`${id}-${item.index}`}
              index={item.index}
              top={item.start - rowHeight}
              entry={entry}
              columns={sized}
              active={item.index === cursor && headings.at === null}
              open={entry !== undefined && entry.revisionId === openId}
              selected={isSelected(selection, entry?.revisionId)}
              unsaved={entry !== undefined && unsaved.has(entry.revisionId)}
            />
          );
        })}
      </div>
    </div>
  );
}
