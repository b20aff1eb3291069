import { SegmentedControl } from '@mantine/core';
import type { ControlProps, EditorProps } from './editor.ts';
import classes from './fields.module.css';

const CHOICES = [
  { value: '', label: 'Empty' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

interface BooleanEditorProps extends EditorProps {
  /** no value cannot be chosen: nothing is, until yes or no is */
  readonly withoutEmpty?: boolean;
}

/** Yes, no or no value; by arrow keys, or Y, N and Delete. */
export function BooleanEditor(props: BooleanEditorProps) {
  const { control, value, onChange, readOnly, onBlur, withoutEmpty = false } = props;
  const { id, ...described } = control ?? ({} satisfies ControlProps);
  return (
    <SegmentedControl
      {...labelled(described)}
      id={id}
      data={withoutEmpty ? CHOICES.slice(1) : CHOICES}
      classNames={{ indicator: classes.chosen ?? '', label: classes.choice ?? '' }}
      value={value === 'true' || value === 'false' ? value : ''}
      onChange={(choice) => onChange(choice === '' ? null : choice)}
      readOnly={readOnly ?? false}
      onBlur={onBlur}
      onKeyDown={(event) => {
        const choice = KEYS[event.key.toLowerCase()];
        if (choice === undefined || readOnly || event.ctrlKey || event.altKey || event.metaKey) {
          return;
        }
        event.preventDefault();
        onChange(choice);
      }}
    />
  );
}

const KEYS: Readonly<Record<string, string | null>> = {
  y: 'true',
  n: 'false',
  delete: null,
  backspace: null,
};

// A group of radio buttons is neither required nor invalid in ARIA's eyes in every browser.
function labelled(control: Omit<ControlProps, 'id'>) {
  return {
    'aria-label': control['aria-label'],
    'aria-labelledby': control['aria-labelledby'],
    'aria-describedby': control['aria-describedby'],
  };
}
