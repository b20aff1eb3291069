import type { Message } from '../messages/message.ts';

/** A part of a rule's text, in UTF-16 units, as `slice` counts them. */
export interface SourceRange {
  readonly offset: number;
  readonly length: number;
}

/** An error in a rule. The message names line and column. */
export interface RuleProblem extends Message, SourceRange {
  /** from 1 */
  readonly line: number;
  /** from 1, in characters (code points) */
  readonly column: number;
}

/** Ends the parsing of a rule; `catchRuleError` catches it. */
class RuleError extends Error {
  readonly range: SourceRange;
  readonly word: (at: { line: number; column: number }) => Message;

  constructor(range: SourceRange, word: (at: { line: number; column: number }) => Message) {
    super();
    this.range = range;
    this.word = word;
  }
}

/** Refuses a rule. @param word makes the message for a line and a column */
export function throwRuleError(
  range: SourceRange,
  word: (at: { line: number; column: number }) => Message,
): never {
  throw new RuleError(range, word);
}

export type RuleResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: RuleProblem };

/** Runs a function that may refuse a rule. */
export function catchRuleError<Value>(text: string, work: () => Value): RuleResult<Value> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const at = lineAndColumn(text, error.range.offset);
    return { ok: false, problem: { ...error.word(at), ...at, ...error.range } };
  }
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
