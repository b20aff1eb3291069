import type { Invoice, InvoiceLine } from '../invoices.ts';
import { writeAmount, writeNumber } from '../notation.ts';
import { wordingOf } from '../wording.ts';
import type { Letterhead } from './letterhead.ts';
import type { Pen, TextStyle } from './pen.ts';

/** Where the columns stand: base points of left- or right-aligned text. */
interface Columns {
  readonly position: number;
  readonly description: number;
  readonly quantity: number;
  readonly unit: number;
  readonly price: number;
  readonly amount: number;
}

function columnsOf({ left, right, inset }: Letterhead): Columns {
  const width = right - left;
  return {
    position: left + inset,
    description: left + inset + 26,
    quantity: left + width * 0.66,
    unit: left + width * 0.66 + 7,
    price: left + width * 0.86,
    amount: right - inset,
  };
}

/** The words above the columns, on the base line `y`. */
export function drawColumnNames(
  pen: Pen,
  letterhead: Letterhead,
  { supplier }: Invoice,
  y: number,
  style: TextStyle,
): void {
  const columns = columnsOf(letterhead);
  const [position, description, quantity, unit, price, amount] = wordingOf(supplier).columns;
  pen.text(position, columns.position, y, style);
  pen.text(description, columns.description, y, style);
  pen.text(quantity, columns.quantity, y, { ...style, align: 'right' });
  pen.text(unit, columns.unit, y, style);
  pen.text(price, columns.price, y, { ...style, align: 'right' });
  pen.text(amount, columns.amount, y, { ...style, align: 'right' });
}

function placesOf({ price }: InvoiceLine): number {
  return Number.isInteger(Math.round(price * 10_000) / 100) ? 2 : 4;
}

/** Prices of one column share their decimal point: two places, four only where one needs them. */
function pricePlaces(lines: readonly InvoiceLine[]): number {
  return Math.max(...lines.map(placesOf));
}

function drawLine(
  pen: Pen,
  letterhead: Letterhead,
  { supplier, lines }: Invoice,
  line: InvoiceLine,
  position: number,
  y: number,
): void {
  const columns = columnsOf(letterhead);
  const style: TextStyle = { font: letterhead.face.regular, size: letterhead.size };
  const right: TextStyle = { ...style, align: 'right' };
  const places = placesOf(line);
  const shift = places < pricePlaces(lines) ? pen.measure('00', style) : 0;
  pen.text(String(position), columns.position, y, style);
  pen.text(line.description, columns.description, y, style);
  pen.text(writeNumber(line.quantity, 0, supplier), columns.quantity, y, right);
  pen.text(line.unit, columns.unit, y, style);
  pen.text(writeNumber(line.price, places, supplier), columns.price - shift, y, right);
  pen.text(writeAmount(line.amount, supplier), columns.amount, y, right);
}

/**
 * Draws some of the invoice's lines as a table.
 * @param from the first line to draw, counted from 0, and `to` the one after the last
 * @param top of the table's head
 * @returns the lower edge of the table
 */
export function drawTable(
  pen: Pen,
  letterhead: Letterhead,
  invoice: Invoice,
  { from, to, top }: { from: number; to: number; top: number },
): number {
  const { rowHeight, face, size } = letterhead;
  const { supplier, lines } = invoice;
  const words = wordingOf(supplier);
  const columns = columnsOf(letterhead);
  letterhead.drawTableHead(pen, invoice, top);
  let y = top + letterhead.tableHeadHeight;
  let at = 0;
  const row = (draw: (baseLine: number) => void, last: boolean) => {
    letterhead.drawRow(pen, invoice, { top: y, at, last });
    draw(y + rowHeight / 2 + size * 0.35);
    y += rowHeight;
    at += 1;
  };
  const carried = (upTo: number, last: boolean) =>
    row((baseLine) => {
      const sum = lines.slice(0, upTo).reduce((total, { amount }) => total + amount, 0);
      pen.text(words.carriedForward, columns.description, baseLine, { font: face.italic, size });
      pen.text(writeAmount(sum, supplier), columns.amount, baseLine, {
        font: face.italic,
        size,
        align: 'right',
      });
    }, last);
  if (from > 0) carried(from, false);
  const unfinished = to < lines.length;
  lines.slice(from, to).forEach((line, index) => {
    const last = !unfinished && from + index === to - 1;
    row((baseLine) => drawLine(pen, letterhead, invoice, line, from + index + 1, baseLine), last);
  });
  if (unfinished) carried(to, true);
  return y;
}
