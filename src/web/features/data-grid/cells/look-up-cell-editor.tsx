import type { KeyboardEvent } from 'react';
import type { OptionsFrom } from '#web/fields/look-up.ts';
import { LookUpList } from '#web/fields/look-up-list.tsx';
import { useLookUp } from '#web/fields/use-look-up.ts';
import { type CellEditorProps, useFocusAtEnd } from './cell-editor.tsx';
import classes from './cell-editor.module.css';
import { editorKey } from '../dataset-keys.ts';
import { BelowCell } from '#web/grid/below-cell.tsx';

interface LookUpCellEditorProps extends CellEditorProps {
  readonly from: OptionsFrom;
}

/**
 * One line with datasets of another table below it. What is typed stands, whatever the list offers; choosing a
 * dataset, or typing its value in full, fills the other cells of the row.
 */
export function LookUpCellEditor(props: LookUpCellEditorProps) {
  const { column, editing, from, textAt, onText, onKey, onLeave } = props;
  const line = useFocusAtEnd<HTMLInputElement>();
  const look = useLookUp({
    from,
    value: editing.initial,
    textAt,
    first: editing.text === editing.initial ? '' : editing.text,
    begin: ({ options }, typed) => options.findIndex(({ value }) => value === typed),
    disabled: false,
  });
  const { open, chosen, active, listId } = look;
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && open) {
      event.preventDefault();
      look.step(by);
      return;
    }
    const action = editorKey(event, editing.mode);
    if (!action) return;
    event.preventDefault();
    if (chosen && action.do !== 'cancel') onKey(action, chosen.value, chosen.fills);
    else onKey(action, editing.text);
  };
  return (
    <>
      <input
        ref={line}
        className={classes.line}
        role="combobox"
        aria-label={column.label}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        value={editing.text}
        onChange={(event) => {
          look.ask(event.currentTarget.value);
          onText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => onLeave(editing.text)}
      />
      {open && (
        <BelowCell of={line} gap={1} className={classes.lookUp} style={{ width: 340 }}>
          <LookUpList
            look={look}
            onChoose={({ value, fills }) => onKey({ do: 'step', step: 'enter' }, value, fills)}
          />
        </BelowCell>
      )}
    </>
  );
}
