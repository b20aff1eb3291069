import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INVOICE_ARCHIVE, INVOICE_VIEWS, type InvoiceIndex } from './archive.ts';
import { chooseMistakes } from './defects.ts';
import { INVOICES, type Invoice } from './invoices.ts';
import { drawInvoice, pagesOf } from './page/draw-invoice.ts';
import { SUPPLIER_TABLE } from './supplier-table.ts';

function trueIndex(invoice: Invoice): InvoiceIndex {
  return {
    INVOICENO: invoice.number,
    INVOICEDATE: invoice.date,
    SUPPLIERNO: invoice.supplier.number,
    SUPPLIER: invoice.supplier.name,
    ORDERNO: invoice.orderNumber,
    NET: invoice.net / 100,
    VAT: invoice.vat / 100,
    TOTAL: invoice.total / 100,
    CURRENCY: invoice.supplier.currency,
    DUEDATE: invoice.dueDate,
    PAID: invoice.paid,
    RECEIVEDAT: invoice.receivedAt,
    PAGES: pagesOf(invoice),
    COSTCENTRE: invoice.costCentre,
    REMARK: invoice.remark,
  };
}

function fileName({ revisionId }: Invoice): string {
  return `invoices/invoice-${revisionId}.pdf`;
}

function documents() {
  const right = new Map(INVOICES.map((invoice) => [invoice.revisionId, trueIndex(invoice)]));
  const wrong = chooseMistakes(right);
  return INVOICES.map((invoice) => {
    const index = { ...trueIndex(invoice), ...wrong.get(invoice.revisionId) };
    const keywords = (name: string, values: readonly string[]) =>
      values.map((value) => ({ name, value }));
    return {
      revisionId: Number(invoice.revisionId),
      indexFields: Object.entries(index).map(([name, value]) => ({ name, value })),
      keywordFields: [
        ...keywords('SUBJECT', invoice.subjects),
        ...keywords('PROJECT', invoice.projects),
      ],
      files: [fileName(invoice)],
    };
  });
}

/**
 * What is wrong in the index of the sample's invoices: by revision id, the right values of the fields whose
 * value in the definition file is another one or none. They are what the pages show.
 */
export function sampleDefects(): ReadonlyMap<string, Partial<InvoiceIndex>> {
  const right = new Map(INVOICES.map((invoice) => [invoice.revisionId, trueIndex(invoice)]));
  const defects = new Map<string, Partial<InvoiceIndex>>();
  for (const [revisionId, wrong] of chooseMistakes(right)) {
    const fields = Object.entries(right.get(revisionId) ?? {});
    defects.set(revisionId, Object.fromEntries(fields.filter(([name]) => name in wrong)));
  }
  return defects;
}

/**
 * Writes the sample content: the archive INVOICES with 200 invoices as PDF files and the table SUPPLIERS.
 * The bytes are the same every time; about a third of the invoices have wrong or missing index values.
 * @param directory is made where it does not exist; takes `sample.json` and `invoices/`
 * @returns the path of the definition file (docs/interface/decisions.md, section 9)
 */
export async function writeSample(directory: string): Promise<string> {
  await mkdir(join(directory, 'invoices'), { recursive: true });
  for (const invoice of INVOICES) {
    await writeFile(join(directory, fileName(invoice)), await drawInvoice(invoice));
  }
  const path = join(directory, 'sample.json');
  const content = {
    archives: [{ ...INVOICE_ARCHIVE, documents: documents(), views: INVOICE_VIEWS }],
    tables: [SUPPLIER_TABLE],
  };
  await writeFile(path, `${JSON.stringify(content, null, 1)}\n`);
  return path;
}
