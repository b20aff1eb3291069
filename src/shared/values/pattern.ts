/** A parsed expression, and its operations. */
interface Matcher {
  matches(text: string): boolean;
}
export interface PatternEngine {
  compile(pattern: string): Matcher;
  /** @returns a text that the pattern matches; null: none was found */
  exampleOf(pattern: string): string | null;
}

const missing = (): never => {
  throw new Error('Nothing was named that matches patterns; import pattern-engine.ts.');
};
let engine: PatternEngine = { compile: missing, exampleOf: missing };
const compiled = new Map<string, Matcher>();

/**
 * Sets the engine that matches patterns from now on. The engine itself (pattern-engine.ts) is large, and the web admin
 * loads it when a page with a pattern in its definition is shown; all others import it immediately.
 */
export function matchPatternsBy(next: PatternEngine): void {
  engine = next;
  compiled.clear();
}

/**
 * Whether the whole text matches the regular expression, in time linear in the text's length (RE2: no pattern of a
 * definition can hang the server or the page).
 * @throws {Error} if RE2 does not support the expression; definitions are checked by `isPattern` first
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let matcher = compiled.get(pattern);
  if (!matcher) {
    matcher = engine.compile(pattern);
    compiled.set(pattern, matcher);
  }
  return matcher.matches(text);
}

/** A text that the regular expression matches, for people who do not read expressions; null: none was found. */
export function examplePatternText(pattern: string): string | null {
  return engine.exampleOf(pattern);
}
