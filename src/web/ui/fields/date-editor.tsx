import { useId } from 'react';
import { dayForm } from '#shared/readings.ts';
import { readersLocale } from '#web/api/reader.ts';
import { readersDay } from '../value-text.ts';
import type { EditorProps } from './editor.ts';
import classes from './fields.module.css';
import { useWritten } from './use-written.ts';

interface DateEditorProps extends EditorProps {
  readonly type: 'date' | 'datetime';
}

/** How the reader writes a day, or a date and time: `DD/MM/YYYY HH:mm`. */
export function formOf(type: 'date' | 'datetime', locale = readersLocale()): string {
  return type === 'date' ? dayForm(locale) : `${dayForm(locale)} HH:mm`;
}

/**
 * A day, or a date and time with its offset from UTC, as the reader writes it or in the form of the interface.
 * What a day was taken for stands in it in words, from the first moment that it is one.
 */
export function DateEditor(props: DateEditorProps) {
  const { type, control, readOnly = false, ref } = props;
  const written = useWritten({ type, options: null }, props);
  const wordsId = useId();
  const words = type === 'date' ? readersDay(props.value) : null;
  const describedBy = [control?.['aria-describedby'], words === null ? undefined : wordsId];
  return (
    <div className={classes.day}>
      <input
        {...control}
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        type="text"
        ref={ref}
        readOnly={readOnly}
        autoComplete="off"
        placeholder={formOf(type)}
        className={`${classes.box} ${classes.digits}`}
        value={written.value}
        onChange={(event) => written.onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') written.onEnter();
        }}
        onBlur={written.onBlur}
      />
      {words !== null && (
        <span id={wordsId} className={classes.words} aria-hidden="true">
          {words}
        </span>
      )}
    </div>
  );
}
