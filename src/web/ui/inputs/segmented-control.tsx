import { type KeyboardEvent, useId } from 'react';
import type { ControlProps } from '../field.tsx';
import classes from './input.module.css';
import type { SelectOption } from './select.tsx';

interface SegmentedControlProps<Value extends string> extends ControlProps {
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly onBlur?: (() => void) | undefined;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly isReadOnly?: boolean;
  /** vertical */
  readonly isVertical?: boolean;
}

/** One of a few options, all of which are visible. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { options, value, onChange, isReadOnly = false, isVertical = false } = props;
  const name = useId();
  return (
    // The chosen option has the focus; its key events bubble up to this element.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      id={props.id}
      role="radiogroup"
      // In some browsers ARIA does not allow a group of radio buttons to be required or invalid.
      aria-label={props['aria-label']}
      aria-labelledby={props['aria-labelledby']}
      aria-describedby={props['aria-describedby']}
      className={classes.segments}
      data-read-only={isReadOnly || undefined}
      data-vertical={isVertical || undefined}
      onBlur={props.onBlur}
      onKeyDown={props.onKeyDown}
    >
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => {
              if (!isReadOnly) onChange(option.value);
            }}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
