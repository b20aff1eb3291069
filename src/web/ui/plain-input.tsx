import { type InputHTMLAttributes, type Ref, useId } from 'react';
import classes from './plain-input.module.css';

interface PlainInputProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  /** where a dialog puts the focus when it opens */
  readonly 'data-autofocus'?: true | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A labelled line of text for what stands before the component library is loaded; elsewhere use `TextInput`. */
export function PlainInput({ label, ...rest }: PlainInputProps) {
  const id = useId();
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <input id={id} {...rest} className={classes.input} />
    </div>
  );
}
