import { RE2JS } from 're2js';
import { matchesPattern, matchPatternsBy } from './pattern.ts';

matchPatternsBy((pattern) => RE2JS.compile(pattern));

/** Whether RE2 can read the expression (back-references and look-around are not in it). */
export function isPattern(pattern: string): boolean {
  try {
    matchesPattern(pattern, '');
    return true;
  } catch {
    return false;
  }
}
