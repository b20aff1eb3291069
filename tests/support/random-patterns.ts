import fc from 'fast-check';

const PARTS = [
  Array.from('aäßkK1_ .^$|()[]{}*+?-\\\n'),
  ['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b', '\\B', '\\A', '\\z', '\\Z', '\\C', '\\1'],
  ['\\n', '\\t', '\\v', '\\a', '\\e', '\\.', '\\é', '\\x41', '\\x{df}', '\\x{110000}', '\\101'],
  ['\\pL', '\\PN', '\\p{Lu}', '\\P{^Lu}', '\\p{Greek}', '\\p{Grek}', '\\p{Thai}', '\\p{Nope}'],
  ['\\p{Any}', '\\p{', '\\Q', '\\E', '\\Qa.b\\E', '[[:alpha:]]', '[[:^alpha:]]', '[[:nope:]]'],
  ['[:digit:]', '[a-c]', '[^a-c]', '[]a]', '[\\d-z]', '[^\\W_]', '[\\pL]', '[z-a]', '[--/]'],
  ['(?:', '(?i)', '(?s)', '(?m)', '(?U)', '(?i:', '(?-i)', '(?-i:', '(?i-s)', '(?x)', '(?'],
  ['(?<n>', '(?P<n>', '(?=a)', '(?<!a)', '(?#', '{2}', '{2,}', '{0,3}', '{3,2}', '{1001}'],
  ['(?<n>a)', '(?P<n>b)', '{0}', '{40}', '{0,26}', '{20,}', '{501}', 'a{30}', '(?:^|)', '(?:b{9})'],
].flat();

/** Parts of regular expressions, most of which RE2 accepts when they are joined. */
export const patternParts = fc.array(fc.constantFrom(...PARTS), { maxLength: 9 });

const CHARACTERS = Array.from('aAbcäÄßẞkKK1_ .-^{γΓ\n\t');

/** Texts that such expressions match or nearly match. */
export const textOfPatterns = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(''));
