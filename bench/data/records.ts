import { csv, dayOf, one, scattered } from './scattered.ts';

const CITIES = [
  'Bern',
  'Bremen',
  'Graz',
  'Lyon',
  'Leeds',
  'Porto',
  'Turku',
  'Gent',
  'Kraków',
  'Brno',
];
const STATES = ['open', 'waiting', 'closed'];

/** Columns of a table as a business keeps one, 20 of them. */
export const RECORD_COLUMNS = [
  { name: 'code', label: 'Code', type: 'text', required: true, maxLength: 20 },
  { name: 'name', label: 'Name', type: 'text', maxLength: 80 },
  { name: 'city', label: 'City', type: 'text', maxLength: 60 },
  { name: 'state', label: 'State', type: 'text', options: STATES },
  ...['pieces', 'weight', 'year', 'rank'].map((name) => ({ name, label: name, type: 'integer' })),
  ...['net', 'tax', 'gross', 'rate'].map((name) => ({
    name,
    label: name,
    type: 'decimal',
    scale: 2,
  })),
  ...['ordered', 'shipped', 'paid'].map((name) => ({ name, label: name, type: 'date' })),
  { name: 'seen', label: 'Seen', type: 'datetime' },
  { name: 'active', label: 'Active', type: 'boolean' },
  ...['note', 'street', 'contact'].map((name) => ({
    name,
    label: name,
    type: 'text',
    maxLength: 120,
  })),
];

/** The values of a record in JSON, by column. */
export function recordValues(i: number): Record<string, string | number | boolean | null> {
  const n = scattered(i);
  const cents = (number: number) => (n % number) / 100;
  return {
    code: `C-${String(n).padStart(10, '0')}`,
    name: `Name ${n % 50_000}`,
    city: one(CITIES, n),
    state: one(STATES, n),
    pieces: n % 1000,
    weight: n % 77_777,
    year: 1900 + (n % 125),
    rank: n % 100,
    net: cents(1_000_000),
    tax: cents(190_000),
    gross: cents(1_190_000),
    rate: cents(2_000),
    ordered: dayOf(n),
    shipped: dayOf(n + 5),
    paid: n % 4 === 0 ? null : dayOf(n + 35),
    seen: `${dayOf(n)}T${String(n % 24).padStart(2, '0')}:15:00+01:00`,
    active: n % 2 === 0,
    note: n % 5 === 0 ? `A note on record ${i}` : null,
    street: `Street ${n % 900}`,
    contact: `contact${n % 9000}@example.org`,
  };
}

/** So many lines of CSV of such a table, the same in each run. */
export function recordLines(count: number): Generator<string> {
  const names = ['jrid', ...RECORD_COLUMNS.map(({ name }) => name)];
  return csv(names, count, (i) => [i, ...Object.values(recordValues(i))]);
}
