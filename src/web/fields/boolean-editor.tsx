import { useId } from 'react';
import type { ControlProps } from '#web/ui/field.tsx';
import type { EditorProps } from './editor.ts';
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
  const name = useId();
  const chosen = value === 'true' || value === 'false' ? value : '';
  const choose = (choice: string) => {
    if (!readOnly) onChange(choice === '' ? null : choice);
  };
  return (
    // The chosen one has the keyboard; its keys are heard here.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      {...labelled(described)}
      role="radiogroup"
      id={id}
      className={classes.choices}
      data-read-only={readOnly || undefined}
      onBlur={onBlur}
      onKeyDown={(event) => {
        const choice = KEYS[event.key.toLowerCase()];
        if (choice === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        choose(choice);
      }}
    >
      {(withoutEmpty ? CHOICES.slice(1) : CHOICES).map((choice) => (
        <label key={choice.value} className={classes.choice}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === chosen}
            onChange={() => choose(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

const KEYS: Readonly<Record<string, string>> = {
  y: 'true',
  n: 'false',
  delete: '',
  backspace: '',
};

// A group of radio buttons is neither required nor invalid in ARIA's eyes in every browser.
function labelled(control: Omit<ControlProps, 'id'>) {
  return {
    'aria-label': control['aria-label'],
    'aria-labelledby': control['aria-labelledby'],
    'aria-describedby': control['aria-describedby'],
  };
}
