import { Popover } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import type { OptionsFrom } from '#web/ui/fields/look-up.ts';
import { LookUpList } from '#web/ui/fields/look-up-list.tsx';
import { useLookUp } from '#web/ui/fields/use-look-up.ts';
import { type CellEditorProps, useFocusAtEnd } from './cell-editor.tsx';
import classes from './cell-editor.module.css';
import { GRID_LAYER } from './grid-layer.ts';
import { editorKey } from './keys.ts';

interface LookUpCellEditorProps extends CellEditorProps {
  readonly from: OptionsFrom;
}

/**
 * One line with datasets of another table below it. What is typed stands, whatever the list offers; choosing a
 * dataset, or typing its value in full, fills the other cells of the row.
 */
export function LookUpCellEditor(props: LookUpCellEditorProps) {
  const { column, editing, from, textAt, onText, onKey, onLeave } = props;
  const focus = useFocusAtEnd();
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
    <Popover
      opened={open}
      position="bottom-start"
      width={340}
      offset={1}
      portalProps={GRID_LAYER}
      withRoles={false}
      trapFocus={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <input
          ref={focus}
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
      </Popover.Target>
      <Popover.Dropdown className={classes.lookUp} data-grid-part>
        <LookUpList
          look={look}
          onChoose={({ value, fills }) => onKey({ do: 'step', step: 'enter' }, value, fills)}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
