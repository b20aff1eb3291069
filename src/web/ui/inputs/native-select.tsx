import type { SelectHTMLAttributes } from 'react';
import classes from './input.module.css';
import type { SelectOption } from './select.tsx';
import { SelectEnd } from './select-end.tsx';

interface NativeSelectProps<Value extends string> extends Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'onChange' | 'value'
> {
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** One of a few options, in the list of the browser: for rows of small inputs, as filters and sort keys have them. */
export function NativeSelect<Value extends string>(props: NativeSelectProps<Value>) {
  const { options, onChange, className = '', ...rest } = props;
  return (
    <div className={`${classes.select} ${className}`}>
      <select
        {...rest}
        className={classes.box}
        onChange={(event) => {
          const chosen = options[event.currentTarget.selectedIndex];
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <SelectEnd onClear={null} />
    </div>
  );
}
