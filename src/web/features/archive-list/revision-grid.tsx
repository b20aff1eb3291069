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
import type { ArchiveDetail } from '#shared/answers.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { useWidths, startWidth } from '#web/ui/list-tools/column-widths.ts';
import { ROW_HEIGHT, useRowsInSight } from '#web/ui/list-tools/use-rows-in-sight.ts';
import { GridHeader, SelectAll } from './grid-header.tsx';
import { GridRow, type SizedField } from './grid-row.tsx';
import type { ListField } from '#web/ui/list-tools/list-field.ts';
import classes from './revision-grid.module.css';
import { isSelected, type Selection } from './selection.ts';
import type { RevisionRows } from './use-revision-rows.ts';
import { useGridMoves } from './use-grid-moves.ts';
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
  readonly unsaved: ReadonlySet<string>;
  readonly selection: Selection;
  readonly actions: SelectionActions;
  readonly ref?: Ref<GridHandle> | undefined;
}

const GUTTER = 44;
/** While the scroll bar is dragged, pages that fly past are not read. */
const READ_AFTER = 90;

/** The virtual list of revisions: one tab stop, rows by arrow keys. */
export function RevisionGrid(props: RevisionGridProps) {
  const { archive, rows, fields, openId, onOpen, sort, onSort, unsaved } = props;
  const { selection, actions, ref } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(0);
  const widths = useWidths(archive.table);

  const inSight = useRowsInSight({
    scroller,
    count: rows.count,
    rowHeight: ROW_HEIGHT,
    beyond: 16,
  });
  const [first, last] = [inSight.rows[0]?.index ?? 0, inSight.rows.at(-1)?.index ?? 0];
  const sized = useMemo(
    () =>
      fields.map((field): SizedField => ({
        field,
        width: widths[field.name] ?? startWidth(field),
      })),
    [fields, widths],
  );
  const width = GUTTER + sized.reduce((sum, column) => sum + column.width, 0);

  const { count } = rows;
  const read = useEffectEvent((from: number, to: number) => rows.look(from, to));
  const near = rows.at(first) !== undefined || rows.at(last) !== undefined;
  useEffect(() => {
    const timer = setTimeout(() => read(first, last), near ? 0 : READ_AFTER);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another count: another list
  }, [first, last, near, count]);

  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus() }));

  // Another filter or order starts at the top, unless the open revision is somewhere in it.
  const show = useEffectEvent(
    async (revisionId: string | undefined, anew: boolean, ready: boolean) => {
      if (anew) {
        inSight.scrollTo(0);
        setCursor(0);
      }
      if (revisionId === undefined || !ready) return;
      const index = await rows.locate(revisionId).catch(() => -1);
      if (index < 0) return;
      setCursor(index);
      if (anew) inSight.scrollToMiddle(index);
      else inSight.scrollTo(index);
    },
  );
  const filterShown = useRef<unknown>(null);
  useEffect(() => {
    const anew = filterShown.current !== rows.filter;
    filterShown.current = rows.filter;
    // oxlint-disable-next-line react/set-state-in-effect -- the cursor goes where it is scrolled to
    void show(openId, anew, rows.status === 'ready');
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
    scrollTo: (index) => inSight.scrollTo(index),
  });

  // Whoever has just come here has the cursor nowhere: the keys of the list lead into it.
  const enter = () => {
    if (document.activeElement !== document.body) return false;
    scroller.current?.focus();
    return undefined;
  };
  useShortcut('ArrowDown', enter);
  useShortcut('ArrowUp', enter);

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={`Revisions of ${archive.name}`}
      aria-rowcount={rows.exact ? rows.count + 1 : -1}
      aria-colcount={fields.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={cursor >= first && cursor <= last ? `${id}-${cursor}` : undefined}
      aria-busy={rows.waiting}
      className={classes.grid}
      data-waiting={rows.waiting || undefined}
      data-selecting={selecting || undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
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
        {sized.map(({ field, width }, place) => (
          <GridHeader
            key={field.name}
            list={archive.table}
            width={width}
            field={field}
            place={place + 2}
            sort={sort}
            onSort={onSort}
          />
        ))}
      </div>
      <div role="rowgroup" className={classes.rows} style={{ height: inSight.height, width }}>
        {inSight.rows.map(({ index, top }) => {
          const entry = rows.at(index);
          return (
            <GridRow
              key={index}
              id={`${id}-${index}`}
              index={index}
              top={top}
              entry={entry}
              columns={sized}
              active={index === cursor}
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
