import { type Change, diffChars, diffWordsWithSpace } from 'diff';
import type { ReactNode } from 'react';
import type { Scalar } from '#shared/values/values.ts';
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

/** Characters or words to remove and to add. With more it is another text to a reader, and finding them takes long. */
const MAX_EDITS = 200;
/** With more differences than this, single characters are harder to read than whole words. */
const MAX_CHARACTER_MARKS = 3;

function diff(before: string, after: string): readonly Change[] | undefined {
  const options = { maxEditLength: MAX_EDITS };
  const characters = diffChars(before, after, options);
  const marks = characters?.filter((part, at) => !isShared(part) && isShared(characters[at - 1]));
  return marks && marks.length <= MAX_CHARACTER_MARKS
    ? characters
    : diffWordsWithSpace(before, after, options);
}

function bothValues(before: Scalar, after: Scalar): [ReactNode, ReactNode] {
  const whole: [ReactNode, ReactNode] = [shown(before), shown(after)];
  if (typeof before !== 'string' || typeof after !== 'string' || before === '' || after === '') {
    return whole;
  }
  const parts = diff(before, after);
  const shared =
    parts?.filter((part) => isShared(part)).reduce((sum, { value }) => sum + value.length, 0) ?? 0;
  // Two other texts that have a word in common have nothing in common to a reader.
  if (!parts || shared * 2 < Math.min(before.length, after.length)) return whole;
  return [
    marked(parts.filter(({ added }) => !added)),
    marked(parts.filter(({ removed }) => !removed)),
  ];
}

/** Whether both texts have a part; the beginning counts as one. */
function isShared(part: Change | undefined): boolean {
  return !part?.added && !part?.removed;
}

/** One of two texts, of which the parts that the other one has not are marked. */
function marked(parts: readonly Change[]): ReactNode {
  return parts.map((part, at) => {
    if (!isShared(part)) return <Differs key={at}>{printed(part.value)}</Differs>;
    return near(part.value, at > 0, at < parts.length - 1);
  });
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

/** Of a longer part that both texts share, what is beside the differences is enough. */
const CONTEXT = 18;
const LONGEST_SHARED = 2 * CONTEXT;

/**
 * A part that both texts share, shortened where it is long.
 * @param isAfter whether a difference is before it
 * @param isBefore whether a difference follows it
 */
function near(shared: string, isAfter: boolean, isBefore: boolean): string {
  if (shared.length <= LONGEST_SHARED) return printed(shared);
  const start = isAfter ? printed(shared.slice(0, CONTEXT)) : '';
  return `${start}…${isBefore ? printed(shared.slice(-CONTEXT)) : ''}`;
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
