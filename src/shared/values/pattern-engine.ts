import { RE2JS } from 're2js';
import { exampleOf } from './pattern-example.ts';
import { matchesPattern, matchPatternsBy, type PatternEngine } from './pattern.ts';

/** Matches in time linear in the text's length. */
export const RE2_ENGINE: PatternEngine = {
  compile: (pattern) => RE2JS.compile(pattern),
  exampleOf,
};

matchPatternsBy(RE2_ENGINE);

/** Whether RE2 accepts the expression (it has no back-references and look-around). */
export function isPattern(pattern: string): boolean {
  try {
    matchesPattern(pattern, '');
    return true;
  } catch {
    return false;
  }
}
