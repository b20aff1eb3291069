import type { Ref, TextareaHTMLAttributes } from 'react';
import classes from './input.module.css';

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** A multi-line text field; its height grows with the text. */
export function TextArea({ className = '', ...rest }: TextAreaProps) {
  return <textarea {...rest} className={`${classes.box} ${classes.lines} ${className}`} />;
}
