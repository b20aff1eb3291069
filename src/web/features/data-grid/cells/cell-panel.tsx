import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { Button } from '#web/ui/button.tsx';
import { meaningsOf } from '#web/fields/typed-text.ts';
import { inWords, shownValue } from '#web/fields/value-text.ts';
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
      <p className={classes.message}>{problem}</p>
      {status.is === 'conflict' ? (
        <CellChoices
          column={column}
          edit={edit}
          onChoose={(whose) => act(() => actions.choose(rowKey, column, whose))()}
        />
      ) : (
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
      )}
    </div>
  );
}

/** The possible meanings of a cell's ambiguous text. */
export function meaningsIn(column: Column, edit: CellEdit | undefined): readonly Scalar[] {
  return edit?.status.is === 'unread' && edit.text !== null ? meaningsOf(column, edit.text) : [];
}

interface CellChoicesProps {
  readonly column: Column;
  readonly edit: CellEdit;
  readonly onChoose: (whose: 'mine' | 'theirs') => void;
}

/** The three values of a conflict, from which the user chooses. */
export function CellChoices({ column, edit, onChoose }: CellChoicesProps) {
  const { status } = edit;
  if (status.is !== 'conflict') return null;
  return (
    <div>
      <dl className={classes.values}>
        <Compared column={column} label={texts.before} value={edit.base} />
        <Compared column={column} label={texts.theirs} value={status.theirs} />
        <Compared column={column} label={texts.mine} value={status.value} />
      </dl>
      <div className={classes.choices}>
        <Button onClick={() => onChoose('mine')}>{texts.saveMine}</Button>
        <Button variant="default" onClick={() => onChoose('theirs')}>
          {texts.keepTheirs}
        </Button>
      </div>
    </div>
  );
}

interface ComparedProps {
  readonly label: string;
  readonly column: Column;
  readonly value: Scalar;
}

function Compared({ label, column, value }: ComparedProps) {
  return (
    <div className={classes.compared}>
      <dt>{label}</dt>
      <dd>
        {value === null || value === '' ? (
          <em>{value === null ? commonTexts.noValue : commonTexts.emptyText}</em>
        ) : (
          shownValue(column, value)
        )}
      </dd>
    </div>
  );
}
