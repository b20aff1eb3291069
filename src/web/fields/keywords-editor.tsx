import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { CloseIcon } from '../ui/icons.tsx';
import type { ControlProps } from '#web/ui/field.tsx';
import classes from './keywords-editor.module.css';

interface KeywordsEditorProps {
  readonly control?: ControlProps | undefined;
  /** as they are stored, even twice */
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly onBlur?: (() => void) | undefined;
  readonly readOnly?: boolean | undefined;
  /** shown where there is no keyword yet */
  readonly placeholder: string;
}

/**
 * Keywords as chips, and a line for the next one: Enter adds it, Backspace takes the last away. What stands in the
 * line is the last of the value already, so that saving and drafts have it without Enter. A keyword may hold a comma.
 */
export function KeywordsEditor(props: KeywordsEditorProps) {
  const { control, value, onChange, onBlur, readOnly = false, placeholder } = props;
  const line = useRef<HTMLInputElement>(null);
  // `counts`: it is the last of the value; a keyword that is there already is not there twice.
  const [typed, setTyped] = useState({ text: '', counts: false });
  const keyword = typed.text.trim();
  const counts = typed.counts && value.at(-1) === keyword;
  // Put back, or replaced from outside: what was typed has gone with it.
  if (typed.counts && !counts) setTyped({ text: '', counts: false });
  const chips = counts ? value.slice(0, -1) : value;

  const type = (text: string) => {
    const next = text.trim();
    const isNew = next !== '' && !chips.includes(next);
    setTyped({ text, counts: isNew });
    if (isNew || counts) onChange(isNew ? [...chips, next] : [...chips]);
  };
  const add = (texts: readonly string[]) => {
    const added = [...new Set(texts.map((text) => text.trim()))].filter(
      (text) => text !== '' && !chips.includes(text),
    );
    setTyped({ text: '', counts: false });
    if (added.length > 0 || counts) onChange([...chips, ...added]);
  };
  const remove = (at: number) => onChange(value.filter((_, place) => place !== at));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && keyword !== '') {
      event.preventDefault();
      add([keyword]);
    } else if (event.key === 'Backspace' && typed.text === '' && chips.length > 0 && !readOnly) {
      remove(chips.length - 1);
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const lines = event.clipboardData.getData('text/plain').split(/[\r\n\t]+/);
    if (lines.filter((text) => text.trim() !== '').length < 2) return;
    // Several cells or lines are as many keywords.
    event.preventDefault();
    add([typed.text, ...lines]);
  };
  return (
    // The line has the keyboard; the space around it leads there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={classes.box} onClick={() => line.current?.focus()}>
      {chips.map((chip, at) => (
        <span key={`${chip} ${at}`} className={classes.chip}>
          <span className={classes.text}>{chip}</span>
          {!readOnly && (
            <button
              type="button"
              className={classes.remove}
              tabIndex={-1}
              aria-label={`Remove ${chip}`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => remove(at)}
            >
              <CloseIcon size={11} />
            </button>
          )}
        </span>
      ))}
      <input
        ref={line}
        {...control}
        className={classes.line}
        autoComplete="off"
        readOnly={readOnly}
        placeholder={chips.length === 0 && !readOnly ? placeholder : ''}
        value={typed.text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => {
          if (typed.text !== '') add([typed.text]);
          onBlur?.();
        }}
      />
    </div>
  );
}
