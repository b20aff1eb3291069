import { writeDay } from '../notation.ts';
import { wordingOf } from '../wording.ts';
import {
  addressLines,
  bankLines,
  factsOf,
  fitted,
  placeOf,
  taxLine,
  TIMES,
  type Letterhead,
} from './letterhead.ts';
import { PAGE_WIDTH } from './pen.ts';
import { drawColumnNames } from './table.ts';

const LEFT = 68;
const RIGHT = PAGE_WIDTH - 68;
const MIDDLE = PAGE_WIDTH / 2;
const GREY = '#55524c';

/** A long-standing firm: everything on the middle axis, Times, fine double rules. */
export const CLASSIC: Letterhead = {
  face: TIMES,
  size: 10,
  left: LEFT,
  right: RIGHT,
  rowHeight: 17,
  tableTop: 356,
  nextTableTop: 108,
  tableHeadHeight: 22,
  inset: 0,
  bottom: 768,

  drawFirstHead(pen, invoice) {
    const { supplier } = invoice;
    const words = wordingOf(supplier);
    const title = { font: TIMES.bold, size: 21, color: supplier.accent, align: 'center' } as const;
    pen.text(supplier.name, MIDDLE, 72, fitted(pen, supplier.name, RIGHT - LEFT, title));
    pen.rule(LEFT, RIGHT, 84, 1.2, supplier.accent);
    pen.rule(LEFT, RIGHT, 86.6, 0.4, supplier.accent);
    const place = [...placeOf(supplier), supplier.website].join('  ·  ');
    pen.text(place, MIDDLE, 100, {
      font: TIMES.italic,
      size: 9.5,
      color: GREY,
      align: 'center',
    });
    pen.texts(addressLines(invoice), LEFT, 152, 14, { font: TIMES.regular, size: 11 });
    pen.text(words.invoice, LEFT, 290, { font: TIMES.bold, size: 19 });
    factsOf(invoice).forEach(([label, value], at) => {
      const y = 152 + at * 15;
      pen.text(label, 338, y, { font: TIMES.italic, size: 10, color: GREY });
      pen.text(value, RIGHT, y, { font: TIMES.regular, size: 10, align: 'right' });
    });
    pen.text(words.opening, LEFT, 318, { font: TIMES.regular, size: 10.5 });
  },

  drawNextHead(pen, { supplier, number, date }) {
    const words = wordingOf(supplier);
    pen.text(supplier.name, LEFT, 72, { font: TIMES.bold, size: 12, color: supplier.accent });
    pen.text(`${words.invoice} ${number}, ${writeDay(date, supplier)}`, RIGHT, 72, {
      font: TIMES.italic,
      size: 10,
      align: 'right',
    });
    pen.rule(LEFT, RIGHT, 80, 0.4, supplier.accent);
  },

  drawTableHead(pen, invoice, top) {
    pen.rule(LEFT, RIGHT, top, 0.9);
    drawColumnNames(pen, CLASSIC, invoice, top + 13.5, { font: TIMES.italic, size: 9.5 });
    pen.rule(LEFT, RIGHT, top + 19, 0.4);
  },

  drawRow(pen, _invoice, { top, last }) {
    if (last) pen.rule(LEFT, RIGHT, top + CLASSIC.rowHeight + 3, 0.9);
  },

  drawTotalGround(pen, _invoice, from, y) {
    pen.rule(from, RIGHT, y - 13, 0.4);
    pen.rule(from, RIGHT, y + 5, 0.4);
    pen.rule(from, RIGHT, y + 7, 0.4);
    return { font: TIMES.bold, size: 11.5 };
  },

  drawFoot(pen, { supplier }, page, pages) {
    const style = { font: TIMES.regular, size: 8.5, color: GREY, align: 'center' } as const;
    pen.rule(LEFT, RIGHT, 784, 0.4, supplier.accent);
    pen.text(bankLines(supplier).join('  ·  '), MIDDLE, 797, style);
    const contact = [taxLine(supplier), supplier.email].filter(Boolean).join('  ·  ');
    pen.text(contact, MIDDLE, 808, style);
    const count = wordingOf(supplier).page(page, pages);
    pen.text(count, MIDDLE, 822, { ...style, font: TIMES.italic });
  },
};
