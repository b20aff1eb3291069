/** An expression that was read, and what it is asked. */
interface Matcher {
  matches(text: string): boolean;
}
type PatternEngine = (pattern: string) => Matcher;

let compile: PatternEngine = () => {
  throw new Error('Nothing was named that matches patterns; import pattern-engine.ts.');
};
const compiled = new Map<string, Matcher>();

/**
 * Names what matches patterns from now on. The engine itself (pattern-engine.ts) is large, and the web admin
 * fetches it when a page stands whose definition has a pattern; everybody else imports it at once.
 */
export function matchPatternsBy(engine: PatternEngine): void {
  compile = engine;
  compiled.clear();
}

/**
 * Whether the whole text matches the regular expression, in time linear in the text's length
 * (RE2: no pattern of a definition can hang the server or the page).
 * @throws {Error} where the expression is not one RE2 knows; definitions are checked by `isPattern` first
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let matcher = compiled.get(pattern);
  if (!matcher) {
    matcher = compile(pattern);
    compiled.set(pattern, matcher);
  }
  return matcher.matches(text);
}
