import * as texts from '#messages/checks.ts';
import { isDate } from '../values/iso-dates.ts';
import { throwRuleError, type SourceRange } from './rule-problem.ts';

export interface Token extends SourceRange {
  /** `name`: a word, a keyword too; `quoted`: a name between double quotes; `sign`: an operator, bracket or comma */
  readonly kind: 'name' | 'quoted' | 'number' | 'text' | 'date' | 'sign' | 'end';
  /** of texts and quoted names the part between the quotes */
  readonly value: string;
}

const BLANK = /[ \t\r\n]+/y;
const NAME = /[A-Za-z][A-Za-z0-9_]*/y;
const QUOTED = /"([A-Za-z][A-Za-z0-9_]*)"/y;
const DATE = /[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])/y;
const NUMBER = /[0-9]+(?:\.[0-9]+)?/y;
/** What must not follow a number: `12a`, `1.`, `1.2.3`. */
const NUMBER_GOES_ON = /[A-Za-z0-9_.]+/y;
const TEXT = /'((?:[^']|'')*)'/y;
const SIGN = /<>|<=|>=|[=<>+\-*/(),.]/y;

/** Splits a rule into its words, values and signs. The last token marks the end. */
export function tokenize(rule: string): Token[] {
  const tokens: Token[] = [];
  for (let offset = skipBlanks(rule, 0); offset < rule.length;) {
    const token = tokenAt(rule, offset);
    tokens.push(token);
    offset = skipBlanks(rule, offset + token.length);
  }
  tokens.push({ kind: 'end', value: '', offset: rule.length, length: 0 });
  return tokens;
}

function skipBlanks(rule: string, offset: number): number {
  return offset + (match(BLANK, rule, offset)?.[0].length ?? 0);
}

function tokenAt(rule: string, offset: number): Token {
  const first = rule.charAt(offset);
  if (first === "'") {
    const found = match(TEXT, rule, offset);
    if (!found) throwRuleError({ offset, length: 1 }, texts.unclosedText);
    if (found[0].includes('\u0000') || !found[0].isWellFormed()) {
      throwRuleError({ offset, length: found[0].length }, texts.notStorable);
    }
    return tokenOf('text', found, (found[1] ?? '').replaceAll("''", "'"));
  }
  if (first === '"') {
    const found = match(QUOTED, rule, offset);
    if (!found) throwRuleError({ offset, length: 1 }, texts.unclosedName);
    return tokenOf('quoted', found, found[1]);
  }
  const name = match(NAME, rule, offset);
  if (name) return tokenOf('name', name);
  const date = match(DATE, rule, offset);
  if (date) {
    const token = followed(rule, tokenOf('date', date));
    if (isDate(token.value)) return token;
    return throwRuleError(token, (at) => texts.noSuchDate({ ...at, found: token.value }));
  }
  const number = match(NUMBER, rule, offset);
  if (number) return followed(rule, tokenOf('number', number));
  const sign = match(SIGN, rule, offset);
  if (sign) return tokenOf('sign', sign);
  const found = String.fromCodePoint(rule.codePointAt(offset) ?? 0);
  return throwRuleError({ offset, length: found.length }, (at) =>
    texts.unknownCharacter({ ...at, found }),
  );
}

/** Refuses a number or date that a letter, digit or point follows. */
function followed(rule: string, token: Token): Token {
  const rest = match(NUMBER_GOES_ON, rule, token.offset + token.length)?.[0];
  if (rest === undefined) return token;
  const range = { offset: token.offset, length: token.length + rest.length };
  return throwRuleError(range, (at) => texts.malformedNumber({ ...at, found: token.value + rest }));
}

function tokenOf(kind: Token['kind'], found: RegExpExecArray, value = found[0]): Token {
  return { kind, value, offset: found.index, length: found[0].length };
}

function match(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}
