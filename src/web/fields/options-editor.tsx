import { Autocomplete, Combobox } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Scalar } from '#shared/values/values.ts';
import { choiceMeant, choicesFor, choicesOf } from './choices.ts';
import { type EditorProps, valueOf } from './editor.ts';
import { tied } from './tied.tsx';

interface OptionsEditorProps extends EditorProps {
  readonly options: readonly Scalar[];
}

/**
 * One of the options; type to find it. The text is the value from the first letter on: what stands for
 * one option alone is completed when the field is left or Enter is pressed, anything else stays as typed.
 */
export function OptionsEditor({
  options,
  control,
  value,
  onChange,
  emptyAs,
  readOnly,
  onBlur,
  ref,
}: OptionsEditorProps) {
  // Before anything is typed, all options are offered.
  const [typed, setTyped] = useState(false);
  const typedIn = useRef(false);
  const choices = choicesOf(options);
  const complete = () => {
    if (!typedIn.current || value === null) return;
    typedIn.current = false;
    const choice = choiceMeant(choices, value);
    if (choice !== null && choice !== value) onChange(choice);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { currentTarget } = event;
    if (event.key !== 'Enter' || currentTarget.getAttribute('aria-activedescendant')) return;
    complete();
  };
  return (
    <Autocomplete
      {...tied(control)}
      ref={ref}
      data={choices}
      filter={({ options: all }) => {
        const shown = typed ? choicesFor(choices, value ?? '') : choices;
        return shown.flatMap((choice) =>
          all.filter((one) => 'value' in one && one.value === choice),
        );
      }}
      value={value ?? ''}
      onChange={(text) => {
        if (text === (value ?? '')) return;
        typedIn.current = true;
        setTyped(true);
        onChange(valueOf(text, emptyAs));
      }}
      onOptionSubmit={() => (typedIn.current = false)}
      onDropdownClose={() => setTyped(false)}
      onKeyDown={onKeyDown}
      onBlur={() => {
        complete();
        onBlur?.();
      }}
      readOnly={readOnly ?? false}
      openOnFocus={false}
      clearable
      limit={200}
      rightSection={<Combobox.Chevron />}
      rightSectionPointerEvents="none"
      clearButtonProps={{ 'aria-label': 'Clear the value' }}
    />
  );
}
