import * as texts from '#messages/archive-list.ts';
import { memo } from 'react';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { cellAttributes, rowAttributes } from '#web/grid/grid-attributes.ts';
import grid from '#web/grid/grid.module.css';
import type { ListField } from '#web/list-tools/list-field.ts';
import { LockIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import shared from '#web/ui/shared.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { severityOf } from '#web/list-tools/check-column.ts';
import { cellText, isPerson, listedValue, valueProblem } from './list-columns.ts';
import type { ListEntry } from './list.queries.ts';
import classes from './revision-row.module.css';

interface RevisionRowProps {
  readonly id: string;
  readonly index: number;
  /** offset in pixels from the top of the rows */
  readonly top: number;
  /** undefined until it is loaded */
  readonly entry: ListEntry | undefined;
  /** the columns that are shown, in their order */
  readonly columns: readonly ListField[];
  /** the columns to draw, from 1 */
  readonly drawn: readonly number[];
  /** the left offset in pixels of each pinned column */
  readonly lefts: readonly number[];
  /** widths of the columns in pixels */
  readonly sizes: readonly number[];
  readonly isFocused: boolean;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly isUnsaved: boolean;
}

/** A row of the list. The grid handles its clicks. */
export const RevisionRow = memo(function RevisionRow(props: RevisionRowProps) {
  const { id, index, top, entry, columns, drawn, lefts, sizes } = props;
  const { isFocused, isOpen, isSelected, isUnsaved } = props;
  return (
    <div
      {...rowAttributes(index, top, classes.row)}
      role="row"
      id={id}
      aria-selected={isSelected}
      aria-current={isOpen || undefined}
      aria-busy={entry === undefined || undefined}
      data-active={isFocused || undefined}
      data-open={isOpen || undefined}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        className={`${grid.rowHeader} ${classes.gutter}`}
        data-gutter
      >
        <span
          className={`${grid.box} ${classes.box}`}
          data-checked={isSelected || undefined}
          aria-hidden="true"
        />
        {isUnsaved ? (
          <span
            className={classes.unsaved}
            role="img"
            aria-label={texts.unsaved}
            title={texts.unsaved}
          />
        ) : (
          entry?.locked && <Lock by={entry.locked.by} />
        )}
      </div>
      {drawn.map((col) => {
        const field = columns[col - 1];
        return (
          field && (
            <Cell
              key={field.name}
              field={field}
              col={col}
              left={lefts[col - 1]}
              width={sizes[col - 1] ?? 0}
              entry={entry}
            />
          )
        );
      })}
    </div>
  );
});

function Lock({ by }: { readonly by: string }) {
  const words = texts.lockedBy(useNameOf()(by));
  return (
    <span className={classes.lock} role="img" aria-label={words} title={words}>
      <LockIcon size={12} />
    </span>
  );
}

interface CellProps {
  readonly field: ListField;
  readonly col: number;
  readonly left: number | undefined;
  readonly width: number;
  readonly entry: ListEntry | undefined;
}

/** The mean width of a character in pixels: a text that may be truncated also gets a tooltip. */
const CHARACTER = 8;

function Cell({ field, col, left, width, entry }: CellProps) {
  const value = entry ? listedValue(entry, field) : null;
  const text = cellText(field, value);
  const shown = isPerson(field) && text !== '' ? <PersonName username={text} /> : text;
  const flaw = entry ? valueProblem(field, value, entry) : null;
  return (
    <div
      {...cellAttributes({ field, col, left, className: `${shared.truncated} ${classes.cell}` })}
      role="gridcell"
      data-meta={field.kind === 'meta' || undefined}
      data-finding={flaw?.severity}
      data-severity={(entry && field.kind === 'check' && severityOf(entry.findings)) || undefined}
      title={flaw?.text ?? (text.length > width / CHARACTER ? text : undefined)}
    >
      {entry ? shown : <span className={grid.placeholder} />}
      {flaw !== null && <VisuallyHidden>{flaw.text}</VisuallyHidden>}
    </div>
  );
}
