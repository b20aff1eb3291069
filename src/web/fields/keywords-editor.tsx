import * as texts from '#messages/inputs.ts';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { CloseIcon } from '../ui/icons.tsx';
import type { ControlProps } from '#web/ui/field.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './keywords-editor.module.css';

interface KeywordsEditorProps {
  readonly control: ControlProps;
  /** as stored, including repetitions */
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly onBlur?: (() => void) | undefined;
  readonly readOnly?: boolean | undefined;
}

/**
 * Keywords as chips, and an input for the next one: Enter adds it, Backspace removes the last one. The text of the
 * input already counts as the last keyword of the value, so that saving and drafts include it without Enter. A keyword
 * may contain a comma.
 */
export function KeywordsEditor(props: KeywordsEditorProps) {
  const { control, value, onChange, onBlur, readOnly = false } = props;
  const line = useRef<HTMLInputElement>(null);
  // `counts`: it is the last keyword of the value; a repeated keyword is not added.
  const [typed, setTyped] = useState({ text: '', counts: false });
  const keyword = typed.text.trim();
  const counts = typed.counts && value.at(-1) === keyword;
  // After a restore or replacement from outside, the value no longer contains the typed text.
  if (typed.counts && !counts) setTyped({ text: '', counts: false });
  const chips = counts ? value.slice(0, -1) : value;

  const type = (text: string) => {
    const next = text.trim();
    const isNew = next !== '' && !chips.includes(next);
    setTyped({ text, counts: isNew });
    if (isNew || counts) onChange(isNew ? [...chips, next] : [...chips]);
  };
  const add = (keywords: readonly string[]) => {
    const added = [...new Set(keywords.map((text) => text.trim()))].filter(
      (text) => text !== '' && !chips.includes(text),
    );
    setTyped({ text: '', counts: false });
    if (added.length > 0 || counts) onChange([...chips, ...added]);
  };
  const remove = (at: number) => onChange(value.filter((_, index) => index !== at));

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
    // Each cell or line becomes a keyword.
    event.preventDefault();
    add([typed.text, ...lines]);
  };
  return (
    // A click beside the input focuses it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div className={classes.box} onClick={() => line.current?.focus()}>
      {chips.map((chip, at) => (
        <span key={`${chip} ${at}`} className={classes.chip}>
          <span className={shared.truncated}>{chip}</span>
          {!readOnly && (
            <button
              type="button"
              className={classes.remove}
              tabIndex={-1}
              aria-label={texts.removeKeyword(chip)}
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
        placeholder={chips.length === 0 && !readOnly ? texts.typeKeyword : ''}
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
