import * as texts from '#messages/edits.ts';
import type { Message } from '../messages/message.ts';
import { RE2JS } from 're2js';
import { MAX_TEXT_LENGTH } from './value-rules.ts';

/** A text changed by an edit, or the reason why it cannot be changed. */
export type EditedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

export const CASES = ['upper', 'lower', 'title', 'sentence'] as const;
export type TextCase = (typeof CASES)[number];

const TOO_LONG: EditedText = {
  ok: false,
  message: texts.resultTooLong(MAX_TEXT_LENGTH),
};
const TOO_SLOW: EditedText = {
  ok: false,
  message: texts.searchTooSlow,
};

/**
 * The maximum number of steps of one search: the length of the text times the size of the compiled pattern. An engine
 * of linear time needs about 20 ns for each, so one search takes at most about half a second.
 */
const MAX_STEPS = 20_000_000;
/** The maximum time of all searches in one text, in milliseconds: each begins where the last match ended. */
const MAX_SEARCH_TIME = 250;

/** Makes the function that replaces each occurrence of a text by another. */
export function replacer(
  find: string,
  replacement: string,
  matchCase: boolean,
): (text: string) => EditedText {
  if (!matchCase) {
    const pattern = RE2JS.compile(RE2JS.quote(find), RE2JS.CASE_INSENSITIVE);
    return (text) => replaceMatches(pattern, text, [replacement]);
  }
  return (text) => {
    const parts = text.split(find);
    const length = text.length + (parts.length - 1) * (replacement.length - find.length);
    return length > MAX_TEXT_LENGTH * 2 ? TOO_LONG : { ok: true, text: parts.join(replacement) };
  };
}

/**
 * Makes the function that replaces each match of a regular expression (RE2: linear in the text's length).
 * @param replacement `$1` and `${name}` represent groups, `$0` the match, `$$` a dollar sign
 * @returns the reason if the expression is invalid or the replacement names a group that it does not have
 */
export function patternReplacer(
  pattern: string,
  replacement: string,
  matchCase: boolean,
):
  | { readonly replace: (text: string) => EditedText }
  | { readonly wrong: 'pattern' | 'with'; readonly message: Message } {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, matchCase ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch {
    return { wrong: 'pattern', message: texts.patternInvalid };
  }
  const names = Object.keys(compiled.namedGroups());
  const parts: (string | Group)[] = [];
  for (const [part, number, name] of replacement.matchAll(
    /\$\$|\$([0-9]{1,2})|\$\{([^}]*)\}|[^$]+|\$/g,
  )) {
    if (part === '$$') parts.push('$');
    else if (number !== undefined) {
      const known = readGroupNumber(number, compiled.groupCount());
      if (!known) {
        return { wrong: 'with', message: texts.noGroup({ number }) };
      }
      parts.push(known.group, known.rest);
    } else if (name === undefined) parts.push(part);
    else if (names.includes(name)) parts.push({ group: name });
    else return { wrong: 'with', message: texts.noNamedGroup({ name }) };
  }
  return { replace: (text) => replaceMatches(compiled, text, parts) };
}

interface Group {
  readonly group: number | string;
}

/** `$12` is group 12 if it exists, otherwise group 1 and the digit 2. */
function readGroupNumber(digits: string, count: number) {
  for (const length of [digits.length, 1]) {
    const group = Number(digits.slice(0, length));
    if (group <= count) return { group: { group }, rest: digits.slice(length) };
  }
  return undefined;
}

function replaceMatches(
  pattern: RE2JS,
  text: string,
  replacement: readonly (string | Group)[],
): EditedText {
  if (text.length * pattern.programSize() > MAX_STEPS) return TOO_SLOW;
  const matcher = pattern.matcher(text);
  const until = performance.now() + MAX_SEARCH_TIME;
  let edited = '';
  let end = 0;
  while (matcher.find()) {
    edited += text.slice(end, matcher.start());
    for (const part of replacement) {
      edited += typeof part === 'string' ? part : (matcher.group(part.group) ?? '');
    }
    end = matcher.end();
    if (edited.length > MAX_TEXT_LENGTH * 2) return TOO_LONG;
    if (performance.now() > until) return TOO_SLOW;
  }
  return { ok: true, text: end === 0 && edited === '' ? text : edited + text.slice(end) };
}

/** Removes blanks at the ends and reduces each run of blanks to one; line breaks stay, without blanks around them. */
export function trimBlanks(text: string): string {
  return text
    .trim()
    .replaceAll(/[^\S\r\n]+/g, ' ')
    .replaceAll(/ ?(\r\n|\r|\n) ?/g, '$1');
}

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;
/** The end of a sentence, a line break, or a word: matched one after the other, each character once. */
const SENTENCE_PARTS = /[.!?…]["'”’)\]]*\s|\n|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Writes a text in upper case, in lower case, with a capital for each word, or for each sentence. */
export function changeCase(text: string, to: TextCase): string {
  switch (to) {
    case 'upper':
      return text.toUpperCase();
    case 'lower':
      return text.toLowerCase();
    case 'title':
      return text.replaceAll(WORDS, (word) => {
        const [first = ''] = word;
        return first.toUpperCase() + word.slice(first.length).toLowerCase();
      });
    case 'sentence':
      return startSentences(text.toLowerCase());
    default:
      return to satisfies never;
  }
}

/** A sentence that begins with a number has no capital at its start. */
function startSentences(text: string): string {
  let begins = true;
  return text.replaceAll(SENTENCE_PARTS, (part) => {
    const [first = ''] = part;
    const word = /[\p{L}\p{N}]/u.test(first);
    const capital = word && begins;
    begins = !word;
    return capital ? first.toUpperCase() + part.slice(first.length) : part;
  });
}
