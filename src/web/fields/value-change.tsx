import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/inputs.ts';
import { type Change, diffChars, diffWordsWithSpace } from 'diff';
import type { ReactNode } from 'react';
import { isLocalized, isNumber } from '#shared/values/registry.ts';
import { parseType } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { isList, type StoredContent } from '#web/fields/value-checks.ts';
import { fieldValueText } from './field-model.ts';
import classes from './value-change.module.css';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { groupedText, type WrittenRules } from './value-text.ts';
import { truncate } from '#shared/values/truncate.ts';

interface ValueChangeProps {
  readonly label: string;
  /** undefined if the field no longer exists: its values are shown as stored */
  readonly rules: WrittenRules | undefined;
  /** undefined: the record is new */
  readonly before: StoredContent | undefined;
  readonly after: StoredContent;
}

/**
 * The change of one field, before → after, on one line; differences within two texts are highlighted. A new record has
 * only the value after it.
 */
export function ValueChange({ label, rules, before, after }: ValueChangeProps) {
  const [old, next] =
    isList(after) && (before === undefined || isList(before))
      ? [listText(before ?? []), listText(after)]
      : bothValues(written(rules, before ?? null), written(rules, after), rules);
  return (
    <div className={classes.change}>
      <span className={classes.label}>{label}</span>
      {before !== undefined && (
        <>
          <del className={classes.before}>{old}</del>
          <span className={classes.arrow} aria-hidden="true">
            →
          </span>
          <VisuallyHidden> {texts.becomes} </VisuallyHidden>
        </>
      )}
      <ins className={classes.after}>{next}</ins>
    </div>
  );
}

/** Numbers and dates in the user's locale; texts unchanged. */
function written(rules: WrittenRules | undefined, value: StoredContent): Scalar {
  if (isList(value)) return fieldValueText(value);
  if (!rules || value === null || !isLocalized(rules)) return value;
  // A value from before the type of the field was changed may have no meaning in it.
  const isOfType = isNumber(rules)
    ? typeof value === 'number'
    : typeof value === 'string' && parseType(rules, value).ok;
  return isOfType ? groupedText(rules, value) : value;
}

/**
 * Maximum number of characters or words to remove and add. Beyond it the texts count as different, and computing the
 * differences takes long.
 */
const MAX_EDITS = 200;
/** With more differences than this, whole words are easier to read than single characters. */
const MAX_CHARACTER_MARKS = 3;

function diff(before: string, after: string): readonly Change[] | undefined {
  const options = { maxEditLength: MAX_EDITS };
  const characters = diffChars(before, after, options);
  const marks = characters?.filter((part, at) => !isShared(part) && isShared(characters[at - 1]));
  return marks && marks.length <= MAX_CHARACTER_MARKS
    ? characters
    : diffWordsWithSpace(before, after, options);
}

function bothValues(
  before: Scalar,
  after: Scalar,
  rules: WrittenRules | undefined,
): [ReactNode, ReactNode] {
  const unmarked: [ReactNode, ReactNode] = [shown(before), shown(after)];
  // Digits that two numbers share say nothing.
  if (rules && isNumber(rules)) return unmarked;
  if (typeof before !== 'string' || typeof after !== 'string' || before === '' || after === '') {
    return unmarked;
  }
  const parts = diff(before, after);
  const shared =
    parts?.filter((part) => isShared(part)).reduce((sum, { value }) => sum + value.length, 0) ?? 0;
  // Two different texts that only share a word are not similar.
  if (!parts || shared * 2 < Math.min(before.length, after.length)) return unmarked;
  return [
    highlightDifferences(parts.filter(({ added }) => !added)),
    highlightDifferences(parts.filter(({ removed }) => !removed)),
  ];
}

/** Whether both texts contain a part; the beginning counts as one. */
function isShared(part: Change | undefined): boolean {
  return !part?.added && !part?.removed;
}

/** One of two texts, with the parts that the other one lacks highlighted. */
function highlightDifferences(parts: readonly Change[]): ReactNode {
  return parts.map((part, at) => {
    if (!isShared(part)) return <Difference key={at}>{printed(part.value)}</Difference>;
    return shortened(part.value, at > 0, at < parts.length - 1);
  });
}

function shown(value: Scalar): ReactNode {
  if (value === null) return <em className={classes.none}>{commonTexts.noValue}</em>;
  if (value === '') return <em className={classes.none}>{commonTexts.emptyText}</em>;
  if (typeof value === 'boolean') return <Difference>{value ? texts.yes : texts.no}</Difference>;
  return <Difference>{printed(String(value))}</Difference>;
}

function listText(list: readonly string[]): ReactNode {
  if (list.length === 0) return <em className={classes.none}>{texts.none}</em>;
  return <Difference>{list.map(printed).join(' · ')}</Difference>;
}

/** A difference: struck out before, highlighted after. */
function Difference({ children }: { readonly children: string }) {
  return <mark className={classes.mark}>{children}</mark>;
}

/** How many characters of a longer shared part are shown next to a difference. */
const CONTEXT = 18;
const MAX_SHARED_LENGTH = 2 * CONTEXT;

/**
 * A shared part of both texts, shortened if it is long.
 * @param isAfter whether a difference precedes it
 * @param isBefore whether a difference follows it
 */
function shortened(shared: string, isAfter: boolean, isBefore: boolean): string {
  if (shared.length <= MAX_SHARED_LENGTH) return printed(shared);
  const start = isAfter ? printed(shared.slice(0, CONTEXT)) : '';
  return `${start}…${isBefore ? printed(shared.slice(-CONTEXT)) : ''}`;
}

const MAX_SHOWN_LENGTH = 500;

/** Line breaks as symbols, so that a value stays on its line, and CRLF, LF and CR look different. */
function printed(text: string): string {
  return truncate(text, MAX_SHOWN_LENGTH)
    .replaceAll('\r\n', '¶')
    .replaceAll('\n', '↵')
    .replaceAll('\r', '←')
    .replaceAll('\t', '⇥');
}
