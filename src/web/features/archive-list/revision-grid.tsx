import * as texts from '#messages/archive-list.ts';
import {
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useReducer,
  useRef,
} from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import type { ColumnMenuEntry } from '#web/grid/column-menu.tsx';
import { cleanUpEntry } from '#web/grid/column-menu-entries.tsx';
import { focusReducer, INITIAL_FOCUS } from '#web/grid/grid-focus.ts';
import { useGridEntry } from '#web/grid/use-grid-entry.ts';
import { type GridHandle, VirtualGrid } from '#web/grid/virtual-grid.tsx';
import type { ListField } from '#web/list-tools/list-field.ts';
import { cellText, listedValue } from './list-columns.ts';
import { RevisionRow } from './revision-row.tsx';
import { SelectAll } from './select-all.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useOpenRow } from './use-open-row.ts';
import type { RevisionRows } from './use-revision-rows.ts';
import type { RevisionSelection } from './use-revision-selection.ts';
import { useRowHeight } from './use-row-height.ts';
import { isFocusLost } from '#web/ui/focus-fallback.ts';
import { useLatest } from '#web/ui/use-latest.ts';

/** The interface of the list for its page. */
export interface ListHandle {
  readonly focus: () => void;
}

interface RevisionGridProps {
  readonly archive: ArchiveDetail;
  readonly rows: RevisionRows;
  /** the columns that are shown, in their order */
  readonly shown: readonly ListField[];
  /** the view of the address; the rows may still be those of the previous view */
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
  /** opens a revision's form; `enter`: the form gets the focus */
  readonly onOpen: (revisionId: string, enter: boolean) => void;
  readonly onClose: () => void;
  /** a heading's menu requests a condition */
  readonly onFilter: (field: ListField) => void;
  /** a heading's menu requests the page that shows one field of many records; absent if the user may not write */
  readonly onReview: ((field: string) => void) | undefined;
  /** shows the values of a text field */
  readonly onCleanUp: (field: ListField) => void;
  readonly unsaved: ReadonlySet<string>;
  readonly selection: RevisionSelection;
  readonly ref: Ref<ListHandle>;
}

/** Width in pixels of the cells that select a row. */
const ROW_HEADER_WIDTH = 45;
/** Delay in milliseconds, so that pages are not loaded while the scroll bar is dragged past them. */
const READ_AFTER = 90;

/** The virtual list of revisions: a single Tab stop, whose arrow keys move from row to row. */
export function RevisionGrid({ ref, ...props }: RevisionGridProps) {
  const { archive, rows, shown, view, onViewChange, onOpen, onFilter } = props;
  const { unsaved, selection } = props;
  const openId = view.selected;
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<GridHandle>(null);
  const [state, dispatch] = useReducer(focusReducer, INITIAL_FOCUS);
  const rowHeight = useRowHeight();
  const { selected } = selection;
  const isSelecting = selected.kind === 'all' || selected.ids.length > 0;

  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus() }));
  useGridEntry(() => scroller.current?.focus());
  // A page that is opened by its address gives nothing the focus.
  useEffect(() => {
    if (isFocusLost()) scroller.current?.focus();
  }, []);
  useOpenRow({ rows, openId, isOnHeading: state.focus.row < 0, dispatch, handle });
  const inView = useRowsInView(rows);
  const keys = useListKeys({
    rows,
    selection,
    openId,
    onOpen,
    onLeave: () => {
      if (isSelecting) selection.clear();
      else if (openId !== undefined) props.onClose();
    },
    state,
    dispatch,
    extent: { rows: rows.count, cols: shown.length },
    scroller,
  });
  return (
    <VirtualGrid
      element={{
        'aria-label': texts.revisionsOf(archive.name),
        'aria-rowcount': rows.exact ? rows.count + 1 : -1,
        'aria-busy': rows.waiting,
        'data-outdated': rows.waiting || undefined,
        'data-selecting': isSelecting || undefined,
        onKeyDown: keys.onKeyDown,
        onClick: keys.onClick,
        onMouseDown: (event) => {
          if (!event.shiftKey) return;
          // Shift+click extends the selection of rows, not of the page's text.
          event.preventDefault();
          scroller.current?.focus();
        },
      }}
      scroller={scroller}
      handle={handle}
      shown={shown}
      view={view}
      onViewChange={onViewChange}
      rowCount={rows.count}
      onVisible={inView.onVisible}
      focus={state}
      focusBy="row"
      rowHeight={rowHeight}
      headHeight={rowHeight}
      rowHeaderWidth={ROW_HEADER_WIDTH}
      corner={useSelectAll(selection, rows.count)}
      onFilter={onFilter}
      menuEntries={(field) => [
        ...reviewEntries(archive, field.name, props.onReview),
        ...cleanUpEntry(field, props.onCleanUp),
      ]}
      textsOf={inView.textsOf}
      renderRow={({ index, top }, { id, renderedColumns, pinnedOffsets, sizes }) => {
        const entry = rows.at(index);
        const revisionId = entry?.revisionId ?? '';
        return (
          <RevisionRow
            key={index}
            id={`${id}-${index}`}
            index={index}
            top={top}
            entry={entry}
            columns={shown}
            drawn={renderedColumns}
            lefts={pinnedOffsets}
            sizes={sizes}
            isFocused={index === state.focus.row}
            isOpen={revisionId === openId}
            isSelected={selected.kind === 'all' || selection.state[revisionId] === true}
            isUnsaved={unsaved.has(revisionId)}
          />
        );
      }}
    />
  );
}

/** This list's own menu entry for a column: to review the field, if the user may change it. */
function reviewEntries(
  { indexFieldDefinitions }: ArchiveDetail,
  name: string,
  onReview: RevisionGridProps['onReview'],
): readonly ColumnMenuEntry[] {
  const field = indexFieldDefinitions.find((one) => one.name === name);
  if (!field || field.readOnly === true || !onReview) return [];
  return [{ label: texts.reviewColumn, movesFocus: true, onSelect: () => onReview(name) }];
}

/** The checkbox above the rows that selects all or none; the same element while its state is equal. */
function useSelectAll(selection: RevisionSelection, count: number) {
  const { selected } = selection;
  const isAll = selected.kind === 'all' || (count > 0 && selected.ids.length === count);
  const isMixed = !isAll && selected.kind === 'ids' && selected.ids.length > 0;
  const selectionRef = useLatest(selection);
  return useMemo(
    () => (
      <SelectAll
        isChecked={isAll}
        isMixed={isMixed}
        onClick={() => (isAll ? selectionRef.current.clear() : selectionRef.current.all())}
      />
    ),
    [isAll, isMixed, selectionRef],
  );
}

/** Loads the rows in view; during fast scrolling only those where it stops. */
function useRowsInView(rows: RevisionRows) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const known = useRef({ first: 0, last: 0, count: 0 });
  useEffect(() => () => clearTimeout(timer.current), []);
  const read = useEffectEvent(() => rows.onVisible(known.current.first, known.current.last));
  return {
    onVisible: (first: number, last: number) => {
      const { count } = rows;
      const before = known.current;
      if (before.first === first && before.last === last && before.count === count) return;
      known.current = { first, last, count };
      clearTimeout(timer.current);
      const isNear = rows.at(first) !== undefined || rows.at(last) !== undefined;
      timer.current = setTimeout(() => read(), isNear ? 0 : READ_AFTER);
    },
    /** the texts of a column in the rows in view */
    textsOf: (field: ListField) => {
      const { first, last } = known.current;
      return Array.from({ length: last - first + 1 }, (_, i) => {
        const entry = rows.at(first + i);
        return entry ? cellText(field, listedValue(entry, field)) : '';
      });
    },
  };
}
