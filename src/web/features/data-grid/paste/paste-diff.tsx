import { useRef } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { shownValue } from '#web/fields/value-text.ts';
import { useVirtualRows } from '#web/ui/use-virtual-rows.ts';
import classes from './paste.module.css';
import type { PlannedCell, PlannedRow } from './paste-plan.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/paste.ts';

interface PasteDiffProps {
  readonly columns: readonly Column[];
  /** those that are shown */
  readonly rows: readonly PlannedRow[];
}

const ROW_HEIGHT = 42;

/** The old and the new value of every cell. */
export function PasteDiff({ columns, rows }: PasteDiffProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, rows.length, ROW_HEIGHT);
  const template = `64px repeat(${columns.length}, minmax(150px, 1fr))`;
  const width = 64 + 150 * columns.length;
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys
      tabIndex={0}
      // The user has to read the preview before confirming it: pressing Enter does nothing here.
      data-autofocus
      role="region"
      aria-label={texts.oldAndNew}
    >
      <div role="table" aria-rowcount={rows.length + 1} style={{ minWidth: width }}>
        <div role="row" className={classes.head} style={{ gridTemplateColumns: template }}>
          <span role="columnheader">{texts.rowHeading}</span>
          {columns.map(({ name, label }) => (
            <span key={name} role="columnheader">
              {label || name}
            </span>
          ))}
        </div>
        {rows.length === 0 && <EmptyState title={texts.noRow} />}
        <div
          role="rowgroup"
          className={classes.rows}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <div
                key={row.number}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
              >
                <DiffHead row={row} />
                {row.cells.map((cell) => (
                  <DiffCell key={cell.column.name} target={row.target} cell={cell} />
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function DiffHead({ row: { number, target, missing } }: { readonly row: PlannedRow }) {
  const what =
    target.is === 'record' ? '' : target.is === 'deleted' ? texts.deletedRow : texts.newRow;
  const lacking = missing.join(', ');
  return (
    <span role="rowheader" className={classes.number}>
      {formatCount(number)}
      <small data-danger={lacking === '' ? undefined : true} title={lacking || undefined}>
        {lacking === '' ? what : texts.lacks(lacking)}
      </small>
    </span>
  );
}

interface DiffCellProps {
  readonly target: PlannedRow['target'];
  readonly cell: PlannedCell;
}

function DiffCell({ target, cell }: DiffCellProps) {
  const { column, text } = cell;
  const before = target.is === 'record' ? (target.stored.dataset[column.name] ?? null) : null;
  const old = shownValue(column, before);
  switch (cell.kind) {
    case 'value': {
      const now = shownValue(column, cell.value);
      return (
        <span
          role="cell"
          className={classes.cell}
          data-mark={target.is === 'record' ? 'changed' : 'new'}
        >
          <ins title={now}>{now === '' ? <em>{commonTexts.noValue}</em> : now}</ins>
          {target.is === 'record' && (
            <small>
              <RichText text={texts.was(<del title={old}>{old === '' ? texts.empty : old}</del>)} />
            </small>
          )}
        </span>
      );
    }
    case 'unreadable':
      return (
        <span role="cell" className={classes.cell} data-mark="invalid" title={cell.message}>
          <span>{text === '' ? <em>{texts.empty}</em> : text}</span>
          <small>{cell.message}</small>
        </span>
      );
    case 'ambiguous':
      return (
        <span role="cell" className={classes.cell} data-mark="ambiguous">
          <span>{text}</span>
          <small>{texts.ambiguous}</small>
        </span>
      );
    default:
      return (
        <span role="cell" className={classes.cell}>
          <span title={old}>{old}</span>
        </span>
      );
  }
}
