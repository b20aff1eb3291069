import * as texts from '#messages/bulk-correction.ts';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { formatCount } from '#shared/messages/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './preview.module.css';
import { PreviewFilter } from './preview-filter.tsx';
import { type PreviewRow, previewRows, rowOfRevision, type ShownPart } from './preview-rows.ts';
import { PlannedRow } from './planned-row.tsx';
import type { BulkEditState } from './use-bulk-edit.ts';

interface PreviewProps {
  readonly state: BulkEditState;
  readonly shown: ShownPart;
  readonly onShow: (shown: ShownPart) => void;
  readonly goTo: ScrollTarget | null;
}

/** The revision to scroll to; another object scrolls again. */
export interface ScrollTarget {
  readonly id: string;
}

const HEAD_HEIGHT = 32;
const LINE_HEIGHT = 22;
const ROW_PADDING = 12;
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 12,
  PageUp: -12,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Old → new of every revision, grouped by outcome. */
export function BulkEditPreview({ state, shown, onShow, goTo }: PreviewProps) {
  const { archive, planned, found, excluded, counts, changes } = state;
  const isCompared = changes.length > 0;
  const rows = useMemo(
    () => previewRows({ planned, notFound: found?.notFound ?? [], excluded, shown, isCompared }),
    [planned, found, excluded, shown, isCompared],
  );
  const { scroller, virtualizer, currentRow, setCurrent, onKeyDown } = useRowFocus(rows, goTo);
  return (
    <>
      <PreviewFilter counts={counts} shown={shown} isCompared={isCompared} onShow={onShow} />
      <div ref={scroller} className={shared.scroller} onKeyDown={onKeyDown} role="presentation">
        {rows.length === 0 && <EmptyState title={texts.emptyPreview} />}
        <ul
          className={classes.rows}
          style={{ height: virtualizer.getTotalSize() }}
          aria-label={texts.revisionList}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={classes.item}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
              >
                {row.kind === 'revision' ? (
                  <PlannedRow
                    archive={archive}
                    planned={row.planned}
                    isCompared={isCompared}
                    isExcluded={excluded.has(row.planned.revision.revisionId)}
                    isCurrent={index === currentRow}
                    onExclude={(out) => state.exclude([row.planned.revision.revisionId], out)}
                    onFocus={() => setCurrent(row.planned.revision.revisionId)}
                  />
                ) : (
                  <OtherRow row={row} />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}

/** The virtual rows, and the revision that has the focus among them: arrow keys move it. */
function useRowFocus(rows: readonly PreviewRow[], goTo: ScrollTarget | null) {
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const chosenRow = rowOfRevision(rows, current);
  const currentRow = chosenRow >= 0 ? chosenRow : rows.findIndex(({ kind }) => kind === 'revision');
  // Its functions must not be memoized, and are not: no compiler runs over this project.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index];
      if (row?.kind !== 'revision') return HEAD_HEIGHT;
      const lines = row.planned.edits.length + row.planned.problems.length;
      return ROW_PADDING + LINE_HEIGHT * Math.max(lines, 1);
    },
    getItemKey: (index) => {
      const row = rows[index];
      if (!row) return index;
      if (row.kind === 'head') return row.group;
      return row.kind === 'notFound' ? row.revisionId : row.planned.revision.revisionId;
    },
    overscan: 12,
    useFlushSync: false,
    // The row that Tab reaches is rendered even if it is out of view.
    rangeExtractor: (range) =>
      currentRow < 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), currentRow])].sort((a, b) => a - b),
  });

  const focusRow = (index: number) => {
    const row = rows[index];
    if (row?.kind !== 'revision') return;
    const id = row.planned.revision.revisionId;
    setCurrent(id);
    virtualizer.scrollToIndex(index, { align: 'auto' });
    // The row may have to be rendered first.
    requestAnimationFrame(() => document.getElementById(`bulk-edit-${id}`)?.focus());
  };
  const jump = useEffectEvent((id: string) => focusRow(rowOfRevision(rows, id)));
  useEffect(() => {
    if (goTo) jump(goTo.id);
  }, [goTo]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    focusRow(nextRevision(rows, currentRow, step));
  };
  return { scroller, virtualizer, currentRow, setCurrent, onKeyDown };
}

/** The heading of a group, or a revision that was not found. */
function OtherRow({ row }: { readonly row: Exclude<PreviewRow, { kind: 'revision' }> }) {
  if (row.kind === 'head') {
    return (
      <h4 className={classes.head} data-group={row.group}>
        {texts.groups[row.group]}{' '}
        <span className={classes.headCount}>{formatCount(row.count)}</span>
      </h4>
    );
  }
  return (
    <p className={classes.notFound}>
      <span className={classes.id}>{row.revisionId}</span>
      <span className={shared.muted}>{texts.revisionGone}</span>
    </p>
  );
}

/** The revision `step` rows further, or the last one before the end of the list. */
function nextRevision(
  rows: readonly { readonly kind: string }[],
  from: number,
  step: number,
): number {
  const direction = Math.sign(step);
  let reached = from;
  let left = Math.abs(step);
  for (let at = from + direction; at >= 0 && at < rows.length && left > 0; at += direction) {
    if (rows[at]?.kind !== 'revision') continue;
    reached = at;
    left--;
  }
  return reached;
}
