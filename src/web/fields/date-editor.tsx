import { useId, useRef } from 'react';
import { dayInWords } from './value-text.ts';
import { useDayPicker } from './day-picker.tsx';
import { placeholderOf, type TypeEditorProps } from './editor.ts';
import inputClasses from '#web/ui/inputs/input.module.css';
import classes from './fields.module.css';
import { useTypedText } from './use-typed-text.ts';

/**
 * A date, or a date and time with its offset from UTC, in the user's format or that of the interface. As soon as the
 * text is a date, the editor shows that date in words. F4 opens a calendar.
 */
export function DateEditor(props: TypeEditorProps) {
  const { rules, control, readOnly = false, ref } = props;
  const typedText = useTypedText(props);
  const wordsId = useId();
  const field = useRef<HTMLInputElement>(null);
  const { onKeyDown, picker } = useDayPicker({
    rules,
    text: typedText.text,
    value: props.value,
    onChoose: (text) => {
      typedText.type(text);
      typedText.settle();
    },
    field,
  });
  // Not for a date and time.
  const words = dayInWords(props.value);
  const describedBy = [control?.['aria-describedby'], words === null ? undefined : wordsId];
  return (
    <div className={classes.day}>
      <input
        {...typedText.inputProps}
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        ref={(element) => {
          field.current = element;
          ref?.(element);
        }}
        placeholder={placeholderOf(rules)}
        className={`${inputClasses.box} ${classes.digits}`}
        onKeyDown={(event) => {
          typedText.inputProps.onKeyDown(event);
          if (!readOnly) onKeyDown(event);
        }}
      />
      {words !== null && (
        <span id={wordsId} className={classes.words} aria-hidden="true">
          {words}
        </span>
      )}
      {!readOnly && picker}
    </div>
  );
}
