import { Autocomplete } from '@mantine/core';
import { type EditorProps, valueOf } from './editor.ts';
import { tied } from './tied.tsx';
import { type Suggest, useSuggestions } from './use-suggestions.ts';

interface SuggestionsEditorProps extends EditorProps {
  readonly suggest: Suggest;
}

/** One line of text with suggestions from values in use; any other text can be typed as well. */
export function SuggestionsEditor({
  suggest,
  control,
  value,
  onChange,
  emptyAs,
  onBlur,
  ...rest
}: SuggestionsEditorProps) {
  const { offered, ask } = useSuggestions(suggest);
  return (
    <Autocomplete
      {...rest}
      {...tied(control)}
      data={[...offered]}
      // The server has chosen already.
      filter={({ options }) => options}
      value={value ?? ''}
      openOnFocus={false}
      onFocus={() => ask('')}
      onBlur={() => {
        ask(null);
        onBlur?.();
      }}
      onChange={(text) => {
        if (text === (value ?? '')) return;
        ask(text);
        onChange(valueOf(text, emptyAs));
      }}
    />
  );
}
