import type { Country } from './supplier-list.ts';
import type { Language } from './suppliers.ts';

/** An office of the publisher that gets the invoices. */
export interface Buyer {
  readonly address: readonly string[];
  readonly country: Country;
  readonly vatId: string;
  readonly language: Language;
  /** hours ahead of UTC in winter */
  readonly zone: 0 | 1;
}

const HAMBURG: Buyer = {
  address: ['Aldenhoven Verlag GmbH', 'Rechnungsprüfung', 'Kaispeicherstraße 14', '20457 Hamburg'],
  country: 'DE',
  vatId: 'DE000481516',
  language: 'de',
  zone: 1,
};
const BASEL: Buyer = {
  address: ['Aldenhoven Verlag AG', 'Buchhaltung', 'Rosenhaldenstrasse 22', '4058 Basel'],
  country: 'CH',
  vatId: 'CHE-000.234.108 MWST',
  language: 'de',
  zone: 1,
};
const BRISTOL: Buyer = {
  address: [
    'Aldenhoven Publishing Ltd',
    'Accounts payable',
    "8 Tanner's Yard",
    'Bristol',
    'BS1 6XN',
  ],
  country: 'GB',
  vatId: 'GB000342815',
  language: 'en',
  zone: 0,
};
const LYON: Buyer = {
  address: ['Aldenhoven Éditions SARL', 'Comptabilité', '27, quai de la Pêcherie', '69001 Lyon'],
  country: 'FR',
  vatId: 'FR00000718243',
  language: 'fr',
  zone: 1,
};

/** Each supplier bills the office that is nearest. */
export function buyerOf(supplierCountry: Country): Buyer {
  switch (supplierCountry) {
    case 'CH':
      return BASEL;
    case 'GB':
      return BRISTOL;
    case 'FR':
    case 'BE':
      return LYON;
    default:
      return HAMBURG;
  }
}

/** Standard rates of 2026, in percent, of the countries that have an office. */
const VAT_RATES: Readonly<Partial<Record<Country, number>>> = { CH: 8.1, DE: 19, FR: 20, GB: 20 };

/** VAT on the invoice, in percent; 0 where the buyer, in another country, owes it (reverse charge). */
export function vatRate(supplierCountry: Country): number {
  const domestic = buyerOf(supplierCountry).country === supplierCountry;
  return domestic ? (VAT_RATES[supplierCountry] ?? 0) : 0;
}
