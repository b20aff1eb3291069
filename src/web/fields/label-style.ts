import type { CSSProperties } from 'react';

/** A style with the property that the columns of labels read (`field.module.css`). */
type LabelStyle = CSSProperties & Readonly<Record<'--label-letters', number>>;

/**
 * The style of a form with its labels beside their editors: its column of labels has the room for their longest word,
 * which would otherwise break at any letter.
 * @param labels those of all fields of the form
 */
export function labelStyle(labels: readonly string[]): LabelStyle {
  const words = labels.flatMap((label) => label.split(/[\s\p{Pd}]+/u));
  return { '--label-letters': Math.max(0, ...words.map(({ length }) => length)) };
}
