import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseMistakes, type PlantedMistake } from './defects.ts';
import { correctIndex, type InvoiceIndex } from './index-data.ts';
import { INVOICES, type Invoice } from './invoices.ts';
import { chanceFrom } from './chance.ts';
import { drawInvoice } from './page/draw-invoice.ts';
import { SUPPLIERS, type Supplier } from './suppliers.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

const NOTES = [
  'Closed between Christmas and Epiphany.',
  'Reminders to accounts only, never to the sales office.',
  'Sends invoices twice: by post and by e-mail.\nKeep the e-mail.',
  'Framework contract until 2027-06-30, then 3 months’ notice.',
  'Liefert nur dienstags und donnerstags.\nAvis zwei Tage vorher.',
  'Congés annuels en août.',
] as const;

function supplierRow(supplier: Supplier, at: number): Row {
  const chance = chanceFrom(`note ${supplier.number}`);
  return {
    jrid: at + 1,
    SUPPLIERNO: supplier.number,
    NAME: supplier.name,
    STREET: supplier.street,
    POSTCODE: supplier.postcode,
    CITY: supplier.city,
    COUNTRY: supplier.country,
    VATID: supplier.vatId,
    EMAIL: supplier.email,
    DISCOUNT: supplier.discount,
    PAYMENTDAYS: supplier.paymentDays,
    ACTIVE: supplier.active,
    SINCE: supplier.since,
    LASTCONTACT: supplier.lastContact,
    NOTE: chance.odds(0.35) ? chance.pick(NOTES) : null,
  };
}

const CORRECT_INDEX: ReadonlyMap<string, InvoiceIndex> = new Map(
  INVOICES.map((invoice) => [invoice.revisionId, correctIndex(invoice)]),
);
const MISTAKES = chooseMistakes(CORRECT_INDEX);

function wrongValues(revisionId: string): Partial<InvoiceIndex> {
  return Object.assign({}, ...(MISTAKES.get(revisionId) ?? []).map(({ wrong }) => wrong));
}

function invoiceRow(invoice: Invoice): Row {
  const { revisionId } = invoice;
  return {
    revisionId,
    ...CORRECT_INDEX.get(revisionId),
    ...wrongValues(revisionId),
    SUBJECT: invoice.subjects.join('|'),
    PROJECT: invoice.projects.join('|'),
    file: fileName(invoice),
  };
}

function fileName({ revisionId }: Invoice): string {
  return `pdf/invoice-${revisionId}.pdf`;
}

/** CSV (RFC 4180) with the keys of the first row as its header; null is an empty cell. */
function toCsv(rows: readonly Row[]): string {
  const line = (cells: readonly Row[string][]) =>
    cells
      .map((cell) => String(cell ?? ''))
      .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(',');
  const names = Object.keys(rows[0] ?? {});
  const lines = [line(names), ...rows.map((row) => line(names.map((name) => row[name] ?? null)))];
  return `${lines.join('\n')}\n`;
}

/**
 * The mistakes in the index data of the sample's invoices: by revision id, the correct values of the fields whose
 * value in the CSV file differs from the page or is missing.
 */
export function sampleDefects(): ReadonlyMap<string, Partial<InvoiceIndex>> {
  const correctValues = (revisionId: string) => {
    const wrong = wrongValues(revisionId);
    return Object.entries(CORRECT_INDEX.get(revisionId) ?? {}).filter(([name]) => name in wrong);
  };
  return new Map([...MISTAKES.keys()].map((id) => [id, Object.fromEntries(correctValues(id))]));
}

/** The same mistakes with their kinds and wrong values, by revision id. */
export function plantedMistakes(): ReadonlyMap<string, readonly PlantedMistake[]> {
  return MISTAKES;
}

/**
 * Writes the content that `invoices.json` in the same directory describes: 200 invoices as PDF files (`pdf/`) with
 * their index data (`invoices.csv`), and the suppliers (`suppliers.csv`). The bytes are the same every time; about a
 * third of the invoices have wrong or missing index values.
 */
export async function writeSample(directory: string): Promise<void> {
  await mkdir(join(directory, 'pdf'), { recursive: true });
  await writeFile(join(directory, 'suppliers.csv'), toCsv(SUPPLIERS.map(supplierRow)));
  await writeFile(join(directory, 'invoices.csv'), toCsv(INVOICES.map(invoiceRow)));
  for (const invoice of INVOICES) {
    await writeFile(join(directory, fileName(invoice)), await drawInvoice(invoice));
  }
}
