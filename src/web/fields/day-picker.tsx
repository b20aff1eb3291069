import * as texts from '#messages/inputs.ts';
import { isDate } from '#shared/values/iso-dates.ts';
import { isInstant, type ValueType } from '#shared/values/registry.ts';
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { IconButton } from '../ui/button.tsx';
import { DateTypeIcon } from '../ui/icons.tsx';
import { keyLabel, matches } from '../ui/shortcuts.ts';
import classes from './fields.module.css';

/** Opens the calendar; Alt+↓, the usual key, goes to the next revision. */
export const CALENDAR_KEY = 'F4';

interface DayPickerOptions {
  readonly rules: { readonly type: ValueType };
  /** the text of the field in the user's format */
  readonly text: string;
  /** its value in the form of the interface; null if the text is none */
  readonly value: string | null;
  /** receives the text with the chosen date; '' if the calendar was cleared */
  readonly onChoose: (text: string) => void;
  /** receives the focus once a date is chosen */
  readonly field: RefObject<HTMLInputElement | null>;
}

/**
 * The browser's own calendar next to a text field: it is localised, works by keyboard and touch, and needs no script.
 * If the browser has none, the button does nothing and the field is typed in as before.
 * @returns `onKeyDown` opens it by its key, and returns whether it has; `picker` is rendered after the field
 */
export function useDayPicker({ rules, text, value, onChoose, field }: DayPickerOptions) {
  const native = useRef<HTMLInputElement>(null);
  const open = () => {
    field.current?.focus();
    native.current?.showPicker?.();
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!matches(CALENDAR_KEY, event)) return false;
    event.preventDefault();
    event.stopPropagation();
    open();
    return true;
  };
  const picker = (
    <>
      <input
        ref={native}
        type="date"
        className={classes.nativeDay}
        tabIndex={-1}
        aria-hidden="true"
        value={dayOf(value)}
        onChange={(event) => {
          const day = event.currentTarget.value;
          onChoose(isInstant(rules) && day !== '' ? withDay(text, day) : day);
          field.current?.focus();
        }}
      />
      <IconButton
        size={24}
        className={classes.calendar ?? ''}
        // F4 in the field opens it as well, so it is no extra Tab stop.
        tabIndex={-1}
        aria-label={texts.openCalendar}
        title={`${texts.openCalendar}  ${keyLabel(CALENDAR_KEY)}`}
        // A cell would end its editing when its field loses the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={open}
      >
        <DateTypeIcon size={14} />
      </IconButton>
    </>
  );
  return { onKeyDown, picker };
}

/** The date of a value in the form of the interface; '' if it contains none. */
function dayOf(value: string | null): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value ?? '')?.[0] ?? '';
  return isDate(day) ? day : '';
}

/** A date and time in the user's format, with another date; midnight if it has no time yet. */
function withDay(written: string, day: string): string {
  return `${day} ${/\d{1,2}:\d{2}.*$/.exec(written)?.[0] ?? '00:00'}`;
}
