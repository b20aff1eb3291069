import type { KeyboardEvent } from 'react';
import { LookUpList } from '#web/fields/look-up-list.tsx';
import { useLookUp } from '#web/fields/use-look-up.ts';
import type { CellEditorProps } from './cell-editor-props.ts';
import { moveOrEndEditByKey } from './end-edit-by-key.ts';
import { useFocusAtEnd } from './use-focus-at-end.ts';
import classes from './cell-editor.module.css';
import { BelowCell } from '#web/grid/below-cell.tsx';

/**
 * A line with datasets of another table below it. Typed text stays, whatever the list offers; choosing a dataset, or
 * typing its value completely, fills the other cells of the row.
 */
export function LookUpCellEditor(props: CellEditorProps) {
  const { column, editing, textAt, onText, onKey, onLeave } = props;
  const line = useFocusAtEnd<HTMLInputElement>();
  const lookUp = useLookUp({
    field: column,
    value: editing.initial,
    textAt,
    initial: editing.text === editing.initial ? '' : editing.text,
    firstOf: ({ options }, typed) => options.findIndex(({ value }) => value === typed),
    disabled: false,
    onChoose: ({ value, fills }) => onKey({ do: 'step', step: 'enter' }, value, fills),
  });
  const { list } = lookUp;
  const onKeyDown = (event: KeyboardEvent) =>
    moveOrEndEditByKey(event, editing.mode, { ...list, movesUp: true }, (action) => {
      const option = action.do === 'cancel' ? undefined : list.activeOption;
      if (option) onKey(action, option.value, option.fills);
      else onKey(action, editing.text);
    });
  return (
    <>
      <input
        {...list.inputProps}
        ref={line}
        className={classes.line}
        aria-label={column.label}
        value={editing.text}
        onChange={(event) => {
          lookUp.ask(event.currentTarget.value);
          onText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => onLeave(editing.text)}
      />
      {list.isOpen && (
        <BelowCell anchor={line} width={340}>
          <LookUpList lookUp={lookUp} />
        </BelowCell>
      )}
    </>
  );
}
