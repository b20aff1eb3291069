import type { InputHTMLAttributes, Ref } from 'react';
import classes from './input.module.css';

export interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
  readonly ref?: Ref<HTMLInputElement>;
  readonly size?: 'large' | 'normal' | undefined;
  /** where a dialog puts the focus when it opens */
  readonly 'data-autofocus'?: true | undefined;
}

/** One line of text, without its label (`Field`). */
export function TextInput({ size, className = '', ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      {...rest}
      data-size={size}
      className={`${classes.box} ${className}`}
    />
  );
}
