import type { Country } from './supplier-list.ts';
import type { Language } from './suppliers.ts';

export interface Wording {
  readonly invoice: string;
  readonly invoiceNumber: string;
  readonly date: string;
  readonly dueDate: string;
  readonly orderNumber: string;
  readonly customer: string;
  readonly customerVatId: string;
  readonly columns: readonly [string, string, string, string, string, string];
  readonly carriedForward: string;
  readonly net: string;
  readonly vat: string;
  readonly total: string;
  readonly page: (page: number, pages: number) => string;
  readonly opening: string;
  readonly payBy: (day: string) => string;
  readonly discount: (percent: string, day: string, amount: string) => string;
  readonly reverseCharge: string;
  readonly condition: string;
  readonly quoteNumber: string;
  readonly vatId: string;
  readonly bank: string;
  readonly contact: string;
  readonly received: string;
  readonly costCentre: string;
}

const WORDING: Readonly<Record<Language, Wording>> = {
  de: {
    invoice: 'Rechnung',
    invoiceNumber: 'Rechnungsnummer',
    date: 'Rechnungsdatum',
    dueDate: 'Fällig am',
    orderNumber: 'Ihre Bestellung',
    customer: 'Kundennummer',
    customerVatId: 'Ihre USt-IdNr.',
    columns: ['Pos.', 'Bezeichnung', 'Menge', 'Einheit', 'Einzelpreis', 'Betrag'],
    carriedForward: 'Übertrag',
    net: 'Nettobetrag',
    vat: 'Umsatzsteuer',
    total: 'Rechnungsbetrag',
    page: (page, pages) => `Seite ${page} von ${pages}`,
    opening: 'Für unsere Lieferungen und Leistungen berechnen wir Ihnen:',
    payBy: (day) => `Zahlbar ohne Abzug bis zum ${day}.`,
    discount: (percent, day, amount) =>
      `Bei Zahlung bis zum ${day} gewähren wir ${percent} % Skonto (${amount}).`,
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
    condition: 'Leistungsdatum entspricht dem Rechnungsdatum, soweit nicht anders angegeben.',
    quoteNumber: 'Bitte geben Sie bei der Zahlung die Rechnungsnummer an.',
    vatId: 'USt-IdNr.',
    bank: 'Bankverbindung',
    contact: 'Kontakt',
    received: 'EINGEGANGEN',
    costCentre: 'Kostenstelle',
  },
  en: {
    invoice: 'Invoice',
    invoiceNumber: 'Invoice no.',
    date: 'Invoice date',
    dueDate: 'Due date',
    orderNumber: 'Your order',
    customer: 'Account no.',
    customerVatId: 'Your VAT no.',
    columns: ['No.', 'Description', 'Quantity', 'Unit', 'Unit price', 'Amount'],
    carriedForward: 'Carried forward',
    net: 'Subtotal',
    vat: 'VAT',
    total: 'Total due',
    page: (page, pages) => `Page ${page} of ${pages}`,
    opening: 'Our charges for goods and services supplied:',
    payBy: (day) => `Payment in full is due by ${day}.`,
    discount: (percent, day, amount) =>
      `Prompt payment discount of ${percent}% if paid by ${day} (${amount}).`,
    reverseCharge: 'No VAT charged: tax is to be accounted for by the recipient (reverse charge).',
    condition: 'Please raise any query about this invoice within 14 days.',
    quoteNumber: 'Please quote the invoice number with your payment.',
    vatId: 'VAT no.',
    bank: 'Bank details',
    contact: 'Contact',
    received: 'RECEIVED',
    costCentre: 'Cost centre',
  },
  fr: {
    invoice: 'Facture',
    invoiceNumber: 'Facture nº',
    date: 'Date de facture',
    dueDate: 'Échéance',
    orderNumber: 'Votre commande',
    customer: 'Compte client',
    customerVatId: 'Votre nº TVA',
    columns: ['Nº', 'Désignation', 'Quantité', 'Unité', 'Prix unitaire', 'Montant'],
    carriedForward: 'Report',
    net: 'Total HT',
    vat: 'TVA',
    total: 'Total TTC',
    page: (page, pages) => `Page ${page} sur ${pages}`,
    opening: 'Veuillez trouver ci-dessous le détail de nos prestations :',
    payBy: (day) => `À régler au plus tard le ${day}.`,
    discount: (percent, day, amount) =>
      `Escompte de ${percent} % pour tout règlement avant le ${day} (${amount}).`,
    reverseCharge: 'TVA non applicable : autoliquidation par le preneur.',
    condition: 'En cas de retard : indemnité forfaitaire de recouvrement de 40 €.',
    quoteNumber: 'Merci de rappeler le numéro de facture lors de votre règlement.',
    vatId: 'Nº TVA',
    bank: 'Coordonnées bancaires',
    contact: 'Contact',
    received: 'REÇU LE',
    costCentre: 'Centre de coûts',
  },
};

/** What differs in Switzerland. */
const SWISS: Partial<Wording> = {
  vat: 'MWST',
  vatId: 'MWST-Nr.',
  customerVatId: 'Ihre MWST-Nr.',
};

/** The words on the invoices of a supplier, or on the stamps of an office. */
export function wordingOf({
  language,
  country,
}: {
  readonly language: Language;
  readonly country: Country;
}): Wording {
  return country === 'CH' ? { ...WORDING[language], ...SWISS } : WORDING[language];
}

export const COUNTRY_NAMES: Readonly<Record<Language, Readonly<Record<Country, string>>>> = {
  de: {
    AT: 'Österreich',
    BE: 'Belgien',
    CH: 'Schweiz',
    DE: 'Deutschland',
    FR: 'Frankreich',
    GB: 'Großbritannien',
    IE: 'Irland',
    NL: 'Niederlande',
    US: 'USA',
  },
  en: {
    AT: 'Austria',
    BE: 'Belgium',
    CH: 'Switzerland',
    DE: 'Germany',
    FR: 'France',
    GB: 'United Kingdom',
    IE: 'Ireland',
    NL: 'Netherlands',
    US: 'USA',
  },
  fr: {
    AT: 'Autriche',
    BE: 'Belgique',
    CH: 'Suisse',
    DE: 'Allemagne',
    FR: 'France',
    GB: 'Royaume-Uni',
    IE: 'Irlande',
    NL: 'Pays-Bas',
    US: 'États-Unis',
  },
};
