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

/** The mistakes that clerks and scanners make, by name. Each leaves a value that its field's definition allows. */
const MISTAKES = {
  'digits of the invoice number transposed': ({ INVOICENO }) => {
    const wrong = transposed(INVOICENO);
    return wrong === undefined ? undefined : { INVOICENO: wrong };
  },
  'net amount as total': ({ NET, TOTAL }) => (NET === TOTAL ? undefined : { TOTAL: NET }),
  'no supplier number': () => ({ SUPPLIERNO: null }),
  'year of the invoice date wrong': ({ INVOICEDATE }) => {
    const wrong = `${Number(INVOICEDATE.slice(0, 4)) - 1}${INVOICEDATE.slice(4)}`;
    return INVOICEDATE.endsWith('-02-29') ? undefined : { INVOICEDATE: wrong };
  },
  'no currency': () => ({ CURRENCY: null }),
  'space after the invoice number': ({ INVOICENO }) => ({ INVOICENO: `${INVOICENO} ` }),
  'other cost centre': ({ COSTCENTRE }, chance) => {
    const [wrong] = chance.shuffled(COST_CENTRES.filter((centre) => centre !== COSTCENTRE));
    return { COSTCENTRE: wrong ?? null };
  },
  'no order number': ({ ORDERNO }) => (ORDERNO === null ? undefined : { ORDERNO: null }),
  'no due date': () => ({ DUEDATE: null }),
  'supplier without umlauts': ({ SUPPLIER }) => {
    const wrong = SUPPLIER.normalize('NFD').replace(/\p{M}/gu, '');
    return wrong === SUPPLIER ? undefined : { SUPPLIER: wrong };
  },
  'digits of the order number transposed': ({ ORDERNO }) => {
    const wrong = ORDERNO === null ? undefined : transposed(ORDERNO);
    return wrong === undefined ? undefined : { ORDERNO: wrong };
  },
  'total without decimal point': ({ TOTAL }) =>
    TOTAL === null ? undefined : { TOTAL: Math.round(TOTAL * 100) },
  'no cost centre': () => ({ COSTCENTRE: null }),
  'day and month of the due date swapped': ({ DUEDATE }) => {
    const [year = '', month = '', day = ''] = (DUEDATE ?? '').split('-');
    return Number(day) > 12 || month === day ? undefined : { DUEDATE: `${year}-${day}-${month}` };
  },
  'other supplier': ({ SUPPLIERNO, SUPPLIER }, chance) => {
    const [other] = chance.shuffled(SUPPLIERS.filter(({ number }) => number !== SUPPLIERNO));
    return (
      other && {
        SUPPLIERNO: other.number,
        SUPPLIER: other.name === SUPPLIER ? SUPPLIER : other.name,
      }
    );
  },
  'net amount and VAT swapped': ({ NET, VAT }) =>
    VAT === 0 || NET === VAT ? undefined : { NET: VAT, VAT: NET },
  'due 30 days early': ({ DUEDATE }) =>
    DUEDATE === null ? undefined : { DUEDATE: addDays(DUEDATE, -30) },
  'second page not counted': ({ PAGES }) => (PAGES === 1 ? undefined : { PAGES: 1 }),
  'space after the supplier': ({ SUPPLIER }) => ({ SUPPLIER: `${SUPPLIER} ` }),
  'no VAT': () => ({ VAT: null }),
  'euros instead of another currency': ({ CURRENCY }) =>
    CURRENCY === 'EUR' ? undefined : { CURRENCY: 'EUR' },
} satisfies Readonly<Record<string, Mistake>>;

const KINDS: readonly (readonly [string, Mistake])[] = Object.entries(MISTAKES);

/** How many of the invoices have one mistake or two. */
const SPOILT = 62;
const SHARE_WITH_TWO = 0.3;

/** A mistake that was made in the index data of an invoice. */
export interface PlantedMistake {
  readonly kind: string;
  /** the wrong values of its fields */
  readonly wrong: Partial<InvoiceIndex>;
}

/**
 * Which index values are wrong, and how.
 * @param right the true index data by revision id
 * @returns the mistakes by revision id, no two in one field; the same every time
 */
export function chooseMistakes(
  right: ReadonlyMap<string, InvoiceIndex>,
): ReadonlyMap<string, readonly PlantedMistake[]> {
  const chance = chanceFrom('mistakes');
  const planted = new Map<string, PlantedMistake[]>();
  let next = 0;
  for (const [revisionId, index] of chance.shuffled([...right]).slice(0, SPOILT)) {
    const wanted = chance.odds(SHARE_WITH_TWO) ? 2 : 1;
    const made: PlantedMistake[] = [];
    const fields = new Set<string>();
    // Every kind gets its turn; one that does not suit the invoice is passed over.
    for (let tried = 0; made.length < wanted && tried < KINDS.length; tried++) {
      const [kind = '', makeMistake] = KINDS[next++ % KINDS.length] ?? [];
      const wrong = makeMistake?.(index, chance);
      const names = Object.keys(wrong ?? {});
      if (!wrong || names.some((name) => fields.has(name))) continue;
      made.push({ kind, wrong });
      for (const name of names) fields.add(name);
    }
    planted.set(revisionId, made);
  }
  return planted;
}
