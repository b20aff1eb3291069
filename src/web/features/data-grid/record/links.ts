/** A link in a text. */
interface TextLink {
  readonly text: string;
  readonly href: string;
  readonly kind: 'web' | 'mail';
}

const WEB = /\bhttps?:\/\/[^\s<>"'`]+/gi;
const MAIL = /[\w.!#$%&*+/=?^{|}~-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Punctuation that ends a sentence, not an address. */
const TRAILING_PUNCTUATION = /[.,;:!?]+$/;
const MAX_LINKS = 5;

/** The web addresses (only http and https) and e-mail addresses in a text, without duplicates, in order. */
export function linksIn(text: string): readonly TextLink[] {
  const found = new Map<string, { link: TextLink; at: number }>();
  const rest = text.replaceAll(WEB, (match, at: number) => {
    const address = withoutTail(match);
    if (URL.canParse(address)) {
      const { href } = new URL(address);
      if (!found.has(href)) found.set(href, { link: { text: address, href, kind: 'web' }, at });
    }
    return ' '.repeat(match.length);
  });
  for (const { 0: match, index } of rest.matchAll(MAIL)) {
    const href = `mailto:${encodeURIComponent(match).replace('%40', '@')}`;
    if (!found.has(href)) found.set(href, { link: { text: match, href, kind: 'mail' }, at: index });
  }
  return [...found.values()]
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_LINKS)
    .map(({ link }) => link);
}

/** Removes final punctuation, and a closing bracket that was opened before the address. */
function withoutTail(match: string): string {
  let address = match.replace(TRAILING_PUNCTUATION, '');
  while (/[)\]}]$/.test(address) && !opens(address)) address = address.slice(0, -1);
  return address.replace(TRAILING_PUNCTUATION, '');
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function opens(address: string): boolean {
  const closing = address.at(-1) ?? '';
  const count = (sign: string) => address.split(sign).length;
  return count(OPENING[closing] ?? '') >= count(closing);
}
