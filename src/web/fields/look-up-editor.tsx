import { Popover, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useShortcut } from '../ui/shortcuts.ts';
import { type EditorProps, valueOf } from './editor.ts';
import { LookUpList } from './look-up-list.tsx';
import type { Fill, LookUpOption, OptionsFrom } from './look-up.ts';
import classes from './look-up.module.css';
import { tied } from './tied.tsx';
import { useLookUp } from './use-look-up.ts';

interface LookUpEditorProps extends EditorProps {
  readonly from: OptionsFrom;
  /** fills other fields from the chosen dataset */
  readonly onFill: (fills: readonly Fill[]) => void;
  /** what stands in another field now */
  readonly textAt: (field: string) => string | null;
}

/** A value with the datasets of a table to choose from; choosing one fills other fields. Any other value can be typed. */
export function LookUpEditor(props: LookUpEditorProps) {
  const { from, onFill, textAt, control, value, onChange, emptyAs, onBlur } = props;
  const { ref, readOnly = false } = props;
  const look = useLookUp({
    from,
    value: value ?? '',
    textAt,
    first: null,
    // Whoever types is looking for something; whoever only comes by changes nothing by Enter.
    begin: ({ options }, typed) => (typed.trim() === '' || options.length === 0 ? -1 : 0),
    disabled: readOnly,
  });
  const { open, chosen, active, listId, close } = look;
  const choose = (option: LookUpOption) => {
    onChange(option.value);
    onFill(option.fills);
    close();
  };
  // A number that was typed in full, or an option one has gone to, is a choice also for those who go on at once.
  const settle = () => {
    if (chosen && (chosen.value === value || look.picked)) choose(chosen);
  };
  const settleFirst = () => {
    settle();
    // The key itself is the form's.
    return false;
  };
  const before = { first: true, inFields: true, enabled: open };
  useShortcut('mod+Enter', settleFirst, before);
  useShortcut('mod+S', settleFirst, before);
  useShortcut('mod+shift+S', settleFirst, before);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && !readOnly) {
      if (open) look.step(by);
      else look.ask('');
    } else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Escape' && open) close();
    else {
      if (event.key === 'Tab') settle();
      return;
    }
    event.preventDefault();
  };

  return (
    <Popover
      opened={open}
      position="bottom-end"
      width={340}
      offset={3}
      shadow="md"
      trapFocus={false}
      // The input is a combobox and says itself what belongs to it.
      withRoles={false}
      // In the form's landmark, and yet not cut off at its edges.
      withinPortal={false}
      floatingStrategy="fixed"
    >
      <Popover.Target popupType="listbox">
        <TextInput
          {...tied(control)}
          ref={ref}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          readOnly={readOnly}
          value={value ?? ''}
          onClick={() => look.ask(look.asked ?? '')}
          onBlur={() => {
            close();
            onBlur?.();
          }}
          onChange={(event) => {
            const text = event.currentTarget.value;
            look.ask(text);
            onChange(valueOf(text, emptyAs));
          }}
          onKeyDown={onKeyDown}
        />
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown ?? ''}>
        <LookUpList look={look} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}
