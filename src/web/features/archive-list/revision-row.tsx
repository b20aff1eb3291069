import { memo } from 'react';
import { useNameOf } from '#web/api/people.queries.ts';
import { LockIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { isAmount } from './grid-header.tsx';
import type { ListField } from '#web/list-tools/list-field.ts';
import { cellText, flawOf, isPerson, valueIn } from './list-columns.ts';
import classes from './revision-grid.module.css';
import type { ListEntry } from './list.queries.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';

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
          entry?.locked && <Lock by={entry.locked.by} />
        )}
      </div>
      {columns.map(({ field, width }, place) => (
        <Cell key={field.name} field={field} width={width} place={place + 2} entry={entry} />
      ))}
    </div>
  );
});

function Lock({ by }: { readonly by: string }) {
  const words = `Locked by ${useNameOf()(by)}`;
  return (
    <span className={classes.lock} role="img" aria-label={words} title={words}>
      <LockIcon size={12} />
    </span>
  );
}

interface CellProps {
  readonly field: ListField;
  readonly width: number;
  readonly place: number;
  readonly entry: ListEntry | undefined;
}

function Cell({ field, width, place, entry }: CellProps) {
  const value = entry ? valueIn(entry, field) : null;
  const text = cellText(field, value);
  const shown = isPerson(field) && text !== '' ? <PersonName username={text} /> : text;
  const flaw = entry ? flawOf(field, value) : null;
  return (
    <div
      role="gridcell"
      aria-colindex={place}
      className={classes.cell}
      data-number={isAmount(field) || undefined}
      data-meta={field.kind === 'meta' || undefined}
      data-flaw={flaw !== null || undefined}
      style={{ width }}
      title={flaw ?? (text.length > width / 8 ? text : undefined)}
    >
      {entry ? shown : <span className={classes.coming} />}
      {flaw !== null && <VisuallyHidden>{flaw}</VisuallyHidden>}
    </div>
  );
}
