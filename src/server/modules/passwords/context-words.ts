import { fold } from '#shared/values/fold.ts';

/**
 * The name of the product, and words that occur with it in guesses: roles and its subject (docs/security.md, section
 * 2).
 */
const PRODUCT = 'indexdesk';
/** No word is composed of others, so that the pattern can match a text in only one way. */
const COMPANIONS =
  'admin administrator archive archives clerk database login password reader service user';

const companions = COMPANIONS.replaceAll(' ', '|');
const GUESS = new RegExp(`^(?:${companions})*${PRODUCT}(?:${PRODUCT}|${companions})*$`, 'u');

/**
 * Whether a password is the name of the product, alone or with these words, digits and punctuation:
 * `Indexdesk-Admin2027`.
 */
export function isOfContextWords(password: string): boolean {
  return GUESS.test(fold(password).replaceAll(/[^\p{L}]+/gu, ''));
}
