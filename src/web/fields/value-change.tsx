import type { ReactNode } from 'react';
import type { Scalar } from '#shared/values/values.ts';
import { diffTexts } from './diff-texts.ts';
import classes from './value-change.module.css';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { localText, type WrittenRules } from './value-text.ts';

interface ValueChangeProps {
  readonly label: string;
  /** undefined where the field is no more: its values are shown as they are stored */
  readonly rules: WrittenRules | undefined;
  readonly before: Scalar;
  readonly after: Scalar;
}

/** One value before → after in a line; what differs within two texts is marked. */
export function ValueChange({ label, rules, before, after }: ValueChangeProps) {
  const [old, next] = bothValues(written(rules, before), written(rules, after));
  return <ChangeLine label={label} before={old} after={next} />;
}

interface KeywordsChangeProps {
  readonly label: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The values of a keyword field before → after in a line. */
export function KeywordsChange({ label, before, after }: KeywordsChangeProps) {
  return <ChangeLine label={label} before={keywords(before)} after={keywords(after)} />;
}

interface ChangeLineProps {
  readonly label: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

function ChangeLine({ label, before, after }: ChangeLineProps) {
  return (
    <div className={classes.change}>
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

/** Numbers and dates by the reader's customs; texts stay as they are, to the character. */
function written(rules: WrittenRules | undefined, value: Scalar): Scalar {
  if (!rules || value === null || value === '' || typeof value === 'boolean') return value;
  return rules.type === 'text' ? value : localText(rules, value);
}

function bothValues(before: Scalar, after: Scalar): [ReactNode, ReactNode] {
  if (typeof before !== 'string' || typeof after !== 'string' || before === '' || after === '') {
    return [shown(before), shown(after)];
  }
  const diff = diffTexts(before, after);
  const shared = diff.start.length + diff.end.length;
  // Two other texts that begin with the same letter have nothing in common to a reader.
  if (shared * 2 < Math.min(before.length, after.length)) return [shown(before), shown(after)];
  const start = nearEnd(diff.start);
  const end = nearStart(diff.end);
  const marked = (part: string) => (
    <>
      {start}
      {part !== '' && <Differs>{printed(part)}</Differs>}
      {end}
    </>
  );
  return [marked(diff.before), marked(diff.after)];
}

function shown(value: Scalar): ReactNode {
  if (value === null) return <em className={classes.none}>no value</em>;
  if (value === '') return <em className={classes.none}>empty text</em>;
  if (typeof value === 'boolean') return <Differs>{value ? 'Yes' : 'No'}</Differs>;
  return <Differs>{printed(String(value))}</Differs>;
}

function keywords(list: readonly string[]): ReactNode {
  if (list.length === 0) return <em className={classes.none}>no keywords</em>;
  return <Differs>{list.map(printed).join(' · ')}</Differs>;
}

/** What the change is about: struck out before, marked after. */
function Differs({ children }: { readonly children: string }) {
  return <mark className={classes.mark}>{children}</mark>;
}

/** Of a longer part that both texts share, what stands beside the difference is enough. */
const LONGEST_SHARED = 30;
const KEPT_OF_SHARED = 18;

function nearEnd(shared: string): string {
  return shared.length <= LONGEST_SHARED
    ? printed(shared)
    : `…${printed(shared.slice(-KEPT_OF_SHARED))}`;
}

function nearStart(shared: string): string {
  return shared.length <= LONGEST_SHARED
    ? printed(shared)
    : `${printed(shared.slice(0, KEPT_OF_SHARED))}…`;
}

const LONGEST_SHOWN = 500;

/** Line breaks as signs, so that a value stays on its line, and CRLF, LF and CR are told apart. */
function printed(text: string): string {
  const part = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return part
    .toWellFormed()
    .replaceAll('\r\n', '¶')
    .replaceAll('\n', '↵')
    .replaceAll('\r', '←')
    .replaceAll('\t', '⇥');
}
