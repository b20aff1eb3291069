import type { InvoiceIndex } from './index-data.ts';
import { addDays } from './calendar.ts';
import { chanceFrom, type Chance } from './chance.ts';
import { COST_CENTRES } from './booking.ts';
import { SUPPLIERS } from './suppliers.ts';

type Change = Partial<InvoiceIndex>;
/** Makes one mistake; undefined where the invoice gives no occasion for it. */
type Mistake = (right: InvoiceIndex, chance: Chance) => Change | undefined;

/** Two neighbouring, different digits change places; the first such pair from the end. */
function transposed(text: string): string | undefined {
  for (let at = text.length - 2; at > 0; at--) {
    const pair = text.slice(at, at + 2);
    if (/^[0-9]{2}$/.test(pair) && pair[0] !== pair[1]) {
      return `${text.slice(0, at)}${pair[1]}${pair[0]}${text.slice(at + 2)}`;
    }
  }
  return undefined;
}

/** The mistakes that clerks and scanners make. Each leaves a value that its field's definition allows. */
const MISTAKES: readonly Mistake[] = [
  function digitsOfNumberTransposed({ INVOICENO }) {
    const wrong = transposed(INVOICENO);
    return wrong === undefined ? undefined : { INVOICENO: wrong };
  },
  function netInsteadOfTotal({ NET, TOTAL }) {
    return NET === TOTAL ? undefined : { TOTAL: NET };
  },
  () => ({ SUPPLIERNO: null }),
  function wrongYear({ INVOICEDATE }) {
    const wrong = `${Number(INVOICEDATE.slice(0, 4)) - 1}${INVOICEDATE.slice(4)}`;
    return INVOICEDATE.endsWith('-02-29') ? undefined : { INVOICEDATE: wrong };
  },
  () => ({ CURRENCY: null }),
  ({ INVOICENO }) => ({ INVOICENO: `${INVOICENO} ` }),
  function wrongCostCentre({ COSTCENTRE }, chance) {
    const [wrong] = chance.shuffled(COST_CENTRES.filter((centre) => centre !== COSTCENTRE));
    return { COSTCENTRE: wrong ?? null };
  },
  ({ ORDERNO }) => (ORDERNO === null ? undefined : { ORDERNO: null }),
  () => ({ DUEDATE: null }),
  function umlautsLost({ SUPPLIER }) {
    const wrong = SUPPLIER.normalize('NFD').replace(/\p{M}/gu, '');
    return wrong === SUPPLIER ? undefined : { SUPPLIER: wrong };
  },
  function digitsOfOrderTransposed({ ORDERNO }) {
    const wrong = ORDERNO === null ? undefined : transposed(ORDERNO);
    return wrong === undefined ? undefined : { ORDERNO: wrong };
  },
  function decimalPointLost({ TOTAL }) {
    return TOTAL === null ? undefined : { TOTAL: Math.round(TOTAL * 100) };
  },
  () => ({ COSTCENTRE: null }),
  function dayAndMonthSwapped({ DUEDATE }) {
    const [year = '', month = '', day = ''] = (DUEDATE ?? '').split('-');
    return Number(day) > 12 || month === day ? undefined : { DUEDATE: `${year}-${day}-${month}` };
  },
  function otherSupplier({ SUPPLIERNO, SUPPLIER }, chance) {
    const [other] = chance.shuffled(SUPPLIERS.filter(({ number }) => number !== SUPPLIERNO));
    return (
      other && {
        SUPPLIERNO: other.number,
        SUPPLIER: other.name === SUPPLIER ? SUPPLIER : other.name,
      }
    );
  },
  ({ NET, VAT }) => (VAT === 0 || NET === VAT ? undefined : { NET: VAT, VAT: NET }),
  ({ DUEDATE }) => (DUEDATE === null ? undefined : { DUEDATE: addDays(DUEDATE, -30) }),
  ({ PAGES }) => (PAGES === 1 ? undefined : { PAGES: 1 }),
  ({ SUPPLIER }) => ({ SUPPLIER: `${SUPPLIER} ` }),
  () => ({ VAT: null }),
  function wrongCurrency({ CURRENCY }) {
    return CURRENCY === 'EUR' ? undefined : { CURRENCY: 'EUR' };
  },
];

/** How many of the invoices have one mistake or two. */
const SPOILT = 62;
const SHARE_WITH_TWO = 0.3;

/**
 * Which index values are wrong, and how.
 * @param right the true index data by revision id
 * @returns the wrong values by revision id; the same every time
 */
export function chooseMistakes(
  right: ReadonlyMap<string, InvoiceIndex>,
): ReadonlyMap<string, Partial<InvoiceIndex>> {
  const chance = chanceFrom('mistakes');
  const wrong = new Map<string, Partial<InvoiceIndex>>();
  let next = 0;
  for (const [revisionId, index] of chance.shuffled([...right]).slice(0, SPOILT)) {
    const wanted = chance.odds(SHARE_WITH_TWO) ? 2 : 1;
    let change: Change = {};
    // Every kind gets its turn; one that does not suit the invoice is passed over.
    for (let made = 0, tried = 0; made < wanted && tried < MISTAKES.length; tried++) {
      const mistake = MISTAKES[next++ % MISTAKES.length]?.(index, chance);
      if (!mistake || Object.keys(mistake).some((name) => name in change)) continue;
      change = { ...change, ...mistake };
      made += 1;
    }
    wrong.set(revisionId, change);
  }
  return wrong;
}
