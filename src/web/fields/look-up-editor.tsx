import { type KeyboardEvent, useRef } from 'react';
import { Dropdown } from '#web/ui/dropdown.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { type EditorProps, valueOf } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import type { Fill, LookUpField, LookUpOption } from './look-up.ts';
import { LookUpList } from './look-up-list.tsx';
import { useLookUp } from './use-look-up.ts';

interface LookUpEditorProps extends EditorProps {
  readonly field: LookUpField;
  /** fills other fields from the chosen dataset */
  readonly onFill: (fills: readonly Fill[]) => void;
  /** the present text of another field */
  readonly textAt: (field: string) => string | null;
  /** Enter has chosen an option. Missing: Enter also waits for options that are not known yet */
  readonly onEnter?: (() => void) | undefined;
}

/** A value with the datasets of a table as suggestions; choosing one fills other fields. Any other value can be typed. */
export function LookUpEditor(props: LookUpEditorProps) {
  const { field, onFill, textAt, onEnter, control, value, onChange, emptyAs, onBlur } = props;
  const { ref, readOnly = false } = props;
  const anchor = useRef<HTMLDivElement>(null);
  /** the value before anything was typed; null: nothing was typed since the last choice, blur or save */
  const initial = useRef<{ readonly value: string | null } | null>(null);
  const choose = (option: LookUpOption) => {
    initial.current = null;
    onChange(option.value);
    onFill(option.fills);
  };
  const lookUp = useLookUp({
    field,
    value: value ?? '',
    textAt,
    initial: null,
    // After typing, Enter takes the first option; in a field without changes it takes none.
    firstOf: ({ options }, typed) => (typed.trim() === '' || options.length === 0 ? -1 : 0),
    disabled: readOnly,
    onChoose: choose,
  });
  const { list } = lookUp;
  // A completely typed value, unless it was there before, and an option selected by key are also chosen when the field
  // loses the focus.
  const settle = () => {
    const option = list.activeOption;
    const isTyped = option?.value === value && initial.current?.value !== value;
    if (option && (isTyped || list.isPicked)) list.choose(option);
    initial.current = null;
  };
  const settleFirst = () => {
    settle();
    lookUp.stopWaiting();
    // The form handles the key itself.
    return false;
  };
  const before = { first: true, inFields: true, enabled: lookUp.isAsked };
  useShortcut('mod+Enter', settleFirst, before);
  useShortcut('mod+S', settleFirst, before);
  useShortcut('mod+shift+S', settleFirst, before);
  const onKeyDown = (event: KeyboardEvent) => {
    if (list.onKeyDown(event)) {
      if (event.key === 'Enter') onEnter?.();
      return;
    }
    if (event.key === 'Tab') settle();
    if (event.key === 'Escape') lookUp.stopWaiting();
    const { ctrlKey, metaKey, altKey, shiftKey, nativeEvent } = event;
    const isPlain = !(nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey);
    if (event.key === 'Enter' && isPlain && !onEnter && lookUp.onEarlyEnter()) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  return (
    <div ref={anchor}>
      <input
        {...control}
        {...list.inputProps}
        ref={ref}
        type="text"
        className={inputClasses.box}
        readOnly={readOnly}
        value={value ?? ''}
        onClick={() => {
          if (!lookUp.isAsked) lookUp.ask('');
        }}
        onBlur={() => {
          initial.current = null;
          list.close();
          onBlur?.();
        }}
        onChange={(event) => {
          initial.current ??= { value };
          lookUp.ask(event.currentTarget.value);
          onChange(valueOf(event.currentTarget.value, emptyAs));
        }}
        onKeyDown={onKeyDown}
      />
      {list.isOpen && (
        <Dropdown anchor={anchor} width={340}>
          <LookUpList lookUp={lookUp} />
        </Dropdown>
      )}
    </div>
  );
}
