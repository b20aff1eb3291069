import type { Invoice } from './invoices.ts';
import { pagesOf } from './page/draw-invoice.ts';

/** The index data of an invoice, by field; `examples/invoices/invoices.json` defines the fields. */
export interface InvoiceIndex {
  readonly INVOICENO: string;
  readonly INVOICEDATE: string;
  readonly SUPPLIERNO: string | null;
  readonly SUPPLIER: string;
  readonly ORDERNO: string | null;
  readonly NET: number | null;
  readonly VAT: number | null;
  readonly TOTAL: number | null;
  readonly CURRENCY: string | null;
  readonly DUEDATE: string | null;
  readonly PAID: boolean;
  readonly RECEIVEDAT: string;
  readonly PAGES: number;
  readonly COSTCENTRE: string | null;
  readonly REMARK: string | null;
}

/** The correct index data: the values that the page shows. */
export function correctIndex(invoice: Invoice): InvoiceIndex {
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
