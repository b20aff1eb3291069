import { csv, dayOf, one, scattered } from './scattered.ts';

const text = (name: string, maxLength: number) => ({ name, type: 'text', maxLength });
const typed = (type: string) => (name: string) => ({ name, type });

const CITIES = ['Aachen', 'Basel', 'Cardiff', 'Dijon', 'Espoo', 'Faro', 'Gdańsk', 'Győr', 'Havant'];
const TOPICS = ['paper', 'freight', 'rent', 'repair', 'insurance', 'energy', 'travel'];
const STATES = ['open', 'waiting', 'closed'];
const CLERKS = ['amara', 'bo', 'chen', 'dana', 'emil', 'farid', 'greta', 'hana'];

/** Index fields as an archive of incoming documents has them, 24 of them. */
export const REVISION_FIELDS = [
  { name: 'NUMBER', type: 'text', required: true, maxLength: 20 },
  text('SUPPLIER', 80),
  text('CITY', 60),
  text('STREET', 80),
  text('CONTACT', 80),
  text('SUBJECT', 120),
  text('REMARK', 400),
  text('CLERK', 40),
  text('ACCOUNT', 20),
  { name: 'STATE', type: 'text', options: STATES },
  ...['PAGES', 'POSITIONS', 'YEAR', 'DEPARTMENT'].map(typed('integer')),
  ...['NET', 'TAX', 'GROSS', 'DISCOUNT'].map((name) => ({ name, type: 'decimal', scale: 2 })),
  ...['DATED', 'RECEIVED', 'DUE'].map(typed('date')),
  { name: 'SCANNED', type: 'datetime' },
  ...['PAID', 'CHECKED'].map(typed('boolean')),
];

export const KEYWORD = 'TOPIC';

/** The values of a revision in JSON, by field. */
export function revisionValues(i: number): Record<string, string | number | boolean | null> {
  const n = scattered(i);
  const cents = (number: number) => (n % number) / 100;
  return {
    NUMBER: `R-${String(n).padStart(10, '0')}`,
    SUPPLIER: `Supplier ${n % 20_000} and sons`,
    CITY: one(CITIES, n),
    STREET: `Harbour street ${n % 700}`,
    CONTACT: `office${n % 9000}@example.org`,
    SUBJECT: `Delivery ${n % 300_000} of week ${n % 52}`,
    REMARK: n % 4 === 0 ? `To be asked again because of position ${n % 40}` : null,
    CLERK: one(CLERKS, n),
    ACCOUNT: String(40_000 + (n % 5000)),
    STATE: one(STATES, n),
    PAGES: 1 + (n % 30),
    POSITIONS: n % 200,
    YEAR: 2015 + (n % 11),
    DEPARTMENT: n % 40,
    NET: cents(2_000_000),
    TAX: cents(380_000),
    GROSS: cents(2_380_000),
    DISCOUNT: cents(5_000),
    DATED: dayOf(n),
    RECEIVED: dayOf(n + 3),
    DUE: n % 5 === 0 ? null : dayOf(n + 30),
    SCANNED: `${dayOf(n + 3)}T${String(n % 24).padStart(2, '0')}:45:00Z`,
    PAID: n % 2 === 0,
    CHECKED: n % 10 === 0,
  };
}

/** So many lines of CSV of such an archive, the same in each run; `id` and `topics` are columns beside the fields. */
export function revisionLines(count: number): Generator<string> {
  const names = ['id', 'topics', ...REVISION_FIELDS.map(({ name }) => name)];
  return csv(names, count, (i) => {
    const n = scattered(i);
    const topics = n % 3 === 0 ? `${one(TOPICS, n)}|${one(TOPICS, n + 3)}` : one(TOPICS, n);
    return [i, topics, ...Object.values(revisionValues(i))];
  });
}
