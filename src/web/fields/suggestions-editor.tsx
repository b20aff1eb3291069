import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { useSuggestionList } from './use-suggestion-list.tsx';
import type { Suggest } from './use-suggestions.ts';

interface SuggestionsEditorProps extends EditorProps {
  readonly suggest: Suggest;
}

/** One line of text with suggestions from values in use; any other text can be typed as well. */
export function SuggestionsEditor(props: SuggestionsEditorProps) {
  const { suggest, control, value, onChange, emptyAs, onBlur, ...rest } = props;
  const { id, ask, open, close, onKeyDown, tied, list } = useSuggestionList({
    suggest,
    opens: !rest.readOnly,
    onChoose: (text) => onChange(valueOf(text, emptyAs)),
  });
  return (
    <div className={classes.suggested}>
      <input
        {...rest}
        {...control}
        {...tied}
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-controls={id}
        className={classes.box}
        autoComplete="off"
        value={value ?? ''}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (!open && !rest.readOnly) ask('');
        }}
        onBlur={() => {
          close();
          onBlur?.();
        }}
        onChange={(event) => {
          ask(event.currentTarget.value);
          onChange(valueOf(event.currentTarget.value, emptyAs));
        }}
      />
      {list}
    </div>
  );
}
