/** How numbers are written in a text: which of the two marks stands before the decimal places. */
export type DecimalMark = '.' | ',';

const CURRENCY =
  /^(?:\p{Sc}|[A-Z]{3}(?![A-Z]))\s*|\s*(?:\p{Sc}|(?<![A-Z])[A-Z]{3}|\p{Sc}[A-Z]{3})$/gu;
const BLANKS = /[\s\u00a0\u2007\u2009\u202f]/gu;

/**
 * Reads a number as people write it: with a decimal mark, with groups of three digits (set apart by the other
 * mark, blanks or apostrophes), with a currency before or after, with the minus before, behind or as brackets.
 * @param mark of the decimal places
 * @returns the number in the plain form of the interface (section 4), or null where it is not written so
 */
export function readLocalNumber(text: string, mark: DecimalMark): string | null {
  let rest = text.trim().normalize('NFKC').replaceAll('\u2212', '-');
  let negative = false;
  const bracketed = /^\((.+)\)$/su.exec(rest);
  if (bracketed?.[1] !== undefined) {
    negative = true;
    rest = bracketed[1].trim();
  }
  // The sign may stand on either side of the currency.
  for (const _ of [1, 2]) {
    const sign = /^([+-])\s*|\s*(-)$/u.exec(rest);
    if (sign) {
      if (negative) return null;
      negative = sign[0].includes('-');
      rest = rest.slice(sign.index === 0 ? sign[0].length : 0, sign.index || undefined);
      if (!negative && rest.includes('-')) return null;
    }
    rest = rest.replace(CURRENCY, '');
  }
  rest = rest.replace(BLANKS, ' ').replaceAll('’', "'");
  const [whole = '', fraction, ...more] = rest.split(mark);
  if (more.length > 0 || !/^[0-9]*$/.test(fraction ?? '')) return null;
  const digits = ungrouped(whole, mark === '.' ? ',' : '.');
  if (digits === null || (digits === '' && !fraction)) return null;
  return `${negative ? '-' : ''}${digits || '0'}${fraction ? `.${fraction}` : ''}`;
}

/** The digits without what sets their groups apart; only whole groups of three count as such. */
function ungrouped(whole: string, otherMark: string): string | null {
  if (/^[0-9]*$/.test(whole)) return whole;
  const separator = [otherMark, ' ', "'"].find((candidate) => whole.includes(candidate));
  if (separator === undefined) return null;
  const [first = '', ...groups] = whole.split(separator);
  const grouped = /^[0-9]{1,3}$/.test(first) && groups.every((group) => /^[0-9]{3}$/.test(group));
  return grouped ? first + groups.join('') : null;
}
