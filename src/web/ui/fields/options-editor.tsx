import { Select } from '@mantine/core';
import type { Scalar } from '#shared/values.ts';
import type { EditorProps } from './editor.ts';
import { tied } from './tied.tsx';

interface OptionsEditorProps extends EditorProps {
  readonly options: readonly Scalar[];
}

/** One of the options; type to find it. A stored value that is no option today is still shown, marked so. */
export function OptionsEditor({
  options,
  control,
  value,
  onChange,
  readOnly,
  onBlur,
  ref,
}: OptionsEditorProps) {
  const known = [...new Set(options.map(optionText))].filter((text) => text !== '');
  const shown = value === null || value === '' ? null : value;
  const stray = shown !== null && !known.includes(shown);
  return (
    <Select
      {...tied(control)}
      ref={ref}
      data={[
        ...(stray ? [{ value: shown, label: `${shown} (not an option today)` }] : []),
        ...known.map((text) => ({ value: text, label: text })),
      ]}
      value={shown}
      onChange={onChange}
      onBlur={onBlur}
      readOnly={readOnly ?? false}
      searchable
      clearable
      allowDeselect={false}
      limit={200}
      nothingFoundMessage="No such option"
      clearButtonProps={{ 'aria-label': 'Clear the value' }}
    />
  );
}

function optionText(option: Scalar): string {
  return option === null ? '' : String(option);
}
