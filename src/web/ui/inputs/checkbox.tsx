import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import classes from './input.module.css';

interface CheckboxProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly ref?: Ref<HTMLInputElement>;
  /** without it, `aria-label` names the checkbox */
  readonly label?: ReactNode;
  readonly description?: string | undefined;
  /** neither checked nor unchecked: it represents several, of which only some are checked */
  readonly indeterminate?: boolean;
}

/** A checkbox and its label. */
export function Checkbox(props: CheckboxProps) {
  const { label, description, indeterminate = false, className = '', ref, ...rest } = props;
  const id = useId();
  const box = (
    <input
      aria-describedby={description === undefined ? undefined : id}
      {...rest}
      ref={(element) => {
        if (element) element.indeterminate = indeterminate;
        if (typeof ref === 'function') return ref(element);
        if (ref) ref.current = element;
        return undefined;
      }}
      type="checkbox"
      className={classes.checkbox}
    />
  );
  if (label === undefined) return box;
  return (
    <div className={className}>
      <label className={classes.check}>
        {box}
        <span>{label}</span>
      </label>
      {description !== undefined && (
        <p id={id} className={classes.description}>
          {description}
        </p>
      )}
    </div>
  );
}
