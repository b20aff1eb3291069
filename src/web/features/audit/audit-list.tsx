import * as texts from '#messages/audit.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { localInstant } from '#web/fields/value-text.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { useMedia } from '#web/ui/use-media.ts';
import type { AuditEntry } from '#shared/contract/audit.ts';
import type { AuditSearch } from './audit-address.ts';
import { auditQuery, newAuditQuery } from './audit.queries.ts';
import { AuditRow } from './audit-row.tsx';
import { useAuditNames } from './audit-names.ts';
import { useVirtualRows } from '#web/ui/use-virtual-rows.ts';
import classes from './audit.module.css';

interface AuditListProps {
  readonly filter: AuditSearch;
  /** the `historyId` of the entry that is open */
  readonly selected: string | undefined;
  readonly onSelect: (historyId: string) => void;
}

/** When fewer entries than this are left below the view, older ones are loaded. */
const READ_AHEAD = 100;
const PAGE_ROWS = 10;

/** The entries, newest first: arrow keys move through them, and the selected one is shown next to the list. */
export function AuditList({ filter, selected, onSelect }: AuditListProps) {
  const read = useInfiniteQuery(auditQuery(filter));
  const { hasNextPage, isFetching, fetchNextPage, error } = read;
  useQuery({ ...newAuditQuery(useQueryClient(), filter), enabled: read.isSuccess && !isFetching });
  const entries = read.data?.pages.flatMap((page) => page.entries) ?? [];
  const names = useAuditNames();
  // Next to an open entry the list has less room.
  const isCompact = useMedia(selected === undefined ? '(width < 720px)' : '(width < 1180px)');
  const rowHeight = isCompact ? 62 : 31;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, entries.length, rowHeight);
  useOnChange(rowHeight, () => virtualizer.measure());
  useKeepPlace(scroller, entries, rowHeight);
  useOnChange(selected, () => {
    // The panel had the focus, or the list has it already.
    if (selected === undefined) scroller.current?.focus({ preventScroll: true });
  });
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const isNearEnd = lastShown >= entries.length - READ_AHEAD;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetching, error, fetchNextPage]);

  const at = entries.findIndex(({ historyId }) => historyId === selected);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE_ROWS,
      PageUp: at - PAGE_ROWS,
    };
    const next = { ...to, Home: 0, End: entries.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = Math.min(Math.max(next, 0), entries.length - 1);
    const entry = entries[index];
    if (!entry) return;
    virtualizer.scrollToIndex(index);
    onSelect(entry.historyId);
  };
  const oldest = read.data?.pages.at(-1)?.entries.at(-1) ?? entries.at(-1);
  const isPainted = rows.some(({ index }) => index === at);
  return (
    <div className={classes.list} data-compact={isCompact || undefined}>
      {error && (
        <ErrorPanel error={error} title={texts.notRead} onRetry={() => void fetchNextPage()} />
      )}
      <div
        ref={scroller}
        role="listbox"
        tabIndex={0}
        aria-label={texts.list}
        aria-activedescendant={isPainted ? `${id}-${at}` : undefined}
        className={classes.rows}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {rows.map(({ index, start }) => {
            const entry = entries[index];
            return (
              entry && (
                <AuditRow
                  key={entry.historyId}
                  id={`${id}-${index}`}
                  entry={entry}
                  names={names}
                  position={index + 1}
                  isSelected={index === at}
                  style={{ transform: `translateY(${start}px)`, height: rowHeight }}
                  onSelect={() => onSelect(entry.historyId)}
                />
              )
            );
          })}
        </div>
      </div>
      {entries.length === 0 && !isFetching && !error && (
        <EmptyState title={texts.nothing}>{texts.nothingMore}</EmptyState>
      )}
      {isFetching && (
        <p role="status" className={classes.reading}>
          <Spinner size={14} />
          {oldest && hasNextPage && texts.searchedBackTo(localInstant(oldest.at))}
        </p>
      )}
    </div>
  );
}

/** Keeps what the user reads where it is when entries are added above it. */
function useKeepPlace(
  scroller: RefObject<HTMLElement | null>,
  entries: readonly AuditEntry[],
  rowHeight: number,
): void {
  const newest = entries[0]?.historyId;
  const shownNewest = useRef(newest);
  useLayoutEffect(() => {
    const added = entries.findIndex(({ historyId }) => historyId === shownNewest.current);
    shownNewest.current = newest;
    const list = scroller.current;
    if (list && list.scrollTop > 0 && added > 0) list.scrollTop += added * rowHeight;
    // oxlint-disable-next-line react/exhaustive-deps -- only a new first entry moves the others
  }, [newest]);
}
