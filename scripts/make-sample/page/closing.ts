import { addDays } from '../calendar.ts';
import { chanceFrom } from '../chance.ts';
import type { Invoice } from '../invoices.ts';
import { writeAmount, writeDay, writeNumber } from '../notation.ts';
import { wordingOf } from '../wording.ts';
import type { Letterhead } from './letterhead.ts';
import type { Pen, TextStyle } from './pen.ts';

/** Points from the table's lower edge to the lowest part of the closing. */
export const CLOSING_HEIGHT = 205;

const DAYS_OF_DISCOUNT = 10;

/** Net, VAT, total, the terms of payment and the stamp of the buyer's post room, below the table. */
export function drawClosing(pen: Pen, letterhead: Letterhead, invoice: Invoice, top: number): void {
  drawTotals(pen, letterhead, invoice, top + 22);
  const { left, face, size } = letterhead;
  pen.texts(termsOf(invoice), left + letterhead.inset, top + 94, size * 1.5, {
    font: face.regular,
    size,
  });
  drawStamp(pen, letterhead, invoice, top + 148);
}

function drawTotals(pen: Pen, letterhead: Letterhead, invoice: Invoice, y: number): void {
  const { supplier, net, vat, total, vatRate } = invoice;
  const { right, inset, face, size, left } = letterhead;
  const words = wordingOf(supplier);
  const from = left + (right - left) * 0.55;
  const plain: TextStyle = { font: face.regular, size };
  const sum = (label: string, hundredths: number, at: number, style: TextStyle, unit = '') => {
    pen.text(label, from + inset, at, style);
    pen.text(`${unit}${writeAmount(hundredths, supplier)}`, right - inset, at, {
      ...style,
      align: 'right',
    });
  };
  const rate = writeNumber(vatRate, Number.isInteger(vatRate) ? 0 : 1, supplier);
  const percent = supplier.language === 'en' ? `${rate}%` : `${rate} %`;
  sum(words.net, net, y, plain);
  sum(`${words.vat} ${percent}`, vat, y + size * 1.7, plain);
  const last = y + size * 1.7 + 24;
  const strong = letterhead.drawTotalGround(pen, invoice, from, last);
  sum(words.total, total, last, strong, `${supplier.currency} `);
}

function termsOf({ supplier, date, dueDate, total, vatRate }: Invoice): string[] {
  const words = wordingOf(supplier);
  const terms = [words.payBy(writeDay(dueDate, supplier))];
  if (supplier.discount > 0) {
    const off = Math.round((total * supplier.discount) / 100);
    terms.push(
      words.discount(
        writeNumber(supplier.discount, 0, supplier),
        writeDay(addDays(date, DAYS_OF_DISCOUNT), supplier),
        `${supplier.currency} ${writeAmount(total - off, supplier)}`,
      ),
    );
  }
  if (vatRate === 0) terms.push(words.reverseCharge);
  return [...terms, words.condition, words.quoteNumber];
}

/** What the buyer's post room stamps on each invoice: the day it came, and the cost centre it goes to. */
function drawStamp(pen: Pen, letterhead: Letterhead, invoice: Invoice, y: number): void {
  const { buyer, receivedAt, costCentre, revisionId } = invoice;
  const chance = chanceFrom(`stamp ${revisionId}`);
  const words = wordingOf(buyer);
  const x = letterhead.right - 190 + chance.whole(-24, 12);
  const top = y + chance.whole(-6, 4);
  const ink = { de: '#1d3fa8', en: '#a3152c', fr: '#3b2a8c' }[buyer.language];
  const head: TextStyle = { font: 'Helvetica-Bold', size: 8, color: ink, tracking: 1.4 };
  const body: TextStyle = { font: 'Courier-Bold', size: 10, color: ink };
  pen.turned(chance.whole(-35, 25) / 10, x + 80, top + 22, 0.78, () => {
    pen.frame(x, top, 166, 46, 1.4, ink);
    pen.text(words.received, x + 8, top + 15, head);
    pen.text(receivedAt.slice(0, 10), x + 158, top + 15, { ...body, align: 'right' });
    pen.rule(x, x + 166, top + 23, 0.8, ink);
    pen.text(words.costCentre, x + 8, top + 37, { ...head, size: 7, tracking: 0.4 });
    pen.text(costCentre.slice(0, 4), x + 158, top + 37, { ...body, align: 'right' });
  });
}
