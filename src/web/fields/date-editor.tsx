import { isInstant } from '#shared/values/registry.ts';
import { useId, useRef } from 'react';
import { isDate } from '#shared/values/dates.ts';
import { matches } from '../ui/shortcuts.ts';
import { readersDay } from './value-text.ts';
import { DayPicker, type DayPickerHandle } from './day-picker.tsx';
import { placeholderOf, type TypeEditorProps } from './editor.ts';
import classes from './fields.module.css';
import { useWritten } from './use-written.ts';

/** Opens the calendar; Alt+↓, the usual key, goes to the next revision. */
export const CALENDAR_KEY = 'F4';

/**
 * A day, or a date and time with its offset from UTC, as the reader writes it or in the form of the interface.
 * What a day was taken for stands in it in words, from the first moment that it is one. F4 opens a calendar.
 */
export function DateEditor(props: TypeEditorProps) {
  const { rules, control, readOnly = false, ref } = props;
  const written = useWritten(rules, props);
  const wordsId = useId();
  const field = useRef<HTMLInputElement>(null);
  const calendar = useRef<DayPickerHandle>(null);
  const choose = (day: string) => {
    written.onChange(isInstant(rules) && day !== '' ? withDay(written.value, day) : day);
    written.onEnter();
  };
  // Of a date and time it is none.
  const words = readersDay(props.value);
  const describedBy = [control?.['aria-describedby'], words === null ? undefined : wordsId];
  return (
    <div className={classes.day}>
      <input
        {...control}
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        type="text"
        ref={(element) => {
          field.current = element;
          ref?.(element);
        }}
        readOnly={readOnly}
        autoComplete="off"
        placeholder={placeholderOf(rules)}
        className={`${classes.box} ${classes.digits}`}
        value={written.value}
        onChange={(event) => written.onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') written.onEnter();
          if (readOnly || !matches(CALENDAR_KEY, event)) return;
          event.preventDefault();
          calendar.current?.open();
        }}
        onBlur={written.onBlur}
      />
      {words !== null && (
        <span id={wordsId} className={classes.words} aria-hidden="true">
          {words}
        </span>
      )}
      {!readOnly && (
        <DayPicker ref={calendar} field={field} day={dayOf(props.value)} onChoose={choose} />
      )}
    </div>
  );
}

/** The day of a value in the form of the interface; '' where it holds none. */
export function dayOf(value: string | null): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value ?? '')?.[0] ?? '';
  return isDate(day) ? day : '';
}

/** A date and time as it is written, with another day; midnight where it has no time yet. */
export function withDay(written: string, day: string): string {
  return `${day} ${/\d{1,2}:\d{2}.*$/.exec(written)?.[0] ?? '00:00'}`;
}
