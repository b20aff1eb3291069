import { COST_CENTRES } from './booking.ts';

/** What an invoice's index holds, by field. */
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

const money = { type: 'decimal', scale: 2, min: 0 };

/** The archive INVOICES as a definition file describes it (docs/interface/decisions.md, section 9). */
export const INVOICE_ARCHIVE = {
  guid: '6f0d1c6a-52b7-4c1e-9a53-0f3e8c7d2a41',
  table: 'INVOICES',
  name: 'Supplier invoices',
  description:
    'Scanned invoices. About every third still has a mistake in its index data: a value is missing (see the work lists), or is not that of the page.',
  indexFields: [
    {
      name: 'INVOICENO',
      label: 'Invoice no.',
      type: 'text',
      required: true,
      maxLength: 40,
      description: 'The number that the supplier gave the invoice, exactly as it is printed.',
    },
    {
      name: 'INVOICEDATE',
      label: 'Invoice date',
      type: 'date',
      required: true,
      min: '2000-01-01',
      description: 'The date printed on the invoice, not the day it arrived.',
    },
    {
      name: 'SUPPLIERNO',
      label: 'Supplier no.',
      type: 'text',
      maxLength: 10,
      description:
        'Our number for the supplier. It is printed on the invoice as our customer or account number. Choosing it fills in the name.',
      optionsFrom: { table: 'SUPPLIERS', column: 'SUPPLIERNO', fills: { SUPPLIER: 'NAME' } },
    },
    {
      name: 'SUPPLIER',
      label: 'Supplier',
      type: 'text',
      required: true,
      maxLength: 120,
      description: 'The name of the firm that sent the invoice, with its legal form.',
    },
    {
      name: 'ORDERNO',
      label: 'Order no.',
      type: 'text',
      maxLength: 20,
      pattern: 'PO-[0-9]{2}-[0-9]{5}',
      description:
        'The number of our order, for example PO-26-01234. Empty where nothing was ordered in writing.',
    },
    { name: 'NET', label: 'Net', ...money, description: 'The sum before VAT.' },
    {
      name: 'VAT',
      label: 'VAT',
      ...money,
      description: 'Value added tax; 0 where we pay it ourselves (reverse charge).',
    },
    { name: 'TOTAL', label: 'Total', ...money, description: 'The sum to pay: net and VAT.' },
    {
      name: 'CURRENCY',
      label: 'Currency',
      type: 'text',
      options: ['EUR', 'GBP', 'CHF', 'USD'],
      description: 'The currency of all three amounts.',
    },
    {
      name: 'DUEDATE',
      label: 'Due date',
      type: 'date',
      description: 'The last day for payment without any deduction.',
    },
    {
      name: 'PAID',
      label: 'Paid',
      type: 'boolean',
      description: 'Yes once the payment has left our account.',
    },
    {
      name: 'RECEIVEDAT',
      label: 'Received',
      type: 'datetime',
      description: 'When the post room scanned the invoice, in the local time of that office.',
    },
    {
      name: 'PAGES',
      label: 'Pages',
      type: 'integer',
      min: 1,
      description: 'How many pages the invoice has.',
    },
    {
      name: 'COSTCENTRE',
      label: 'Cost centre',
      type: 'text',
      options: COST_CENTRES,
      description: 'Who bears the cost. The number is on the post room’s stamp.',
    },
    {
      name: 'REMARK',
      label: 'Remark',
      type: 'text',
      maxLength: 2000,
      description: 'Anything the next person should know: complaints, agreements, part payments.',
    },
  ],
  keywordFields: [
    { name: 'SUBJECT', label: 'Subject' },
    { name: 'PROJECT', label: 'Project' },
  ],
};

/** A list of what lacks a value, for all who see the archive. */
function missing(field: keyof InvoiceIndex, label: string) {
  const search = new URLSearchParams({ [`where[${field}][null]`]: 'true' });
  return { name: `${label} missing`, search: search.toString() };
}

/** Work lists to begin with: what can be found without looking at the pages. */
export const INVOICE_VIEWS = [
  missing('SUPPLIERNO', 'Supplier no.'),
  missing('COSTCENTRE', 'Cost centre'),
  missing('CURRENCY', 'Currency'),
  missing('DUEDATE', 'Due date'),
  missing('VAT', 'VAT'),
];
