import { chanceFrom } from '../chance.ts';
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
  type Letterhead,
} from './letterhead.ts';
import { PAGE_WIDTH, type Pen } from './pen.ts';
import { drawColumnNames } from './table.ts';

const LEFT = 52;
const RIGHT = PAGE_WIDTH - 52;
const STEP = (RIGHT - LEFT) / 6;
const GREY = '#7b7b80';
const HAIR = '#c9c9cf';

/** The mark of the firm: four of nine squares, which ones follows from its number. */
function drawMark(pen: Pen, number: string, color: string): void {
  const squares = chanceFrom(`mark ${number}`).shuffled([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  for (const square of squares.slice(0, 4)) {
    pen.fill(LEFT + (square % 3) * 11, 44 + Math.floor(square / 3) * 11, 10, 10, color);
  }
}

/** A modern firm: six columns, much white, hairlines, one colour. */
export const GRID: Letterhead = {
  face: HELVETICA,
  size: 9,
  left: LEFT,
  right: RIGHT,
  rowHeight: 20,
  tableTop: 366,
  nextTableTop: 104,
  tableHeadHeight: 22,
  inset: 0,
  bottom: 752,

  drawFirstHead(pen, invoice) {
    const { supplier } = invoice;
    const words = wordingOf(supplier);
    drawMark(pen, supplier.number, supplier.accent);
    const name = { font: HELVETICA.bold, size: 13 };
    pen.text(supplier.name, LEFT + STEP, 54, fitted(pen, supplier.name, STEP * 3 - 12, name));
    const place = [...placeOf(supplier), supplier.website];
    pen.texts(place, LEFT + STEP * 4, 53, 11.5, {
      font: HELVETICA.regular,
      size: 8.5,
      color: GREY,
    });
    pen.texts(addressLines(invoice), LEFT + STEP, 142, 14, {
      font: HELVETICA.regular,
      size: 10.5,
    });
    pen.text(words.invoice, LEFT - 1.5, 262, {
      font: HELVETICA.regular,
      size: 30,
      color: supplier.accent,
    });
    pen.rule(LEFT, RIGHT, 280, 0.4, HAIR);
    factsOf(invoice).forEach(([label, value], at) => {
      const x = LEFT + (at % 3) * STEP * 2;
      const y = 296 + Math.floor(at / 3) * 30;
      pen.text(label, x, y, { font: HELVETICA.regular, size: 7.5, color: GREY });
      pen.text(value, x, y + 12, { font: HELVETICA.bold, size: 9.5 });
    });
  },

  drawNextHead(pen, { supplier, number, date }) {
    drawMark(pen, supplier.number, supplier.accent);
    pen.text(supplier.name, LEFT + STEP, 54, { font: HELVETICA.bold, size: 10 });
    const title = `${wordingOf(supplier).invoice} ${number}, ${writeDay(date, supplier)}`;
    pen.text(title, RIGHT, 54, {
      font: HELVETICA.regular,
      size: 9,
      color: GREY,
      align: 'right',
    });
  },

  drawTableHead(pen, invoice, top) {
    drawColumnNames(pen, GRID, invoice, top + 11, {
      font: HELVETICA.regular,
      size: 7.5,
      color: GREY,
    });
    pen.rule(LEFT, RIGHT, top + 19, 1.5, invoice.supplier.accent);
  },

  drawRow(pen, _invoice, { top }) {
    pen.rule(LEFT, RIGHT, top + GRID.rowHeight, 0.4, HAIR);
  },

  drawTotalGround(pen, { supplier }, from, y) {
    pen.rule(from, RIGHT, y - 15, 1.5, supplier.accent);
    return { font: HELVETICA.bold, size: 12 };
  },

  drawFoot(pen, { supplier }, page, pages) {
    const words = wordingOf(supplier);
    const columns = [
      bankLines(supplier),
      [supplier.email, taxLine(supplier)],
      [words.page(page, pages)],
    ];
    columns.forEach((lines, at) => {
      const x = [LEFT, LEFT + STEP * 2.6, LEFT + STEP * 5.15][at] ?? LEFT;
      pen.texts(lines, x, 790, 11, { font: HELVETICA.regular, size: 7.5, color: GREY });
    });
    pen.fill(LEFT, 774, 18, 3, supplier.accent);
  },
};
