import * as texts from '#messages/inputs.ts';
import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import combobox from '../combobox/combobox.module.css';
import { OptionList } from '../combobox/option-list.tsx';
import { useCombobox } from '../combobox/use-combobox.ts';
import { Dropdown } from '../dropdown.tsx';
import type { ControlProps } from '../field.tsx';
import classes from './input.module.css';
import { filterByText } from './filter-by-text.ts';
import { SelectEnd } from './select-end.tsx';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** the heading above it and the following options of the same group */
  readonly group?: string;
}

interface SelectProps<Value extends string> extends ControlProps {
  readonly ref?: Ref<HTMLInputElement>;
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** given if the value can be cleared */
  readonly onClear?: () => void;
  readonly onBlur?: () => void;
  readonly placeholder?: string;
  readonly 'data-autofocus'?: true | undefined;
  /** whether the options open on focus, without a key */
  readonly opensOnFocus?: boolean;
}

/** One of several options. Typing filters them; a text that is no option is discarded when the input loses the focus. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onChange, onClear, onBlur, ...others } = props;
  const { opensOnFocus = false, ...rest } = others;
  const anchor = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  /** null: nothing is typed, and all options are offered */
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed === null ? options : filterByText(options, typed, labelOf);
  const close = () => {
    setIsOpen(false);
    setTyped(null);
  };
  const open = () => setIsOpen(true);
  const list = useCombobox({
    options: shown,
    keyOf,
    isOpen,
    first: typed === null ? shown.findIndex((option) => option.value === value) : 0,
    onChoose: (option) => {
      close();
      onChange(option.value);
    },
    onOpen: open,
    onClose: close,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (list.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      // Enter opens the list and does not submit the form.
      event.preventDefault();
      open();
    } else if (event.key === 'Tab' && typed !== null && list.activeOption) {
      list.choose(list.activeOption);
    }
  };
  const label = options.find((option) => option.value === value)?.label ?? '';
  return (
    <div ref={anchor} className={classes.select}>
      <input
        {...rest}
        {...list.inputProps}
        type="text"
        className={classes.box}
        value={typed ?? label}
        onFocus={() => {
          if (opensOnFocus) open();
        }}
        onClick={(event) => {
          if (!isOpen) event.currentTarget.select();
          open();
        }}
        onChange={(event) => {
          const text = event.currentTarget.value;
          list.reset();
          open();
          setTyped(text);
          if (text === '') onClear?.();
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          list.close();
          onBlur?.();
        }}
      />
      <SelectEnd
        onClear={
          onClear && value !== null
            ? () => {
                close();
                onClear();
              }
            : null
        }
      />
      {isOpen && (
        <Dropdown anchor={anchor}>
          {shown.length > 0 ? (
            <OptionList
              combobox={list}
              options={shown}
              keyOf={keyOf}
              label={texts.options}
              groupOf={({ group }) => group}
            >
              {({ label }) => label}
            </OptionList>
          ) : (
            <p role="status" className={combobox.foot}>
              {texts.nothingFound}
            </p>
          )}
        </Dropdown>
      )}
    </div>
  );
}

/** Options with their labels from the messages. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): readonly SelectOption<Value>[] {
  return values.map((value) => ({ value, label: labels[value] }));
}

const keyOf = ({ value }: SelectOption<string>): string => value;
const labelOf = ({ label }: SelectOption<string>): string => label;
