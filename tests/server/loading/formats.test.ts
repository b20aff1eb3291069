import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { buildFolder, loadFile, recordsOf, writeFiles } from '#tests/support/load.ts';

const folder = buildFolder();
const COLUMNS = [
  { name: 'name', type: 'text' },
  { name: 'sum', type: 'decimal', scale: 3 },
  { name: 'day', type: 'date' },
  { name: 'paid', type: 'boolean' },
  { name: 'start', type: 'time' },
];
/** "Käufer;1.234,50" and so on as Excel writes it under German Windows. */
const GERMAN = Buffer.from(
  'jrid;name;sum;day;paid;start\r\n1;K\xe4ufer;1.234,50;31.12.2024;ja;9.30\r\n2;"a;b";0,5;01.02.2025;nein;21:15:30\r\n3;;;;;\r\n',
  'latin1',
);
const READ = [
  ['Käufer', 1234.5, '2024-12-31', true, '09:30'],
  ['a;b', 0.5, '2025-02-01', false, '21:15:30'],
  [null, null, null, null, null],
];

describe('a CSV file of a load', () => {
  const { open, prepare } = testDatabases('sqlite');
  let config: DatabaseConfig;
  let database: Database;
  beforeEach(async () => {
    config = await prepare();
    database = await open(config);
  });

  async function load(
    content: string | Uint8Array,
    format?: object,
    { csv = 'file.csv', skip = null }: { csv?: string; skip?: string | null } = {},
  ) {
    const directory = join(folder, randomUUID());
    const datasetsFrom = { csv, ...(format ? { format } : {}) };
    const table = { guid: randomUUID(), name: 'T', columns: COLUMNS, datasetsFrom };
    await writeFiles(directory, { [csv]: content, 'definition.json': { tables: [table] } });
    const path = join(directory, 'definition.json');
    const loaded = await loadFile(
      database,
      config.dataDir,
      path,
      skip === null ? null : { path: skip },
    );
    return { ...loaded, directory };
  }
  const values = async (ids = [1, 2, 3]) => {
    const records = await recordsOf(database, 'T', ids);
    return ids.map((id) => records.get(id)?.values);
  };

  it('is read as it is written, and what was found out is said', async () => {
    const { failed, warned } = await load(GERMAN);
    expect(failed).toEqual([]);
    expect(await values()).toEqual(READ);
    expect(warned).toEqual([
      'T: file.csv is read with the separator “;” and the encoding windows-1252; "format" sets others.',
      'T: file.csv, column sum: values have another notation; “1.234,50” is read as 1234.5.',
      'T: file.csv, column day: values have another notation; “31.12.2024” is read as 2024-12-31.',
      'T: file.csv, column paid: values have another notation; “ja” is read as true.',
      'T: file.csv, column start: values have another notation; “9.30” is read as 09:30.',
    ]);
  });

  it('is read as its format says, and nothing is said', async () => {
    const format = { separator: ';', encoding: 'Windows-1252', locale: 'de-DE' };
    const { failed, warned } = await load(gzipSync(GERMAN), format, { csv: 'file.csv.gz' });
    expect({ failed, warned }).toEqual({ failed: [], warned: [] });
    expect(await values()).toEqual(READ);
  });

  it.each([
    ['tabs', 'jrid\tname\tsum\n1\tx, y\t2.5\n'],
    ['UTF-16', Buffer.from('\ufeffjrid,name,sum\n1,"x, y",2.5\n', 'utf16le')],
    ['commas in UTF-8', 'jrid,name,sum\n1,"x, y",2.5\n'],
  ])('may have %s', async (_, content) => {
    expect((await load(content)).failed).toEqual([]);
    expect(await values([1])).toEqual([['x, y', 2.5, null, null, null]]);
  });

  it('keeps its meaning where all values are in the form of the interface', async () => {
    const { warned } = await load('jrid,sum,day\n1,1.234,2024-12-31\n2,10.5,\n');
    expect(warned).toEqual([]);
    // In another form it could be a thousand and more.
    expect(await values([1, 2])).toEqual([
      [null, 1.234, '2024-12-31', null, null],
      [null, 10.5, null, null, null],
    ]);
  });

  it('is refused where nobody can know how values are meant, unless its locale is given', async () => {
    const content = 'jrid;day\n1;03/04/2024\n2;05/06/2024\n';
    const { failed } = await load(content);
    expect(failed).toEqual([
      'file.csv, column day: “03/04/2024” can be read in several ways. Set the format in the definition file, such as "format": {"locale": "de-DE"}.',
      'Nothing of the table T was loaded.',
    ]);
    expect((await load(content, { locale: 'en-GB' })).failed).toEqual([]);
    expect(await values([1])).toEqual([[null, null, '2024-04-03', null, null]]);
  });

  it('has rows that are bad in its own form, which are written as the file is', async () => {
    const bad = join(folder, 'bad.csv');
    const { result, warned } = await load(
      'jrid;sum\n1;1,5\n2;"1;5"\n3;2,25\n',
      { locale: 'de-DE' },
      { skip: bad },
    );
    expect(result).toMatchObject({ collections: [{ added: 2, bad: 1 }] });
    expect(warned.at(-1)).toMatch(/^T, file\.csv, line 3: sum: /);
    expect(await readFile(bad, 'utf8')).toMatch(/^jrid;sum;error;line\n2;"1;5";.*;3\n$/);
  });

  it.each([
    [{ separator: ';;' }, 'separator: It must be one character'],
    [{ encoding: 'klingon' }, 'encoding: It must be the name of an encoding'],
    [{ locale: 'de_DE!' }, 'locale: It must be a language tag'],
    [{ delimiter: ';' }, 'Unknown keys: “delimiter”'],
  ])('is refused with the format %j', async (format, problem) => {
    const { failed } = await load('jrid\n1\n', format);
    expect(failed.join('\n')).toContain(problem);
  });

  it('is refused where it is not in the encoding that is given, or no text', async () => {
    expect((await load(GERMAN, { encoding: 'utf-8' })).failed[0]).toMatch(
      /file\.csv is not encoded in UTF-8 \(after line 1\)\./,
    );
    expect((await load(Buffer.from('PK\u0003\u0004\u0000\u0000'))).failed[0]).toMatch(
      /file\.csv is not a CSV file\.$/,
    );
  });
});
