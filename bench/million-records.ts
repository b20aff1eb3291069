import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '#tests/e2e/support/command.ts';

export const TABLE = '6d1c0d6e-7f51-4a55-8a7e-1f6f4c1b9a20';
export const RECORDS = 1_000_000;

const COLUMNS = [
  { name: 'code', label: 'Code', type: 'text', required: true, maxLength: 20 },
  { name: 'name', label: 'Name', type: 'text', maxLength: 80 },
  { name: 'city', label: 'City', type: 'text', maxLength: 60 },
  { name: 'state', label: 'State', type: 'text', options: ['open', 'waiting', 'closed'] },
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

function* lines(): Generator<string> {
  yield `jrid,${COLUMNS.map(({ name }) => name).join(',')}\n`;
  const day = (number: number) =>
    new Date(Date.UTC(2015, 0, 1 + (number % 4000))).toISOString().slice(0, 10);
  let chunk = '';
  for (let i = 1; i <= RECORDS; i++) {
    // Scattered, but the same in each run.
    const n = (i * 2654435761) % 4294967296;
    const cents = (number: number) => ((n % number) / 100).toFixed(2);
    chunk += [
      i,
      `C-${String(n).padStart(10, '0')}`,
      `Name ${n % 50_000}`,
      CITIES[n % CITIES.length],
      ['open', 'waiting', 'closed'][n % 3],
      n % 1000,
      n % 77_777,
      1900 + (n % 125),
      n % 100,
      cents(1_000_000),
      cents(190_000),
      cents(1_190_000),
      cents(2_000),
      day(n),
      day(n + 5),
      n % 4 === 0 ? '' : day(n + 35),
      `${day(n)}T${String(n % 24).padStart(2, '0')}:15:00+01:00`,
      n % 2 === 0,
      n % 5 === 0 ? `A note on record ${i}` : '',
      `Street ${n % 900}`,
      `contact${n % 9000}@example.org`,
    ].join(',');
    chunk += '\n';
    if (i % 1000 === 0) {
      yield chunk;
      chunk = '';
    }
  }
}

/**
 * A data directory with a table of 1,000,000 records of 20 columns. Made once, which takes minutes, and kept in the
 * system's temporary directory for the next run.
 */
export async function millionRecords(): Promise<string> {
  const folder = join(tmpdir(), 'indexdesk-bench-million-1');
  const dataDir = join(folder, 'data');
  const done = join(folder, 'done');
  if (await stat(done).catch(() => null)) return dataDir;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await pipeline(lines, createWriteStream(join(folder, 'records.csv')));
  const definition = {
    tables: [
      {
        guid: TABLE,
        name: 'RECORDS',
        label: 'Records',
        columns: COLUMNS,
        datasetsFrom: { csv: 'records.csv', jrid: 'jrid' },
      },
    ],
  };
  await writeFile(join(folder, 'definition.json'), JSON.stringify(definition));
  await runCommand(['load', join(folder, 'definition.json'), '--data', dataDir]);
  await rm(join(folder, 'records.csv'));
  await writeFile(done, '');
  return dataDir;
}
