/** A link in a text. */
interface TextLink {
  readonly text: string;
  readonly href: string;
  readonly kind: 'web' | 'mail';
}

const LINK = /\b(?<web>https?:\/\/[^\s<>"'`]+)|[\w.!#$%&*+/=?^{|}~-]+@[\w-]+(?:\.[\w-]+)+/gi;
/** Punctuation that ends a sentence, not an address. */
const TRAILING_PUNCTUATION = /[.,;:!?]+$/;
const MAX_LINKS = 5;

/** The web addresses (only http and https) and e-mail addresses in a text, without duplicates, in order. */
export function linksIn(text: string): readonly TextLink[] {
  const links = new Map<string, TextLink>();
  for (const { 0: match, groups } of text.matchAll(LINK)) {
    const link = groups?.['web'] === undefined ? mailLink(match) : webLink(withoutTail(match));
    if (link && !links.has(link.href)) links.set(link.href, link);
  }
  return [...links.values()].slice(0, MAX_LINKS);
}

function webLink(text: string): TextLink | null {
  return URL.canParse(text) ? { text, href: new URL(text).href, kind: 'web' } : null;
}

function mailLink(text: string): TextLink {
  return { text, href: `mailto:${encodeURIComponent(text).replace('%40', '@')}`, kind: 'mail' };
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
