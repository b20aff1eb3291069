import { type EditorProps, valueOf } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import { useSuggestionList } from './use-suggestion-list.tsx';
import type { Suggest } from './use-suggestions.ts';

interface TextEditorProps extends EditorProps {
  /** values in use; any other text can be typed as well */
  readonly suggest: Suggest | undefined;
}

/** One line of text. */
export function TextEditor(props: TextEditorProps) {
  const { suggest, control, value, onChange, emptyAs, onBlur, ...rest } = props;
  const { list, ask, anchor, dropdown } = useSuggestionList({
    suggest,
    opens: !rest.readOnly,
    onChoose: (text) => onChange(valueOf(text, emptyAs)),
  });
  return (
    <div ref={anchor}>
      <input
        {...rest}
        {...control}
        {...(suggest ? list.inputProps : {})}
        type="text"
        className={inputClasses.box}
        autoComplete="off"
        value={value ?? ''}
        onKeyDown={list.onKeyDown}
        onClick={() => {
          if (!list.isOpen && !rest.readOnly) ask('');
        }}
        onBlur={() => {
          list.close();
          onBlur?.();
        }}
        onChange={(event) => {
          list.reset();
          ask(event.currentTarget.value);
          onChange(valueOf(event.currentTarget.value, emptyAs));
        }}
      />
      {dropdown}
    </div>
  );
}
