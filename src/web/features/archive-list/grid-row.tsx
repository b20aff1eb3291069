import { memo } from 'react';
import { LockIcon } from '#web/ui/icons.tsx';
import { isNumber } from './grid-header.tsx';
import type { ListField } from '#web/ui/list-tools/list-field.ts';
import { cellText, flawOf, valueIn } from './list-columns.ts';
import classes from './revision-grid.module.css';
import type { ListEntry } from './list.queries.ts';

export interface SizedField {
  readonly field: ListField;
  /** pixels */
  readonly width: number;
}

interface GridRowProps {
  readonly id: string;
  readonly index: number;
  /** pixels from the first row */
  readonly top: number;
  readonly entry: ListEntry | undefined;
  readonly columns: readonly SizedField[];
  readonly active: boolean;
  readonly open: boolean;
  readonly selected: boolean;
  readonly unsaved: boolean;
}

/** One row of the list. Clicks are told apart by the grid, which knows rows by `data-row`. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, top, entry, columns, active, open, selected, unsaved } = props;
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-current={open || undefined}
      aria-busy={entry === undefined || undefined}
      className={classes.row}
      data-row={index}
      data-active={active || undefined}
      data-open={open || undefined}
      data-selected={selected || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" aria-colindex={1} className={classes.gutter} data-gutter>
        <span className={classes.box} data-checked={selected || undefined} aria-hidden="true" />
        {unsaved ? (
          <span className={classes.unsaved} role="img" aria-label="Unsaved" title="Unsaved" />
        ) : (
          entry?.locked && (
            <span
              className={classes.lock}
              role="img"
              aria-label={`Locked by ${entry.locked.by}`}
              title={`Locked by ${entry.locked.by}`}
            >
              <LockIcon size={12} />
            </span>
          )
        )}
      </div>
      {columns.map(({ field, width }, place) => (
        <Cell key={field.name} field={field} width={width} place={place + 2} entry={entry} />
      ))}
    </div>
  );
});

interface CellProps {
  readonly field: ListField;
  readonly width: number;
  readonly place: number;
  readonly entry: ListEntry | undefined;
}

function Cell({ field, width, place, entry }: CellProps) {
  const value = entry ? valueIn(entry, field) : null;
  const text = cellText(field, value);
  const flaw = entry ? flawOf(field, value) : null;
  return (
    <div
      role="gridcell"
      aria-colindex={place}
      className={classes.cell}
      data-number={isNumber(field) || undefined}
      data-meta={field.kind === 'meta' || undefined}
      data-flaw={flaw !== null || undefined}
      style={{ width }}
      title={flaw ?? (text.length > width / 8 ? text : undefined)}
    >
      {entry ? text : <span className={classes.coming} />}
      {flaw !== null && <span className={classes.hidden}>{flaw}</span>}
    </div>
  );
}
