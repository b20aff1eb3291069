import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Scalar } from '#shared/values.ts';
import { diffTexts } from './diff-texts.ts';
import type { Edit } from './plan.ts';
import classes from './preview.module.css';

/** One value before → after; what differs within two texts is marked. */
export function EditLine({ edit, label }: { readonly edit: Edit; readonly label: string }) {
  const [before, after] =
    edit.kind === 'field'
      ? bothValues(edit.before, edit.after)
      : [keywords(edit.before), keywords(edit.after)];
  return (
    <div className={classes.edit}>
      <span className={classes.label}>{label}</span>
      <del className={classes.before}>{before}</del>
      <span className={classes.arrow} aria-hidden="true">
        →
      </span>
      <VisuallyHidden> becomes </VisuallyHidden>
      <ins className={classes.after}>{after}</ins>
    </div>
  );
}

function bothValues(before: Scalar, after: Scalar): [ReactNode, ReactNode] {
  if (typeof before !== 'string' || typeof after !== 'string' || before === '' || after === '') {
    return [shown(before), shown(after)];
  }
  const diff = diffTexts(before, after);
  const start = shorten(diff.start, 'end');
  const end = shorten(diff.end, 'start');
  const marked = (part: string) => (
    <>
      {start}
      {part !== '' && <mark className={classes.mark}>{printed(part)}</mark>}
      {end}
    </>
  );
  return [marked(diff.before), marked(diff.after)];
}

function shown(value: Scalar): ReactNode {
  if (value === null) return <em className={classes.none}>no value</em>;
  if (value === '') return <em className={classes.none}>empty text</em>;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? printed(value) : String(value);
}

function keywords(list: readonly string[]): ReactNode {
  return list.length === 0 ? <em className={classes.none}>no keywords</em> : list.join(' · ');
}

const MOST_IN_COMMON = 40;

/** The part next to what differs is enough of a long common part. */
function shorten(text: string, keep: 'start' | 'end'): string {
  if (text.length <= MOST_IN_COMMON) return printed(text);
  return keep === 'start'
    ? `${printed(text.slice(0, MOST_IN_COMMON))}…`
    : `…${printed(text.slice(-MOST_IN_COMMON))}`;
}

const LONGEST_SHOWN = 500;

/** Line breaks as signs, so that a value stays on its line and CRLF differs from LF. */
function printed(text: string): string {
  const part = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return part.toWellFormed().replaceAll('\r', '␍').replaceAll('\n', '↵').replaceAll('\t', '⇥');
}
