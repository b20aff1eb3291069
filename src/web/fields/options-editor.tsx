import * as texts from '#messages/inputs.ts';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Scalar } from '#shared/values/value-type.ts';
import { OptionList } from '#web/ui/combobox/option-list.tsx';
import { useCombobox } from '#web/ui/combobox/use-combobox.ts';
import { Dropdown } from '#web/ui/dropdown.tsx';
import { matchingChoice, filterChoices, choicesOf } from './field-choices.ts';
import { type EditorProps, valueOf } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import { SelectEnd } from '#web/ui/inputs/select-end.tsx';

interface OptionsEditorProps extends EditorProps {
  readonly options: readonly Scalar[];
}

const MAX_SHOWN = 200;

/**
 * One of the options; typing filters them. The typed text is the value at once: a text that matches only one option is
 * completed when the field loses the focus or Enter is pressed, any other stays as typed.
 */
export function OptionsEditor(props: OptionsEditorProps) {
  const { options, control, value, onChange, emptyAs, readOnly = false, onBlur, ref } = props;
  const anchor = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  // All options are offered until something is typed.
  const [isTyped, setIsTyped] = useState(false);
  const mayComplete = useRef(false);
  const choices = choicesOf(options);
  const shown = (isTyped ? filterChoices(choices, value ?? '') : choices).slice(0, MAX_SHOWN);
  const open = () => {
    if (!readOnly) setIsOpen(true);
  };
  const close = () => {
    setIsOpen(false);
    setIsTyped(false);
  };
  const list = useCombobox({
    options: shown,
    keyOf,
    isOpen,
    isFreeText: true,
    onChoose: (choice) => {
      mayComplete.current = false;
      onChange(choice);
      close();
    },
    onOpen: open,
    onClose: close,
  });
  const clear = () => {
    mayComplete.current = false;
    close();
    onChange(valueOf('', emptyAs));
  };
  const complete = () => {
    if (!mayComplete.current || value === null) return;
    mayComplete.current = false;
    const choice = matchingChoice(choices, value);
    if (choice !== null && choice !== value) onChange(choice);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (list.onKeyDown(event)) return;
    if (event.key === 'Enter') complete();
  };
  return (
    <div ref={anchor} className={inputClasses.select}>
      <input
        {...control}
        {...list.inputProps}
        ref={ref}
        type="text"
        className={inputClasses.box}
        readOnly={readOnly}
        value={value ?? ''}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={() => {
          complete();
          list.close();
          onBlur?.();
        }}
        onChange={(event) => {
          mayComplete.current = true;
          setIsTyped(true);
          open();
          list.reset();
          onChange(valueOf(event.currentTarget.value, emptyAs));
        }}
      />
      <SelectEnd onClear={value === null || value === '' || readOnly ? null : clear} />
      {list.isOpen && (
        <Dropdown anchor={anchor}>
          <OptionList combobox={list} options={shown} keyOf={keyOf} label={texts.options}>
            {(choice) => choice}
          </OptionList>
        </Dropdown>
      )}
    </div>
  );
}

const keyOf = (choice: string) => choice;
