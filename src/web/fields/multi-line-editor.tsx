import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { applyEdit, hasLineBreak } from './line-breaks.ts';
import { LONGEST_LINE } from './one-line.ts';
import { useSuggestionList } from './use-suggestion-list.tsx';
import type { Suggest } from './use-suggestions.ts';

interface MultiLineEditorProps extends EditorProps {
  /** values in use, offered to who types as long as the text is one line */
  readonly suggest?: Suggest | undefined;
}

/** Text of several lines; grows with it. Line breaks stay as they are stored (CRLF, LF or CR). */
export function MultiLineEditor(props: MultiLineEditorProps) {
  const { suggest, control, value, onChange, emptyAs, onBlur, ...rest } = props;
  const { ask, close, onKeyDown, tied, list } = useSuggestionList({
    suggest,
    fits: isLine,
    // The arrows go through the lines of a text.
    opens: !rest.readOnly && !value,
    onChoose: (text) => onChange(valueOf(text, emptyAs)),
  });
  return (
    <div className={classes.suggested}>
      <textarea
        {...rest}
        {...control}
        {...tied}
        autoComplete="off"
        rows={1}
        className={`${classes.box} ${classes.lines}`}
        value={value ?? ''}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onBlur?.();
        }}
        onChange={(event) => {
          const text = event.currentTarget.value;
          ask(isLine(text) ? text : null);
          onChange(valueOf(applyEdit(value ?? '', text), emptyAs));
        }}
      />
      {list}
    </div>
  );
}

function isLine(text: string): boolean {
  return text.length <= LONGEST_LINE && !hasLineBreak(text);
}
