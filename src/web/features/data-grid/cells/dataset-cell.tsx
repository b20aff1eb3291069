import { memo, type ReactNode, useId, useRef } from 'react';
import { isBoolean, isInstant } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Colour } from '#web/api/list-view.ts';
import { momentInWords, shownValue } from '#web/fields/value-text.ts';
import { CellEditor } from './cell-editor.tsx';
import { CellPanel } from './cell-panel.tsx';
import { type CellEdit, problemOf, type RowKey, valueShown } from '../edit-store/edits.ts';
import { cellAttributes } from '#web/grid/grid-attributes.ts';
import classes from './dataset-cell.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import type { GridActions } from '../grid-actions.ts';
import type { Editing } from '../editing.ts';
import { gridChecks } from '../findings/lazy-grid-checks.tsx';
import type { FieldFinding } from '#web/findings/finding.ts';
import type { TableField } from '../columns/table-fields.ts';
import type { Severity } from '#shared/rules/check-words.ts';
import { BelowCell } from '#web/grid/below-cell.tsx';
import { FocusCell } from '#web/grid/focus-cell.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/tables.ts';

interface DatasetCellProps {
  readonly guid: string;
  readonly rowKey: RowKey;
  readonly kind: 'record' | 'new' | 'empty';
  readonly column: TableField;
  /** from 1; 0 is the row header */
  readonly col: number;
  /** the left offset in pixels at which it is pinned; undefined: it scrolls */
  readonly left: number | undefined;
  readonly stored: Scalar;
  readonly edit: CellEdit | undefined;
  /** the other user who has just changed it, if any */
  readonly changedBy: string | undefined;
  readonly focused: boolean;
  /** whether it takes the focus */
  readonly active: boolean;
  readonly colour: Colour | null;
  /** whether it is part of a selection of several cells */
  readonly isSelected: boolean;
  /** whether it is in the area of a dragged fill handle */
  readonly isInFillRange: boolean;
  /** whether it has the fill handle */
  readonly hasFillHandle: boolean;
  readonly editing: Editing | null;
  /** its findings as text; null: none */
  readonly findingText: string | null;
  /** their highest severity */
  readonly severity: Severity | undefined;
  /** the findings of the focused cell with suggestions; null: unknown */
  readonly findings: readonly FieldFinding[] | null;
  /** lines of each row */
  readonly lines: number;
  readonly actions: GridActions;
}

/** One cell: its value, its unsaved text, the editor, and the problem. */
export const DatasetCell = memo(function DatasetCell(props: DatasetCellProps) {
  const { guid, rowKey, kind, column, col, left, stored, edit, focused, active, isSelected } =
    props;
  const { changedBy, colour, isInFillRange, hasFillHandle, editing, actions, findingText } = props;
  const { severity } = props;
  const cell = useRef<HTMLDivElement>(null);
  const messageId = useId();
  const takesFocus = active && focused && !editing;
  const is = edit?.status.is;
  const problem = problemOf(edit);
  const severityShown = findingText === null ? undefined : severity;
  // Most cells contain only their text. A cell with other elements must not clip them at its edges.
  const message = problem ?? findingText;
  const showsFindings = editing !== null || (takesFocus && problem === null);
  const CellFindings = showsFindings ? gridChecks.loaded()?.CellFindings : undefined;
  const clipsText = props.lines === 1 && !focused && !editing && !hasFillHandle && message === null;
  return (
    <div
      {...cellAttributes({ field: column, col, left, className: classes.cell })}
      ref={cell}
      role="gridcell"
      tabIndex={focused ? 0 : -1}
      data-status={is}
      data-focused={(focused && active) || undefined}
      aria-invalid={problem !== null || undefined}
      aria-describedby={message === null ? undefined : messageId}
      aria-required={kind !== 'record' && column.required ? true : undefined}
      aria-selected={isSelected || (focused && active)}
      data-others={changedBy !== undefined || undefined}
      title={changedBy === undefined ? (findingText ?? undefined) : texts.hasChanged(changedBy)}
      data-finding={problem === null ? severityShown : is === 'conflict' ? 'warn' : 'block'}
      data-severity={(column.kind === 'check' && severity) || undefined}
      data-colour={colour ?? undefined}
      data-marked={isSelected || undefined}
      data-fill-range={isInFillRange || undefined}
      data-plain={clipsText || undefined}
    >
      {takesFocus && <FocusCell of={cell} />}
      {editing ? (
        <CellEditor
          guid={guid}
          column={column}
          editing={editing}
          textAt={actions.textIn}
          onText={actions.setText}
          onKey={actions.endEditByKey}
          onLeave={actions.leaveEditor}
        />
      ) : (
        <CellText column={column} kind={kind} stored={stored} edit={edit} plain={clipsText} />
      )}
      {editing && editing.initialValue !== valueShown(edit, stored) && (
        <RemoteValueNotice
          by={changedBy ?? texts.somebody}
          text={shownValue(column, valueShown(edit, stored))}
        />
      )}
      {/* Only for the mouse: its text would become part of the cell's accessible name. */}
      {hasFillHandle && (
        <span data-fill-handle aria-hidden className={classes.handle} title={texts.dragToFill} />
      )}
      {message !== null && (
        // Announced as the description; as a part of the value it would be announced twice.
        <VisuallyHidden id={messageId} aria-hidden>
          {message}
        </VisuallyHidden>
      )}
      {CellFindings && findingText !== null && (
        <CellFindings
          of={cell}
          isEdited={editing !== null}
          rowKey={rowKey}
          findingText={findingText}
          severity={severity}
          findings={props.findings}
          actions={actions}
        />
      )}
      {takesFocus && edit && problem !== null && (
        <BelowCell anchor={cell}>
          <CellPanel
            rowKey={rowKey}
            kind={kind}
            column={column}
            edit={edit}
            problem={problem}
            actions={actions}
          />
        </BelowCell>
      )}
    </div>
  );
});

/** Shows at an open editor that the stored value has changed; the user chooses between them when the editor is closed. */
function RemoteValueNotice({ by, text }: { readonly by: string; readonly text: string }) {
  return (
    <div className={classes.theirs} data-grid-part>
      <RichText
        text={texts.changedTo({
          person: by,
          value: text === '' ? <em>{commonTexts.noValue}</em> : texts.quoted(text),
        })}
      />
    </div>
  );
}

function CellText({
  column,
  kind,
  stored,
  edit,
  plain,
}: Pick<DatasetCellProps, 'column' | 'kind' | 'stored' | 'edit'> & {
  /** whether the cell itself clips overflowing text */
  readonly plain: boolean;
}): ReactNode {
  if (edit?.status.is === 'unread') {
    return (
      <span className={classes.text}>{shownValue({ type: 'text', scale: null }, edit.text)}</span>
    );
  }
  const value = valueShown(edit, stored);
  if (kind !== 'record' && !edit) {
    // The default value of a new row's empty cell.
    return <span className={classes.placeholder}>{shownValue(column, column.default)}</span>;
  }
  if (value === '') return <span className={classes.nothing}>{commonTexts.emptyText}</span>;
  if (isBoolean(column) && value !== null) {
    return (
      <span className={classes.flag} data-yes={value === true || undefined}>
        {value === true ? texts.yes : texts.no}
      </span>
    );
  }
  const moment = isInstant(column) ? momentInWords(String(value ?? '')) : null;
  if (plain && moment === null) return shownValue(column, value);
  return (
    <span className={classes.text} title={moment === null ? undefined : texts.localTime(moment)}>
      {shownValue(column, value)}
    </span>
  );
}
