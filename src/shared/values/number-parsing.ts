import {
  type Candidate,
  type DecimalMark,
  type Grouping,
  type Notation,
  preferWritersNotation,
  UNKNOWN_NOTATION,
} from './value-type.ts';

/**
 * Reads a number as people write it: with a decimal mark, with groups of three digits (set apart by the other
 * mark, blanks or apostrophes), with a currency before or after, with the minus before, behind or as brackets,
 * with a dash for no cents (`12,-`). No group but the last one of `0,125` begins a number with 0, so there the
 * mark stands before decimal places. What means different amounts to different people, such as
 * `-,50` (half a euro, or less than nothing), `1,234.` and `12 MIO`, is no number.
 * @param mark of the decimal places
 * @param grouping of the writer, where it is known: lakhs are read of those who write them, or of anybody
 * @returns the number in the plain form of the interface (docs/interface/decisions.md, section 4), or null if it is
 *   not written so
 */
function readLocalNumber(text: string, mark: DecimalMark, grouping?: Grouping): string | null {
  const bare = withoutSignAndCurrency(normalizeNumberCharacters(text.trim()));
  if (!bare) return null;
  const dashed = /^(.*[0-9])([.,]) ?[-–—]{1,2}$/.exec(bare.digits);
  if (dashed && dashed[2] !== mark) return null;
  const [whole = '', fraction, ...more] = dashed ? [dashed[1]] : bare.digits.split(mark);
  if (more.length > 0 || !/^[0-9]*$/.test(fraction ?? '')) return null;
  // It is not clear whether a mark after groups ends the number or the sentence.
  if (fraction === '' && !/^[0-9]+$/.test(whole)) return null;
  if (
    whole === '' &&
    bare.signed &&
    fraction?.length === 2 &&
    mayWriteDashForZero(mark, grouping)
  ) {
    return null;
  }
  const digits = ungrouped(whole, mark === '.' ? ',' : '.', grouping);
  if (digits === null || (digits === '' && !fraction)) return null;
  return `${bare.negative ? '-' : ''}${digits || '0'}${fraction ? `.${fraction}` : ''}`;
}

/** Whether the writer may write a dash for no francs or euros, as in `-.50`. */
function mayWriteDashForZero(mark: DecimalMark, grouping: Grouping | undefined): boolean {
  return mark === ',' || grouping?.mark === "'";
}

/**
 * Digits and marks of full width, and the many blanks, minuses and apostrophes, as the plain ones. Not more:
 * NFKC would make 52 of `5²` and 1 of `①`. Line breaks and tabs stay, as they part two numbers.
 */
export function normalizeNumberCharacters(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/gu, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u2007\u2009\u202f\u3000]/gu, ' ')
    .replaceAll('\u2212', '-')
    .replaceAll('’', "'");
}

const CURRENCY_BEFORE = /^(?:\p{Sc}|([A-Z]{3})(?![A-Z])) */u;
const CURRENCY_AFTER = / *(?:\p{Sc}|(?<![A-Z])([A-Z]{3}))$/u;

/** Currencies of today and of old documents: `12 MIO` is not twelve. */
const CURRENCIES: ReadonlySet<string> = new Set(
  [
    ...Intl.supportedValuesOf('currency'),
    'ATS BEF CYP DEM EEK ESP FIM FRF GRD IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK'.split(' '),
  ].flat(),
);

/** The text without its sign and its currency; null if there are several of them. */
function withoutSignAndCurrency(text: string) {
  const inBrackets = /^\((.+)\)$/su.exec(text)?.[1]?.trim();
  let digits = inBrackets ?? text;
  let negative = inBrackets !== undefined;
  let signed = negative;
  let paid = false;
  // The sign may be on either side of the currency.
  for (const _ of [1, 2]) {
    // The dash for no cents is not a minus.
    const sign = /^([+-]) *|(?<![.,] ?-?)(?<! ) *(-)$/u.exec(digits);
    if (sign) {
      if (signed) return null;
      signed = true;
      negative = sign[0].includes('-');
      digits = digits.slice(sign.index === 0 ? sign[0].length : 0, sign.index || undefined);
    }
    const currency = CURRENCY_BEFORE.exec(digits) ?? CURRENCY_AFTER.exec(digits);
    const code = currency?.[1];
    if (currency && (code === undefined || CURRENCIES.has(code))) {
      if (paid) return null;
      paid = true;
      digits = digits.slice(
        currency.index === 0 ? currency[0].length : 0,
        currency.index || undefined,
      );
    }
  }
  return { digits, negative, signed };
}

/** The digits without group separators; only complete groups are accepted, and none that begin with 0. */
function ungrouped(
  whole: string,
  otherMark: string,
  grouping: Grouping | undefined,
): string | null {
  if (/^[0-9]*$/.test(whole)) return whole;
  const separator = [otherMark, ' ', "'"].find((candidate) => whole.includes(candidate));
  if (separator === undefined) return null;
  const groups = whole.split(separator);
  const sizes = groups.map((group) => (/^[0-9]+$/.test(group) ? group.length : 0));
  const [first = 0, ...others] = sizes;
  if (first === 0 || first > 3 || whole.startsWith('0')) return null;
  const inThousands = others.every((size) => size === 3);
  const inLakhs =
    separator === ',' &&
    grouping?.by !== 'thousands' &&
    first <= 2 &&
    others.pop() === 3 &&
    others.every((size) => size === 2);
  return inThousands || inLakhs ? groups.join('') : null;
}

/** The numbers that a text can mean to someone with this notation. */
export function interpretNumber(text: string, notation: Notation): readonly Candidate[] {
  const candidates = candidatesOf(text, notation);
  const { decimal, grouping } = notation;
  const other = decimal === '.' ? ',' : '.';
  // A writer who groups with blanks or apostrophes uses `1.234` for a number with decimal places, or copied it from
  // others.
  const isForeign = grouping !== undefined && grouping.mark !== other && text.includes(other);
  return isForeign
    ? candidates
    : preferWritersNotation(candidates, (each) => each.decimal === decimal);
}

/** The numbers that a text can mean. */
export function numbersInAnyNotation(text: string): readonly Candidate[] {
  // The full stop behind a number may be that of a sentence.
  return /^[^.,]*[.,]$/.test(text) ? [] : candidatesOf(text, UNKNOWN_NOTATION);
}

function candidatesOf(text: string, notation: Notation): Candidate[] {
  return (['.', ','] as const).flatMap((decimal) => {
    const plain = readLocalNumber(text, decimal, notation.grouping);
    // A reading shows the writer's decimal mark; the grouping is the reader's.
    return plain === null ? [] : [{ raw: plain, notation: { decimal, order: notation.order } }];
  });
}
