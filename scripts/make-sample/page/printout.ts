import { writeDay } from '../notation.ts';
import { wordingOf } from '../wording.ts';
import {
  addressLines,
  bankLines,
  COURIER,
  factsOf,
  fitted,
  HELVETICA,
  placeOf,
  taxLine,
  type Letterhead,
} from './letterhead.ts';
import { PAGE_WIDTH } from './pen.ts';
import { drawColumnNames } from './table.ts';

const LEFT = 44;
const RIGHT = PAGE_WIDTH - 44;

/** The printout of an old billing system on printed stationery: typewriter type, boxes, double lines. */
export const PRINTOUT: Letterhead = {
  face: COURIER,
  size: 8,
  left: LEFT,
  right: RIGHT,
  rowHeight: 14,
  tableTop: 302,
  nextTableTop: 96,
  tableHeadHeight: 22,
  inset: 5,
  bottom: 764,

  drawFirstHead(pen, invoice) {
    const { supplier } = invoice;
    const words = wordingOf(supplier);
    for (let stripe = 0; stripe < 3; stripe++) {
      const x = LEFT + stripe * 13;
      const corners = [
        [x + 12, 36],
        [x + 20, 36],
        [x + 8, 66],
        [x, 66],
      ] as const;
      pen.polygon(corners, supplier.accent);
    }
    const name = { font: 'Helvetica-BoldOblique', size: 16, color: supplier.accent };
    pen.text(supplier.name, LEFT + 60, 57, fitted(pen, supplier.name, 300, name));
    pen.texts([...placeOf(supplier), supplier.website], RIGHT, 44, 10.5, {
      font: HELVETICA.regular,
      size: 8,
      color: '#333333',
      align: 'right',
    });
    pen.rule(LEFT, RIGHT, 76, 2, supplier.accent);
    pen.texts(addressLines(invoice), LEFT + 5, 140, 13, { font: COURIER.regular, size: 10 });
    pen.frame(318, 112, RIGHT - 318, 122, 0.7);
    pen.text(words.invoice.toUpperCase(), 326, 129, {
      font: COURIER.bold,
      size: 13,
      tracking: 2,
    });
    pen.rule(318, RIGHT, 138, 0.7);
    factsOf(invoice).forEach(([label, value], at) => {
      const y = 153 + at * 14.5;
      pen.text(label, 326, y, { font: COURIER.regular, size: 8.5 });
      pen.text(value, RIGHT - 8, y, { font: COURIER.bold, size: 8.5, align: 'right' });
    });
    pen.text(words.opening, LEFT + 5, 276, { font: COURIER.regular, size: 8.5 });
  },

  drawNextHead(pen, { supplier, number, date }) {
    pen.text(supplier.name, LEFT, 56, {
      font: 'Helvetica-BoldOblique',
      size: 11,
      color: supplier.accent,
    });
    const title = `${wordingOf(supplier).invoice} ${number} / ${writeDay(date, supplier)}`;
    pen.text(title, RIGHT, 56, { font: COURIER.regular, size: 8.5, align: 'right' });
    pen.rule(LEFT, RIGHT, 66, 2, supplier.accent);
  },

  drawTableHead(pen, invoice, top) {
    pen.fill(LEFT, top, RIGHT - LEFT, 18, '#e8e8e8');
    pen.frame(LEFT, top, RIGHT - LEFT, 18, 0.7);
    drawColumnNames(pen, PRINTOUT, invoice, top + 11.5, { font: COURIER.bold, size: 8 });
  },

  drawRow(pen, _invoice, { top, last, at }) {
    const from = at === 0 ? top - 4 : top;
    const to = top + PRINTOUT.rowHeight + (last ? 4 : 0);
    for (const x of [LEFT, RIGHT]) pen.post(x, from, to, 0.7);
    if (last) pen.rule(LEFT, RIGHT, to, 0.7);
  },

  drawTotalGround(pen, _invoice, from, y) {
    pen.frame(from, y - 14, RIGHT - from, 21, 0.7);
    return { font: COURIER.bold, size: 10.5 };
  },

  drawFoot(pen, { supplier }, page, pages) {
    const words = wordingOf(supplier);
    const style = { font: HELVETICA.regular, size: 7.5, color: '#333333' };
    pen.rule(LEFT, RIGHT, 782, 2, supplier.accent);
    pen.text(`${words.bank}: ${bankLines(supplier).join(', ')}`, LEFT, 795, style);
    const contact = [supplier.email, taxLine(supplier)].filter(Boolean).join('   ');
    pen.text(contact, LEFT, 806, style);
    pen.text(words.page(page, pages), RIGHT, 806, {
      font: COURIER.regular,
      size: 8.5,
      align: 'right',
    });
  },
};
