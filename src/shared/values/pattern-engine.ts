import { RE2JS } from 're2js';
import { exampleOf } from './pattern-example.ts';
import { matchesPattern, matchPatternsBy } from './pattern.ts';

matchPatternsBy({ compile: (pattern) => RE2JS.compile(pattern), exampleOf });

/** Whether RE2 accepts the expression (it has no back-references and look-around). */
export function isPattern(pattern: string): boolean {
  try {
    matchesPattern(pattern, '');
    return true;
  } catch {
    return false;
  }
}
