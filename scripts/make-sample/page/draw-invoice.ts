import PdfKit from 'pdfkit';
import type { Invoice } from '../invoices.ts';
import type { LetterheadName } from '../supplier-list.ts';
import { wordingOf } from '../wording.ts';
import { BAND } from './band.ts';
import { CLASSIC } from './classic.ts';
import { CLOSING_HEIGHT, drawClosing } from './closing.ts';
import { GRID } from './grid.ts';
import type { Letterhead } from './letterhead.ts';
import { Pen } from './pen.ts';
import { PRINTOUT } from './printout.ts';
import { drawTable } from './table.ts';

const LETTERHEAD_OF: Readonly<Record<LetterheadName, Letterhead>> = {
  band: BAND,
  classic: CLASSIC,
  grid: GRID,
  printout: PRINTOUT,
};

/** How many of the invoice's lines stand on each of its pages (one or two). */
function linesByPage({ supplier, lines }: Invoice): number[] {
  const { tableTop, tableHeadHeight, rowHeight, bottom } = LETTERHEAD_OF[supplier.letterhead];
  const room = bottom - tableTop - tableHeadHeight;
  if (lines.length * rowHeight + CLOSING_HEIGHT <= room) return [lines.length];
  // The last row carries the sum over; the next page gets three lines at least.
  const first = Math.min(Math.floor(room / rowHeight) - 1, lines.length - 3);
  return [first, lines.length - first];
}

/** The number of pages that the invoice's PDF has. */
export function pagesOf(invoice: Invoice): number {
  return linesByPage(invoice).length;
}

/**
 * The invoice as a PDF, in its supplier's letterhead.
 * @returns the file's bytes, the same every time
 */
export async function drawInvoice(invoice: Invoice): Promise<Buffer> {
  const { supplier, number, date } = invoice;
  const letterhead = LETTERHEAD_OF[supplier.letterhead];
  const document = new PdfKit({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: supplier.language,
    displayTitle: true,
    info: {
      Title: `${wordingOf(supplier).invoice} ${number}`,
      Author: supplier.name,
      // The file's identifier is made from these entries.
      CreationDate: new Date(`${date}T09:00:00Z`),
    },
  });
  const bytes = collect(document);
  const pen = new Pen(document);
  const pages = linesByPage(invoice);
  let from = 0;
  pages.forEach((count, at) => {
    document.addPage();
    if (at === 0) letterhead.drawFirstHead(pen, invoice);
    else letterhead.drawNextHead(pen, invoice);
    const top = at === 0 ? letterhead.tableTop : letterhead.nextTableTop;
    const end = drawTable(pen, letterhead, invoice, { from, to: from + count, top });
    if (at === pages.length - 1) drawClosing(pen, letterhead, invoice, end);
    letterhead.drawFoot(pen, invoice, at + 1, pages.length);
    from += count;
  });
  document.end();
  return bytes;
}

async function collect(document: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of document) chunks.push(chunk);
  return Buffer.concat(chunks);
}
