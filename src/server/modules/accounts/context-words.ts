import { fold } from '#shared/values/fold.ts';

/**
 * The name of the product, and words that stand beside it in guesses: roles and what it is about (docs/security.md,
 * section 2).
 */
const PRODUCT = 'indexdesk';
/** No word is made of others, so that the pattern has one way to match a text. */
const COMPANIONS =
  'admin administrator archive archives clerk database login password reader service user';

const companions = COMPANIONS.replaceAll(' ', '|');
const GUESS = new RegExp(`^(?:${companions})*${PRODUCT}(?:${PRODUCT}|${companions})*$`, 'u');

/** Whether a password is the name of the product, alone or with such words, digits and punctuation: `Indexdesk-Admin2027`. */
export function isOfContextWords(password: string): boolean {
  return GUESS.test(fold(password).replaceAll(/[^\p{L}]+/gu, ''));
}
