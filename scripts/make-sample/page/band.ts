import { writeDay } from '../notation.ts';
import { wordingOf } from '../wording.ts';
import {
  addressLines,
  bankLines,
  factsOf,
  fitted,
  HELVETICA,
  placeOf,
  taxLine,
  tint,
  type Letterhead,
} from './letterhead.ts';
import { PAGE_HEIGHT, PAGE_WIDTH } from './pen.ts';
import { drawColumnNames } from './table.ts';

const LEFT = 56;
const RIGHT = PAGE_WIDTH - 56;
const WHITE = '#ffffff';

/** A firm that had its letterhead designed: a band of colour over the whole width, banded rows. */
export const BAND: Letterhead = {
  face: HELVETICA,
  size: 9,
  left: LEFT,
  right: RIGHT,
  rowHeight: 19,
  tableTop: 340,
  nextTableTop: 84,
  tableHeadHeight: 22,
  inset: 8,
  bottom: 758,

  drawFirstHead(pen, invoice) {
    const { supplier } = invoice;
    const words = wordingOf(supplier);
    pen.fill(0, 0, PAGE_WIDTH, 88, supplier.accent);
    pen.disc(LEFT + 21, 44, 21, WHITE);
    const initial = supplier.name.replace(/^(?:Dr\.|Die) /, '').slice(0, 1);
    pen.text(initial, LEFT + 21, 52.5, {
      font: HELVETICA.bold,
      size: 24,
      color: supplier.accent,
      align: 'center',
    });
    const name = { font: HELVETICA.bold, size: 17, color: WHITE };
    pen.text(supplier.name, LEFT + 56, 42, fitted(pen, supplier.name, RIGHT - LEFT - 56, name));
    pen.text([...placeOf(supplier), supplier.website].join('   |   '), LEFT + 56, 59, {
      font: HELVETICA.regular,
      size: 8.5,
      color: tint(supplier.accent, 0.15),
    });
    const sender = [supplier.name, ...placeOf(supplier)].join(', ');
    const small = { font: HELVETICA.regular, size: 6.5, color: '#666666' };
    pen.text(sender, LEFT, 136, fitted(pen, sender, 230, small));
    pen.rule(LEFT, LEFT + 230, 139.5, 0.3, '#999999');
    pen.texts(addressLines(invoice), LEFT, 156, 14, { font: HELVETICA.regular, size: 10.5 });
    const facts = factsOf(invoice);
    pen.fill(330, 122, RIGHT - 330, facts.length * 16.2 + 15, tint(supplier.accent, 0.08));
    facts.forEach(([label, value], at) => {
      const y = 140 + at * 16.2;
      pen.text(label, 342, y, { font: HELVETICA.regular, size: 8.5, color: '#555555' });
      pen.text(value, RIGHT - 12, y, { font: HELVETICA.bold, size: 9, align: 'right' });
    });
    pen.text(words.invoice, LEFT, 288, {
      font: HELVETICA.bold,
      size: 20,
      color: supplier.accent,
    });
    pen.text(words.opening, LEFT, 314, { font: HELVETICA.regular, size: 9.5 });
  },

  drawNextHead(pen, { supplier, number, date }) {
    pen.fill(0, 0, PAGE_WIDTH, 44, supplier.accent);
    pen.text(supplier.name, LEFT, 27, { font: HELVETICA.bold, size: 11, color: WHITE });
    const title = `${wordingOf(supplier).invoice} ${number} – ${writeDay(date, supplier)}`;
    pen.text(title, RIGHT, 27, { font: HELVETICA.regular, size: 9, color: WHITE, align: 'right' });
  },

  drawTableHead(pen, invoice, top) {
    pen.fill(LEFT, top, RIGHT - LEFT, 20, invoice.supplier.accent);
    drawColumnNames(pen, BAND, invoice, top + 13.2, {
      font: HELVETICA.bold,
      size: 8,
      color: WHITE,
    });
  },

  drawRow(pen, { supplier }, { top, at, last }) {
    if (at % 2 === 1) {
      pen.fill(LEFT, top, RIGHT - LEFT, BAND.rowHeight, tint(supplier.accent, 0.07));
    }
    if (last) pen.rule(LEFT, RIGHT, top + BAND.rowHeight + 2, 1, supplier.accent);
  },

  drawTotalGround(pen, { supplier }, from, y) {
    pen.fill(from, y - 15.5, RIGHT - from, 24, supplier.accent);
    return { font: HELVETICA.bold, size: 11, color: WHITE };
  },

  drawFoot(pen, { supplier }, page, pages) {
    const words = wordingOf(supplier);
    const columns = [
      [words.contact, supplier.email, supplier.website],
      [words.bank, ...bankLines(supplier)],
      ['', taxLine(supplier), words.page(page, pages)],
    ];
    pen.rule(LEFT, RIGHT, 776, 0.5, supplier.accent);
    columns.forEach(([head = '', ...lines], at) => {
      const x = [LEFT, LEFT + 158, RIGHT - 112][at] ?? LEFT;
      pen.text(head, x, 788, { font: HELVETICA.bold, size: 7.5, color: supplier.accent });
      pen.texts(lines, x, 799, 10, { font: HELVETICA.regular, size: 7.5, color: '#444444' });
    });
    pen.fill(0, PAGE_HEIGHT - 8, PAGE_WIDTH, 8, supplier.accent);
  },
};
