import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS>();

/**
 * Whether the whole text matches the regular expression, in time linear in the text's length
 * (RE2: no pattern of a definition can hang the server or the page).
 * @throws {Error} where the expression is not one RE2 knows; definitions are checked by `isPattern` first
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let matcher = compiled.get(pattern);
  if (!matcher) {
    matcher = RE2JS.compile(pattern);
    compiled.set(pattern, matcher);
  }
  return matcher.matches(text);
}

/** Whether RE2 can read the expression (back-references and look-around are not in it). */
export function isPattern(pattern: string): boolean {
  try {
    matchesPattern(pattern, '');
    return true;
  } catch {
    return false;
  }
}
