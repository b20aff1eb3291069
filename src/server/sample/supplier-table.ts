import { chanceFrom } from './chance.ts';
import { COUNTRIES } from './supplier-list.ts';
import { SUPPLIERS, type Supplier } from './suppliers.ts';

const COLUMNS = [
  {
    name: 'SUPPLIERNO',
    label: 'Supplier no.',
    type: 'text',
    required: true,
    unique: true,
    maxLength: 10,
    pattern: '[0-9]{5}',
    description: 'Our number for the supplier, five digits.',
  },
  {
    name: 'NAME',
    label: 'Name',
    type: 'text',
    required: true,
    maxLength: 120,
    description: 'The name of the firm with its legal form.',
  },
  { name: 'STREET', label: 'Street', type: 'text', maxLength: 120 },
  { name: 'POSTCODE', label: 'Postcode', type: 'text', maxLength: 12 },
  { name: 'CITY', label: 'City', type: 'text', maxLength: 80 },
  {
    name: 'COUNTRY',
    label: 'Country',
    type: 'text',
    options: COUNTRIES,
    description: 'The two letters of the country (ISO 3166).',
  },
  {
    name: 'VATID',
    label: 'VAT id',
    type: 'text',
    maxLength: 20,
    pattern:
      'DE[0-9]{9}|ATU[0-9]{8}|BE0[0-9]{9}|CHE-[0-9]{3}\\.[0-9]{3}\\.[0-9]{3}|FR[0-9A-Z]{2}[0-9]{9}|GB[0-9]{9}|IE[0-9]{7}[A-Z]{1,2}|NL[0-9]{9}B[0-9]{2}',
    description: 'VAT identification number without blanks, starting with the country’s letters.',
  },
  {
    name: 'EMAIL',
    label: 'E-mail',
    type: 'text',
    maxLength: 120,
    pattern: '[^@ ]+@[^@ ]+\\.[^@ .]+',
    patternDescription: 'Enter one e-mail address, such as name@example.org',
    description: 'Where questions about invoices go.',
  },
  {
    name: 'DISCOUNT',
    label: 'Discount %',
    type: 'decimal',
    scale: 2,
    min: 0,
    max: 100,
    description: 'Cash discount for payment within ten days, in percent.',
  },
  {
    name: 'PAYMENTDAYS',
    label: 'Days to pay',
    type: 'integer',
    min: 0,
    max: 365,
    default: 30,
    description: 'Days from the invoice date until payment is due.',
  },
  {
    name: 'ACTIVE',
    label: 'Active',
    type: 'boolean',
    default: true,
    description: 'No where we buy nothing there any more.',
  },
  { name: 'SINCE', label: 'Since', type: 'date', description: 'The day of the first order.' },
  {
    name: 'LASTCONTACT',
    label: 'Last contact',
    type: 'datetime',
    description: 'When somebody last wrote or spoke to them.',
  },
  {
    name: 'NOTE',
    label: 'Note',
    type: 'text',
    maxLength: 4000,
    description: 'What a colleague should know before calling.',
  },
];

const NOTES = [
  'Closed between Christmas and Epiphany.',
  'Reminders to accounts only, never to the sales office.',
  'Sends invoices twice: by post and by e-mail.\nKeep the e-mail.',
  'Framework contract until 2027-06-30, then 3 months’ notice.',
  'Liefert nur dienstags und donnerstags.\nAvis zwei Tage vorher.',
  'Congés annuels en août.',
] as const;

function datasetOf(supplier: Supplier, at: number) {
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

/**
 * The table SUPPLIERS with its datasets as a definition file describes it (docs/interface/decisions.md, section
 * 9).
 */
export const SUPPLIER_TABLE = {
  guid: 'b3a1f7c4-8d2e-4f60-b5c9-71e0a4d6938b',
  name: 'SUPPLIERS',
  label: 'Suppliers',
  description: 'The firms that send us invoices.',
  columns: COLUMNS,
  datasets: SUPPLIERS.map(datasetOf),
};
