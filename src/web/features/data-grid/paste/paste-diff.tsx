import { useRef } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { shownValue } from '#web/fields/value-text.ts';
import { useVirtualRows } from '#web/ui/use-virtual-rows.ts';
import classes from './paste.module.css';
import { OUTCOME, type Plan } from './paste-plan.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/paste.ts';

interface PasteDiffProps {
  readonly plan: Plan;
  /** the first target row of the grid, from 0 */
  readonly top: number;
  readonly rows: readonly number[];
}

const ROW_HEIGHT = 42;

/** The old and the new value of every cell. */
export function PasteDiff({ plan, top, rows }: PasteDiffProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, rows.length, ROW_HEIGHT);
  const { columns } = plan;
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
            const row = rows[index] ?? 0;
            return (
              <div
                key={row}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
              >
                <DiffHead plan={plan} row={row} number={top + row + 1} />
                {columns.map((column, at) => (
                  <DiffCell key={column.name} plan={plan} row={row} column={column} at={at} />
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface DiffHeadProps {
  readonly plan: Plan;
  readonly row: number;
  readonly number: number;
}

function DiffHead({ plan, row, number }: DiffHeadProps) {
  const target = plan.targets[row];
  const lacking = plan.missing.get(row);
  const what =
    target?.is === 'record' ? '' : target?.is === 'deleted' ? texts.deletedRow : texts.newRow;
  return (
    <span role="rowheader" className={classes.number}>
      {formatCount(number)}
      <small data-danger={lacking ? true : undefined} title={lacking?.join(', ')}>
        {lacking ? texts.lacks(lacking.join(', ')) : what}
      </small>
    </span>
  );
}

interface DiffCellProps {
  readonly plan: Plan;
  readonly row: number;
  readonly column: Column;
  readonly at: number;
}

function DiffCell({ plan, row, column, at }: DiffCellProps) {
  const index = row * plan.columns.length + at;
  const target = plan.targets[row];
  const text = plan.cells[row]?.[at]?.text ?? '';
  const before = target?.is === 'record' ? (target.stored.dataset[column.name] ?? null) : null;
  const old = shownValue(column, before);
  switch (plan.outcomes[index]) {
    case OUTCOME.changed: {
      const now = shownValue(column, plan.values[index] ?? null);
      return (
        <span
          role="cell"
          className={classes.cell}
          data-mark={target?.is === 'record' ? 'changed' : 'new'}
        >
          <ins title={now}>{now === '' ? <em>{commonTexts.noValue}</em> : now}</ins>
          {target?.is === 'record' && (
            <small>
              <RichText text={texts.was(<del title={old}>{old === '' ? texts.empty : old}</del>)} />
            </small>
          )}
        </span>
      );
    }
    case OUTCOME.invalid: {
      const message = plan.messages.get(index) ?? '';
      return (
        <span role="cell" className={classes.cell} data-mark="invalid" title={message}>
          <span>{text === '' ? <em>{texts.empty}</em> : text}</span>
          <small>{message}</small>
        </span>
      );
    }
    case OUTCOME.ambiguous:
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
