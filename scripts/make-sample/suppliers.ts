import { addDays, officeTime } from './calendar.ts';
import { chanceFrom, type Chance } from './chance.ts';
import {
  COUNTRIES,
  LETTERHEADS,
  SUBJECTS,
  SUPPLIER_ROWS,
  type Country,
  type LetterheadName,
  type Subject,
} from './supplier-list.ts';

export type Language = 'de' | 'en' | 'fr';

/** A supplier: what the table SUPPLIERS holds of it, and what its invoices need. */
export interface Supplier {
  readonly number: string;
  readonly name: string;
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
  readonly country: Country;
  readonly language: Language;
  readonly currency: 'EUR' | 'GBP' | 'CHF' | 'USD';
  readonly subject: Subject;
  readonly letterhead: LetterheadName;
  /** #rrggbb */
  readonly accent: string;
  readonly email: string;
  readonly website: string;
  /** null where the country has none (US) */
  readonly vatId: string | null;
  readonly iban: string;
  readonly bank: string;
  readonly paymentDays: number;
  /** percent, for payment within ten days */
  readonly discount: number;
  readonly invoiceNumberForm: string;
  readonly active: boolean;
  readonly since: string;
  /** ISO date-time with offset, or null */
  readonly lastContact: string | null;
}

/** Suppliers without business any more: they stand in the table, but send no invoices. */
const INACTIVE = new Set(['70110', '70180', '70390']);

const ENGLISH = new Set<Country>(['GB', 'IE', 'US', 'NL']);

function member<T extends string>(names: readonly T[], name: string): T {
  const found = names.find((each) => each === name);
  if (found === undefined) throw new Error(`The list of suppliers holds the unknown name ${name}.`);
  return found;
}

function readRow(row: readonly string[]): Supplier {
  const [number = '', name = '', street = '', postcode = '', city = ''] = row;
  const [land = '', subject = '', letterhead = '', accent = '', domain = ''] = row.slice(5);
  const [days, discount, invoiceNumberForm = ''] = row.slice(10);
  const country = member(COUNTRIES, land);
  const language = ENGLISH.has(country) ? 'en' : country === 'FR' || country === 'BE' ? 'fr' : 'de';
  const chance = chanceFrom(`supplier ${number}`);
  const mailbox = { de: 'rechnung', en: 'accounts', fr: 'facturation' }[language];
  const active = !INACTIVE.has(number);
  const contacted = addDays('2026-11-06', -chance.whole(2, active ? 160 : 600));
  return {
    number,
    name,
    street,
    postcode,
    city,
    country,
    language,
    currency:
      country === 'GB' ? 'GBP' : country === 'CH' ? 'CHF' : country === 'US' ? 'USD' : 'EUR',
    subject: member(SUBJECTS, subject),
    letterhead: member(LETTERHEADS, letterhead),
    accent,
    email: `${mailbox}@${domain}.example`,
    website: `www.${domain}.example`,
    vatId: vatId(country, chance),
    ...account(country, chance),
    paymentDays: Number(days),
    discount: Number(discount),
    invoiceNumberForm,
    active,
    since: addDays('2009-01-05', chance.whole(0, 5_600)),
    lastContact: chance.odds(0.85)
      ? officeTime(contacted, chance.whole(8 * 60, 17 * 60), country === 'GB' ? 0 : 1)
      : null,
  };
}

/** Numbers of the right form that belong to nobody: they start in ranges that are not given out. */
function vatId(country: Country, chance: Chance): string | null {
  switch (country) {
    case 'DE':
      return `DE000${chance.digits(6)}`;
    case 'AT':
      return `ATU00${chance.digits(6)}`;
    case 'CH':
      return `CHE-000.${chance.digits(3)}.${chance.digits(3)}`;
    case 'FR':
      return `FR00000${chance.digits(6)}`;
    case 'BE':
      return `BE0000${chance.digits(6)}`;
    case 'GB':
      return `GB000${chance.digits(6)}`;
    case 'IE':
      return `IE00${chance.digits(5)}T`;
    case 'NL':
      return `NL000${chance.digits(6)}B01`;
    case 'US':
      return null;
    default:
      return country satisfies never;
  }
}

/** A bank account at a bank that is none; the IBAN's check digits are right (ISO 13616). */
function account(country: Country, chance: Chance): { iban: string; bank: string } {
  if (country === 'US') return { iban: `000 ${chance.digits(6)}`, bank: 'Cascadia Example Bank' };
  const form: Record<Exclude<Country, 'US'>, [string, string]> = {
    DE: [`00000000${chance.digits(10)}`, 'Musterbank Nord'],
    AT: [`00000${chance.digits(11)}`, 'Musterbank Alpenland'],
    CH: [`00000${chance.digits(12)}`, 'Musterbank Schweiz'],
    FR: [`0000000000${chance.digits(13)}`, 'Banque Exemple'],
    BE: [`000${chance.digits(9)}`, 'Banque Exemple Belgique'],
    GB: [`XMPL000000${chance.digits(8)}`, 'Example Bank plc'],
    IE: [`XMPL000000${chance.digits(8)}`, 'Example Bank Ireland'],
    NL: [`XMPL${chance.digits(10)}`, 'Voorbeeldbank'],
  };
  const [domestic, bank] = form[country];
  const rearranged = `${domestic}${country}00`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  const check = String(98n - (BigInt(rearranged) % 97n)).padStart(2, '0');
  return { iban: `${country}${check}${domestic}`.replace(/.{4}(?=.)/g, '$& '), bank };
}

export const SUPPLIERS: readonly Supplier[] = SUPPLIER_ROWS.map(readRow);
