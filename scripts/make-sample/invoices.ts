import type { Article } from './articles/article.ts';
import { ENGLISH_ARTICLES } from './articles/english.ts';
import { FRENCH_ARTICLES } from './articles/french.ts';
import { GERMAN_ARTICLES } from './articles/german.ts';
import { buyerOf, vatRate, type Buyer } from './buyers.ts';
import { addDays, daysBetween, officeTime, workday } from './calendar.ts';
import { chanceFrom, type Chance } from './chance.ts';
import { bookingOf } from './booking.ts';
import { SUPPLIERS, type Supplier } from './suppliers.ts';

export interface InvoiceLine {
  readonly description: string;
  readonly unit: string;
  readonly quantity: number;
  /** price of one unit, up to 4 decimal places */
  readonly price: number;
  /** in hundredths of the currency */
  readonly amount: number;
}

/** One invoice with its true values; what the index holds of it may differ. */
export interface Invoice {
  readonly revisionId: string;
  readonly supplier: Supplier;
  readonly buyer: Buyer;
  readonly number: string;
  readonly date: string;
  readonly dueDate: string;
  /** null where nothing was ordered in writing (energy, cleaning, fees) */
  readonly orderNumber: string | null;
  readonly lines: readonly InvoiceLine[];
  /** percent */
  readonly vatRate: number;
  /** these three in hundredths of the currency */
  readonly net: number;
  readonly vat: number;
  readonly total: number;
  readonly receivedAt: string;
  readonly paid: boolean;
  readonly costCentre: string;
  readonly remark: string | null;
  readonly subjects: readonly string[];
  readonly projects: readonly string[];
}

const COUNT = 200;
const FIRST_REVISION = 10_001;
const FIRST_DAY = '2025-11-03';
const LAST_DAY = '2026-11-10';
const ARTICLES = { de: GERMAN_ARTICLES, en: ENGLISH_ARTICLES, fr: FRENCH_ARTICLES };
const DELIVERY_NOTE = { de: 'LS', en: 'DN', fr: 'BL' };
const NEVER_ORDERED = new Set(['energy', 'cleaning']);
/** Only deliveries are billed together, many on one invoice. */
const BILLED_TOGETHER = new Set(['paper', 'printing', 'transport']);

function invoiceLines(supplier: Supplier, chance: Chance): InvoiceLine[] {
  const articles: readonly Article[] = ARTICLES[supplier.language][supplier.subject];
  const line = (article: Article, suffix = ''): InvoiceLine => {
    const [description, unit, least, most, price] = article;
    const quantity = chance.whole(least, most);
    // Prices have at most 4 places, so that the product is exact in ten-thousandths.
    const amount = Math.round((quantity * Math.round(price * 10_000)) / 100);
    return { description: description + suffix, unit, quantity, price, amount };
  };
  if (BILLED_TOGETHER.has(supplier.subject) && chance.odds(0.3)) {
    let note = chance.whole(20_000, 80_000);
    return Array.from({ length: chance.whole(14, 34) }, (_, at) => {
      note += chance.whole(3, 60);
      const article = articles[at % articles.length] ?? chance.pick(GERMAN_ARTICLES.paper);
      return line(article, `, ${DELIVERY_NOTE[supplier.language]} ${note}`);
    });
  }
  const count = chance.whole(1, articles.length);
  return articles.filter((_, at) => at < count).map((article) => line(article));
}

function numberFrom(form: string, date: string, running: number): string {
  return form
    .replace('Y', date.slice(0, 4))
    .replace('y', date.slice(2, 4))
    .replace('#', String(running));
}

function makeInvoice(supplier: Supplier, date: string, running: number): Invoice {
  const chance = chanceFrom(`invoice ${supplier.number} ${running}`);
  const lines = invoiceLines(supplier, chance);
  const net = lines.reduce((sum, { amount }) => sum + amount, 0);
  const rate = vatRate(supplier.country);
  const vat = Math.round((net * Math.round(rate * 10)) / 1000);
  const dueDate = addDays(date, supplier.paymentDays);
  const received = workday(addDays(date, chance.whole(1, 5)));
  const buyer = buyerOf(supplier.country);
  return {
    revisionId: '',
    supplier,
    buyer,
    number: numberFrom(supplier.invoiceNumberForm, date, running),
    date,
    dueDate,
    orderNumber: NEVER_ORDERED.has(supplier.subject)
      ? null
      : `PO-${date.slice(2, 4)}-${chance.digits(5)}`,
    lines,
    vatRate: rate,
    net,
    vat,
    total: net + vat,
    receivedAt: officeTime(received, chance.whole(8 * 60, 16 * 60 + 45), buyer.zone),
    paid: daysBetween(dueDate, LAST_DAY) > 4 && chance.odds(0.94),
    ...bookingOf(supplier, date, chance),
  };
}

function makeInvoices(): Invoice[] {
  const chance = chanceFrom('days of the invoices');
  const senders = SUPPLIERS.filter(({ active }) => active);
  const days = Array.from({ length: COUNT }, () =>
    workday(addDays(FIRST_DAY, chance.whole(0, daysBetween(FIRST_DAY, LAST_DAY)))),
  ).sort();
  const order = Array.from({ length: Math.ceil(COUNT / senders.length) }, () =>
    chance.shuffled(senders),
  ).flat();
  const running = new Map(
    senders.map(({ number }) => [number, chanceFrom(`numbers ${number}`).whole(110, 700)]),
  );
  const invoices = days.flatMap((day, at) => {
    const supplier = order[at];
    if (!supplier) return [];
    const next = (running.get(supplier.number) ?? 0) + chance.whole(3, 38);
    running.set(supplier.number, next);
    return [makeInvoice(supplier, day, next)];
  });
  return invoices
    .sort((a, b) => Date.parse(a.receivedAt) - Date.parse(b.receivedAt))
    .map((invoice, at) => ({ ...invoice, revisionId: String(FIRST_REVISION + at) }));
}

/** The invoices in the order in which they were received; the same every time. */
export const INVOICES: readonly Invoice[] = makeInvoices();
