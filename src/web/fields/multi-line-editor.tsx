import { type EditorProps, valueOf } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import { applyEdit, hasLineBreak, MAX_LINE_LENGTH } from './line-breaks.ts';
import { useSuggestionList } from './use-suggestion-list.tsx';
import type { Suggest } from './use-suggestions.ts';

interface MultiLineEditorProps extends EditorProps {
  /** values in use, offered while the text is one line */
  readonly suggest?: Suggest | undefined;
}

/** Text of several lines; its height grows with it. Line breaks keep their stored form (CRLF, LF or CR). */
export function MultiLineEditor(props: MultiLineEditorProps) {
  const { suggest, control, value, onChange, emptyAs, onBlur, ...rest } = props;
  const { list, ask, anchor, dropdown } = useSuggestionList({
    suggest,
    fits: isLine,
    // In a text the arrow keys move the cursor between lines.
    opens: !rest.readOnly && !value,
    onChoose: (text) => onChange(valueOf(text, emptyAs)),
  });
  return (
    <div ref={anchor}>
      <textarea
        {...rest}
        {...control}
        {...(suggest ? list.textareaProps : {})}
        autoComplete="off"
        rows={1}
        className={`${inputClasses.box} ${inputClasses.lines}`}
        value={value ?? ''}
        onKeyDown={list.onKeyDown}
        onBlur={() => {
          list.close();
          onBlur?.();
        }}
        onChange={(event) => {
          const text = event.currentTarget.value;
          list.reset();
          ask(isLine(text) ? text : null);
          onChange(valueOf(applyEdit(value ?? '', text), emptyAs));
        }}
      />
      {dropdown}
    </div>
  );
}

function isLine(text: string): boolean {
  return text.length <= MAX_LINE_LENGTH && !hasLineBreak(text);
}
