import * as texts from '#messages/inputs.ts';
import { SegmentedControl } from '#web/ui/inputs/segmented-control.tsx';
import type { EditorProps } from './editor.ts';

const CHOICES = [
  { value: '', label: texts.empty },
  { value: 'true', label: texts.yes },
  { value: 'false', label: texts.no },
];

interface BooleanEditorProps extends EditorProps {
  /** whether an empty value cannot be chosen: nothing is selected until the user chooses yes or no */
  readonly withoutEmpty?: boolean;
}

/** Yes, no or no value; by arrow keys, or Y, N and Delete. */
export function BooleanEditor(props: BooleanEditorProps) {
  const { control, value, onChange, readOnly = false, onBlur, withoutEmpty = false } = props;
  const choose = (choice: string) => onChange(choice === '' ? null : choice);
  return (
    <SegmentedControl
      {...control}
      options={withoutEmpty ? CHOICES.slice(1) : CHOICES}
      value={value === 'true' || value === 'false' ? value : ''}
      onChange={choose}
      isReadOnly={readOnly}
      onBlur={onBlur}
      onKeyDown={(event) => {
        const choice = KEYS[event.key.toLowerCase()];
        if (choice === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        if (!readOnly) choose(choice);
      }}
    />
  );
}

const KEYS: Readonly<Record<string, string>> = {
  y: 'true',
  n: 'false',
  delete: '',
  backspace: '',
};
