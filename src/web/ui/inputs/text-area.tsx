import type { Ref, TextareaHTMLAttributes } from 'react';
import classes from './input.module.css';

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text; it grows with them. */
export function TextArea({ className = '', ...rest }: TextAreaProps) {
  return <textarea {...rest} className={`${classes.box} ${classes.lines} ${className}`} />;
}
