import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { Button } from '#web/ui/button.tsx';
import type { Side } from '#web/fields/conflict-panel.tsx';
import { formatFieldValue } from '#web/fields/field-model.ts';
import { ConflictPanel } from '#web/fields/lazy-conflict-panel.ts';
import { meaningsOf } from '#web/fields/typed-text.ts';
import { inWords, valueText } from '#web/fields/value-text.ts';
import classes from './cell-panel.module.css';
import type { CellEdit, RowKey } from '../edit-store/edits.ts';
import type { GridActions } from '../grid-actions.ts';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/tables.ts';

interface CellPanelProps {
  readonly rowKey: RowKey;
  readonly kind: 'record' | 'new' | 'empty';
  readonly column: Column;
  readonly edit: CellEdit;
  readonly problem: string;
  readonly actions: GridActions;
}

/** Shown at a cell that cannot be saved: the problem, and the possible actions. */
export function CellPanel({ rowKey, kind, column, edit, problem, actions }: CellPanelProps) {
  const { status } = edit;
  const meanings = meaningsIn(column, edit);
  const act = (work: () => void) => () => {
    work();
    actions.refocus();
  };
  return (
    // It handles its keys itself, not the grid around it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.panel}
      role="group"
      aria-label={texts.problemOf(column.label)}
      data-cell-panel
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') actions.refocus();
      }}
    >
      <CellConflict
        column={column}
        edit={edit}
        onChoose={(side) => act(() => actions.choose(rowKey, column, side))()}
      />
      {status.is !== 'conflict' && (
        <>
          <p className={classes.message}>{problem}</p>
          <div className={classes.choices}>
            {meanings.map((value) => (
              <Button key={String(value)} onClick={act(() => actions.chooseMeaning(value))}>
                {inWords(column, value)}
              </Button>
            ))}
            {status.is === 'refused' && kind === 'record' && (
              <Button variant="default" onClick={act(() => actions.tryAgain(rowKey, column))}>
                {commonTexts.tryAgain}
              </Button>
            )}
            {kind === 'record' ? (
              <Button variant="default" onClick={act(() => actions.restore(rowKey, column))}>
                {texts.restoreOldValue}
              </Button>
            ) : (
              <Button variant="default" onClick={act(() => actions.discard(rowKey))}>
                {texts.discardRow}
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** The possible meanings of a cell's ambiguous text. */
export function meaningsIn(column: Column, edit: CellEdit | undefined): readonly Scalar[] {
  return edit?.status.is === 'unread' && edit.text !== null ? meaningsOf(column, edit.text) : [];
}

interface CellConflictProps {
  readonly column: Column;
  readonly edit: CellEdit | undefined;
  readonly onChoose: (side: Side) => void;
}

/** The three values of a conflict, from which the user chooses; nothing if the cell has none. */
export function CellConflict({ column, edit, onChoose }: CellConflictProps) {
  if (edit?.status.is !== 'conflict') return null;
  const { value, theirs } = edit.status;
  const { name, label } = column;
  const textOf = (side: Scalar) => formatFieldValue(column, valueText(side, column));
  return (
    <ConflictPanel
      // A choice belongs to the value that was shown.
      key={String(theirs)}
      title={texts.conflict}
      conflicts={[
        { path: name, label, theirs: textOf(theirs), mine: textOf(value), base: textOf(edit.base) },
      ]}
      action="save"
      onResolve={(choices) => onChoose(choices.get(name) ?? 'theirs')}
    />
  );
}
