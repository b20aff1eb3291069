import { SegmentedControl } from '@mantine/core';
import type { ControlProps, EditorProps } from './editor.ts';

const CHOICES = [
  { value: '', label: 'Empty' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** Yes, no or no value; by arrow keys, or Y, N and Delete. */
export function BooleanEditor({ control, value, onChange, readOnly, onBlur }: EditorProps) {
  const { id, ...described } = control ?? ({} satisfies ControlProps);
  return (
    <SegmentedControl
      {...labelled(described)}
      id={id}
      data={CHOICES}
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
