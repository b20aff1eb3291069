import { type KeyboardEvent, useId, useState } from 'react';
import { type EditorProps, valueOf } from './editor.ts';
import classes from './fields.module.css';
import { applyEdit, hasLineBreak } from './line-breaks.ts';
import { LONGEST_LINE } from './one-line.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { type Suggest, useSuggestions } from './use-suggestions.ts';

interface MultiLineEditorProps extends EditorProps {
  /** values in use, offered to who types as long as the text is one line */
  readonly suggest?: Suggest | undefined;
}

/** Text of several lines; grows with it. Line breaks stay as they are stored (CRLF, LF or CR). */
export function MultiLineEditor(props: MultiLineEditorProps) {
  const { suggest, control, value, onChange, emptyAs, onBlur, ...rest } = props;
  const { offered, asked, ask } = useSuggestions(suggest);
  const listId = useId();
  const [picked, setPicked] = useState<string | null>(null);
  const lines = offered.filter(isLine);
  const open = asked !== null && lines.length > 0;
  const active = open && picked !== null ? lines.indexOf(picked) : -1;
  const close = () => {
    ask(null);
    setPicked(null);
  };
  const choose = (text: string) => {
    onChange(valueOf(text, emptyAs));
    close();
  };
  // The arrows go through the lines of the text, and Enter makes a new one, unless values are offered.
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, nativeEvent } = event;
    if (nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) return;
    const chosen = lines[active];
    if (open && (key === 'ArrowDown' || key === 'ArrowUp')) {
      setPicked(lines[stepped(active, key === 'ArrowDown' ? 1 : -1, lines.length)] ?? null);
    } else if (key === 'ArrowDown' && suggest && !rest.readOnly && !value) ask('');
    else if (key === 'Enter' && chosen !== undefined) choose(chosen);
    else if (key === 'Escape' && open) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={classes.suggested}>
      <textarea
        {...rest}
        {...control}
        {...(open && {
          'aria-controls': listId,
          'aria-activedescendant': active < 0 ? undefined : `${listId}-${active}`,
          // A dialog of the component library is not closed by the Escape that closes the list.
          'data-mantine-stop-propagation': true,
        })}
        aria-autocomplete={suggest ? 'list' : undefined}
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
          ask(suggest && isLine(text) ? text : null);
          onChange(valueOf(applyEdit(value ?? '', text), emptyAs));
        }}
      />
      {open && <SuggestionList id={listId} values={lines} active={active} onChoose={choose} />}
    </div>
  );
}

function isLine(text: string): boolean {
  return text.length <= LONGEST_LINE && !hasLineBreak(text);
}

/** The next of so many values, or the one before; what is typed (-1) comes between the last and the first. */
function stepped(active: number, by: 1 | -1, count: number): number {
  return ((active + 1 + by + count + 1) % (count + 1)) - 1;
}
