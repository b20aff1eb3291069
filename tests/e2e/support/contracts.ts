/** A contract as a German spreadsheet has it. */
interface Contract {
  readonly file: string;
  readonly number: string;
  readonly partner: string;
  /** dd.mm.yyyy */
  readonly signed: string;
  /** with a decimal comma */
  readonly amount: string;
  readonly iban: string;
  readonly state: string;
}

/** @param number from 1 */
function contract(number: number, stated: Partial<Contract>): Contract {
  const digits = String(number).padStart(3, '0');
  const dd = String((number % 28) + 1).padStart(2, '0');
  return {
    file: `contract-${digits}.pdf`,
    number: `V-${digits}`,
    partner: `Firma ${number}`,
    signed: `${dd}.03.2026`,
    amount: `1.${digits},50`,
    iban: `DE${digits}`,
    state: number % 2 === 0 ? 'offen' : 'bezahlt',
    ...stated,
  };
}

/** Contracts. @param stated by their number from 1: what matters of them */
export function contracts(
  count: number,
  stated: Readonly<Record<number, Partial<Contract>>> = {},
): readonly Contract[] {
  return Array.from({ length: count }, (_, at) => contract(at + 1, stated[at + 1] ?? {}));
}

/** A file as a browser's user chooses it. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** The spreadsheet of contracts, as German programs write it. */
export function spreadsheetOf(all: readonly Contract[]): ChosenFile {
  const header = 'Datei;Nummer;Partner;Unterschrieben;Betrag;IBAN;Status';
  const lines = all.map(({ file, number, partner, signed, amount, iban, state }) =>
    [file, number, partner, signed, amount, iban, state].join(';'),
  );
  const text = [header, ...lines].join('\r\n');
  return { name: 'contracts.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') };
}

/** A small PDF of each contract. */
export function filesOf(all: readonly Contract[]): ChosenFile[] {
  return all.map(({ file }) => ({
    name: file,
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.4 ${file}`),
  }));
}
