import { memo, useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { CloseIcon, PlusIcon, WarningIcon, drawIcon } from '#web/ui/icons.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { cellAttributes, rowAttributes } from '#web/grid/grid-attributes.ts';
import grid from '#web/grid/grid.module.css';
import classes from './dataset-row.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Colour } from '#web/api/list-view.ts';
import {
  type Cells,
  type NewRow,
  type RowKey,
  type ServerRecord,
  valueShown,
} from '../edit-store/edits.ts';
import type { GridActions } from '../grid-actions.ts';
import { DatasetCell } from '../cells/dataset-cell.tsx';
import { storedIn, type TableField } from '../columns/table-fields.ts';
import type { Editing } from '../editing.ts';
import type { GridFindings } from '../findings/use-grid-findings.ts';
import { severityOf } from '#web/list-tools/check-column.ts';
import { PANEL_KEYS } from '../dataset-keys.ts';
import type { RemoteChange } from './remote-changes.ts';
import { decodeRowSelection } from '#web/grid/rects.ts';
import { FocusCell } from '#web/grid/focus-cell.tsx';
import type { TableRow } from './use-rows.ts';
import * as texts from '#messages/tables.ts';

const FormIcon = drawIcon(<path d="M5 4h14v16H5zM8 8h3M8 12h8M8 16h8" />);

interface DatasetRowProps {
  readonly guid: string;
  readonly index: number;
  /** offset in pixels from the first row */
  readonly top: number;
  /** '' if there is no row (yet) */
  readonly rowKey: RowKey;
  /** `unread` until the row is loaded, `gone` if the server no longer has it */
  readonly kind: TableRow['kind'] | 'unread' | 'gone';
  readonly stored: ServerRecord | null;
  readonly newRow: NewRow | undefined;
  readonly cells: Cells;
  /** the recent change by another user */
  readonly remoteChange: RemoteChange | undefined;
  readonly columns: readonly TableField[];
  /** the findings in the rows */
  readonly findings: GridFindings;
  /** the columns to draw, from 1 */
  readonly renderedColumns: readonly number[];
  /** the left offset in pixels of each pinned column */
  readonly pinnedOffsets: readonly number[];
  /** whether the record will move when the list is sorted again */
  readonly moves: boolean;
  /** functions for the colours of each column's cells */
  readonly colourFunctions: readonly (((value: Scalar) => Colour | null) | null)[];
  /** the selected columns, in the format of `encodeRowSelection` */
  readonly selection: string | null;
  /** the columns covered by a dragged handle, in the same format */
  readonly fillRange: string | null;
  /** the column whose cell has the fill handle; null: none in this row */
  readonly handleCol: number | null;
  /** the focused column in this row; null: none */
  readonly focusCol: number | null;
  readonly active: boolean;
  readonly editing: Editing | null;
  /** undefined if rows cannot be selected */
  readonly selected: boolean | undefined;
  /** whether any row of the grid is selected */
  readonly hasSelectedRows: boolean;
  /** lines of each row */
  readonly lines: number;
  readonly actions: GridActions;
}

/** One row of the grid; rendered again only when its props change. */
export const DatasetRow = memo(function DatasetRow(props: DatasetRowProps) {
  const { guid, index, top, rowKey, kind, stored, newRow, cells, columns, remoteChange } = props;
  const { renderedColumns, pinnedOffsets, colourFunctions, handleCol, focusCol, active } = props;
  const { editing, actions } = props;
  const isMarked = decodeRowSelection(props.selection);
  const isPulled = decodeRowSelection(props.fillRange);
  const deletedBy = remoteChange?.columns === null ? remoteChange.by : undefined;
  const name = kind === 'empty' ? texts.newRecord : texts.row(index + 1);
  // Buttons for the pointer are not rendered for rows that scroll past.
  const [near, setNear] = useState(false);
  const marks = props.findings.marksOf({ stored, cells, editing });
  return (
    <div
      {...rowAttributes(index, top, classes.row)}
      role="row"
      aria-selected={props.selected ?? false}
      data-kind={kind}
      data-deleted={deletedBy !== undefined || undefined}
      data-editing={editing !== null || undefined}
      data-current={focusCol !== null || undefined}
      onPointerEnter={() => setNear(true)}
    >
      <RowHeader
        rowKey={rowKey}
        kind={kind}
        number={index + 1}
        moves={props.moves}
        deletedBy={deletedBy}
        name={name}
        newRow={newRow}
        selected={props.selected ?? false}
        near={near}
        choosing={props.hasSelectedRows}
        focused={focusCol === 0}
        active={active}
        onDiscard={actions.discard}
        onOpen={actions.openRecord}
      />
      {kind === 'unread' && <LoadingCells columns={columns.length} />}
      {renderedColumns.map((col) => {
        const column = columns[col - 1];
        if (!column || (kind === 'unread' && focusCol !== col)) return null;
        const focused = focusCol === col;
        const left = pinnedOffsets[col - 1];
        if (kind === 'unread' || kind === 'gone') {
          return (
            <LoadingCell
              key={column.name}
              column={column}
              col={col}
              left={left}
              isDeleted={kind === 'gone'}
              focused={focused}
              active={active}
            />
          );
        }
        const value = storedIn(stored, column);
        const edit = cells.get(column.name);
        return (
          <DatasetCell
            key={column.name}
            guid={guid}
            rowKey={rowKey}
            kind={kind}
            column={column}
            col={col}
            left={left}
            stored={value}
            edit={edit}
            changedBy={remoteChange?.columns?.has(column.name) ? remoteChange.by : undefined}
            colour={
              kind === 'empty'
                ? null
                : (colourFunctions[col - 1]?.(valueShown(edit, value)) ?? null)
            }
            focused={focused}
            active={active}
            isSelected={isMarked(col)}
            isInFillRange={isPulled(col)}
            hasFillHandle={handleCol === col}
            editing={editing?.column === column.name ? editing : null}
            findingText={marks.get(column.name)?.text ?? null}
            severity={
              column.kind === 'check'
                ? severityOf(stored?.findings)
                : marks.get(column.name)?.severity
            }
            findings={
              focused && active && marks.has(column.name)
                ? (props.findings.detailOf({ stored, cells, editing })?.get(column.name) ?? null)
                : null
            }
            lines={props.lines}
            actions={actions}
          />
        );
      })}
    </div>
  );
});

/** The cells of a row that is not loaded yet: most of them only scroll past. */
function LoadingCells({ columns }: { readonly columns: number }) {
  return (
    <div
      role="gridcell"
      aria-colindex={2}
      aria-colspan={columns}
      aria-label={texts.notRead}
      aria-busy
      className={classes.unreadCells}
    />
  );
}

interface LoadingCellProps {
  readonly column: Column;
  readonly col: number;
  readonly left: number | undefined;
  readonly isDeleted: boolean;
  readonly focused: boolean;
  readonly active: boolean;
}

/** The focused cell of a row that is not loaded yet; it has the focus while that moves over it. */
function LoadingCell({ column, col, left, isDeleted, focused, active }: LoadingCellProps) {
  const cell = useRef<HTMLDivElement>(null);
  return (
    <div
      {...cellAttributes({ field: column, col, left })}
      ref={cell}
      role="gridcell"
      aria-busy={!isDeleted}
      tabIndex={focused ? 0 : -1}
      data-focused={(focused && active) || undefined}
    >
      {focused && active && <FocusCell of={cell} />}
      {!isDeleted && <span className={grid.placeholder} />}
    </div>
  );
}

interface RowHeaderProps {
  readonly rowKey: RowKey;
  readonly kind: DatasetRowProps['kind'];
  readonly number: number;
  readonly moves: boolean;
  readonly deletedBy: string | undefined;
  readonly name: string;
  readonly newRow: NewRow | undefined;
  readonly selected: boolean;
  /** whether the pointer is over the row, or was */
  readonly near: boolean;
  readonly choosing: boolean;
  readonly focused: boolean;
  readonly active: boolean;
  readonly onDiscard: (key: RowKey) => void;
  readonly onOpen: (jrid: string) => void;
}

function RowHeader(props: RowHeaderProps) {
  const { rowKey, kind, number, moves, name, newRow, selected, focused, active } = props;
  const { near, choosing, deletedBy, onDiscard, onOpen } = props;
  const cell = useRef<HTMLDivElement>(null);
  const refused = newRow?.is === 'refused' ? newRow.message : null;
  return (
    <div
      ref={cell}
      role="rowheader"
      aria-colindex={1}
      aria-label={headerText(name, { refused, moves, deletedBy })}
      tabIndex={focused ? 0 : -1}
      data-col={0}
      data-focused={(focused && active) || undefined}
      data-refused={refused !== null || undefined}
      title={refused ?? undefined}
      className={`${grid.rowHeader} ${classes.rowHeader}`}
    >
      {focused && active && <FocusCell of={cell} />}
      {deletedBy !== undefined && (
        <span className={classes.moves} title={texts.hasDeleted(deletedBy)}>
          {texts.deleted}
        </span>
      )}
      {moves && deletedBy === undefined && (
        <span className={classes.moves} title={texts.movesHint}>
          {texts.moves}
        </span>
      )}
      {kind !== 'record' && <VisuallyHidden>{name}</VisuallyHidden>}
      {kind === 'empty' && <PlusIcon size={14} />}
      {newRow?.is === 'sending' && <Spinner size={13} />}
      {refused !== null && <WarningIcon size={14} />}
      {kind === 'record' && (
        <>
          <span className={classes.number}>{formatCount(number)}</span>
          {(near || choosing) && (
            <span className={`${grid.box} ${classes.box}`} data-checked={selected || undefined} />
          )}
          {(near || focused) && (
            <button
              type="button"
              tabIndex={-1}
              className={classes.open}
              // Only for the mouse: keyboards have a shortcut.
              aria-hidden
              title={texts.openAsForm(keyLabel(PANEL_KEYS.open))}
              onClick={(event) => {
                // A press on the rest of the row header selects the row.
                event.stopPropagation();
                onOpen(rowKey);
              }}
            >
              <FormIcon size={13} />
            </button>
          )}
        </>
      )}
      {kind === 'new' && newRow?.is !== 'sending' && (
        <button
          type="button"
          tabIndex={-1}
          className={classes.discard}
          aria-label={texts.discardRow}
          title={texts.discardRow}
          onClick={() => onDiscard(rowKey)}
        >
          <CloseIcon size={13} />
        </button>
      )}
    </div>
  );
}

/** The name of a row, and its state. */
function headerText(
  name: string,
  of: {
    readonly refused: string | null;
    readonly moves: boolean;
    readonly deletedBy: string | undefined;
  },
): string {
  let text = name;
  if (of.refused !== null) text = texts.rowRefused({ row: text, reason: of.refused });
  if (of.moves) text = texts.rowMoves(text);
  if (of.deletedBy !== undefined) text = texts.rowDeletedBy({ row: text, person: of.deletedBy });
  return text;
}
