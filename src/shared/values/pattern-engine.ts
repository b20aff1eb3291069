import { RE2JS } from 're2js';
import { exampleOf } from './pattern-example.ts';
import { matchesPattern, matchPatternsBy } from './pattern.ts';

matchPatternsBy({ compile: (pattern) => RE2JS.compile(pattern), exampleOf });

/** Whether RE2 can read the expression (back-references and look-around are not in it). */
export function isPattern(pattern: string): boolean {
  try {
    matchesPattern(pattern, '');
    return true;
  } catch {
    return false;
  }
}
