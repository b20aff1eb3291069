import type { Invoice } from '../invoices.ts';
import { writeDay } from '../notation.ts';
import type { Supplier } from '../suppliers.ts';
import { COUNTRY_NAMES, wordingOf } from '../wording.ts';
import type { Face, Pen, TextStyle } from './pen.ts';

/** How one kind of firm sets its invoices. All measures are points. */
export interface Letterhead {
  readonly face: Face;
  readonly size: number;
  readonly left: number;
  readonly right: number;
  readonly rowHeight: number;
  /** top of the head of the table, on the first and on later pages */
  readonly tableTop: number;
  readonly nextTableTop: number;
  readonly tableHeadHeight: number;
  /** space inside the table at its left and right edge */
  readonly inset: number;
  /** the lowest base line of the body */
  readonly bottom: number;
  drawFirstHead(pen: Pen, invoice: Invoice): void;
  drawNextHead(pen: Pen, invoice: Invoice): void;
  drawTableHead(pen: Pen, invoice: Invoice, top: number): void;
  /** @param at which row of the page, from 0; `last` on this page */
  drawRow(pen: Pen, invoice: Invoice, row: { top: number; at: number; last: boolean }): void;
  /** The ground of the sum to pay, whose base line is `y`. */
  drawTotalGround(pen: Pen, invoice: Invoice, from: number, y: number): TextStyle;
  drawFoot(pen: Pen, invoice: Invoice, page: number, pages: number): void;
}

export const HELVETICA: Face = {
  regular: 'Helvetica',
  bold: 'Helvetica-Bold',
  italic: 'Helvetica-Oblique',
};
export const TIMES: Face = { regular: 'Times-Roman', bold: 'Times-Bold', italic: 'Times-Italic' };
export const COURIER: Face = {
  regular: 'Courier',
  bold: 'Courier-Bold',
  italic: 'Courier-Oblique',
};

/** The lines of the supplier's own address, in the order of its country. */
export function placeOf({ street, postcode, city, country }: Supplier): string[] {
  if (country === 'US') return [street, `${city}, ${postcode}`];
  if (country === 'GB' || country === 'IE') return [street, `${city} ${postcode}`];
  return [street, `${postcode} ${city}`];
}

/** The lines of the buyer's address, with the country where the letter crosses a border. */
export function addressLines({ buyer, supplier }: Invoice): string[] {
  const abroad = buyer.country !== supplier.country;
  const country = COUNTRY_NAMES[supplier.language][buyer.country].toUpperCase();
  return abroad ? [...buyer.address, country] : [...buyer.address];
}

/** What the block beside the address says, label and value. */
export function factsOf({ supplier, buyer, ...invoice }: Invoice): [string, string][] {
  const words = wordingOf(supplier);
  const facts: [string, string][] = [
    [words.invoiceNumber, invoice.number],
    [words.date, writeDay(invoice.date, supplier)],
    [words.dueDate, writeDay(invoice.dueDate, supplier)],
  ];
  if (invoice.orderNumber !== null) facts.push([words.orderNumber, invoice.orderNumber]);
  facts.push([words.customer, supplier.number], [words.customerVatId, buyer.vatId]);
  return facts;
}

/** The bank details as two short lines. */
export function bankLines({ iban, bank, country }: Supplier): string[] {
  return country === 'US' ? [bank, `Account ${iban}`] : [bank, `IBAN ${iban}`];
}

export function taxLine(supplier: Supplier): string {
  return supplier.vatId === null ? '' : `${wordingOf(supplier).vatId} ${supplier.vatId}`;
}

/** A light tint of an accent colour. @param share how much of the colour stays, 0 to 1 */
export function tint(color: string, share: number): string {
  const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const mixed = parts.map((part) => Math.round(255 - (255 - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The size at which the text is at most `width` wide, not above `style.size`. */
export function fitted(pen: Pen, text: string, width: number, style: TextStyle): TextStyle {
  const actual = pen.measure(text, style);
  return actual <= width
    ? style
    : { ...style, size: Math.floor((style.size * width * 10) / actual) / 10 };
}
