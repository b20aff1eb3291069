/** @module-tag long */
/** @module-tag slow */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MAX_MERGED } from '#shared/rules/limits.ts';
import { openDatabase } from '#server/database/open-database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { bulkEditOf, ended } from '#tests/support/bulk-edits.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { recordWrites } from '#tests/support/sqlite-transactions.ts';

const FIELDS = Array.from({ length: 12 }, (_, i) => ({ name: `F${i}` }));
const RECORDS = 300;
/** Sets of look-ups that a merge moves. */
const NUMBERS = 3;

/** The most statements of a transaction that writes one record. */
const MAX_STATEMENTS = 100;

/** What SQLite names in a plan where it reads no table, or one that stays short. */
const SHORT =
  /^(?:CONSTANT|\d+|sqlite_sequence|check_worker|value_corrections|definition_jobs|check_states|sqlite_schema)$/;

const databases = testDatabases('sqlite');
const writes = recordWrites();
let t: TestApp;
let archive: Archive;
let table: Table;
let suppliers: Table;
let anna: TestClient;

beforeAll(async () => {
  const { dataDir } = await databases.prepare();
  const database = await openDatabase({ dataDir });
  t = await openApp(() => Promise.resolve(database));
  suppliers = await buildTable(
    t.database,
    [{ name: 'NO', unique: true }, { name: 'NAME' }],
    'SUPPLIERS',
  );
  const from = { optionsFrom: { table: 'SUPPLIERS', column: 'NO', fills: {} } };
  archive = await buildArchive(t.database, [...FIELDS, { name: 'SNO', ...from }], ['SUBJECT']);
  table = await buildTable(t.database, FIELDS);
  const values = (n: number) => FIELDS.map((_, i) => `value ${n % 97} of ${i}`);
  const rows = Array.from({ length: RECORDS }, (_, n) => values(n));
  await buildRecords(
    t.database,
    archive,
    rows.map((row, n) => [...row, `S${n % NUMBERS}`]),
    () => [['paper']],
  );
  await buildRecords(t.database, table, rows);
  await buildRecords(
    t.database,
    suppliers,
    Array.from({ length: MAX_MERGED + 1 }, (_, n) => [`S${n}`, `Supplier ${n}`]),
  );
  const rights = [archive, table, suppliers].map((one) => rightOn(one, 'manage'));
  await buildUser(t.database, { username: 'anna', rights });
  anna = await t.signedIn('anna');
  return () => database.close();
});
afterAll(() => {
  vi.restoreAllMocks();
});

const inArchive = (path: string) => `${archivePath(archive)}/${path}`;
const inTable = (path: string) => `application/dataapp/tables/${table.guid}/${path}`;
const CONDITIONS = FIELDS.map(({ name }) => `where[${name}][ne]=a`).join('&');
const long = (text: string) => text.repeat(50);
let count = 0;
const indexFields = () => {
  count += 1;
  return FIELDS.map(({ name }) => ({ name, value: long(`${name} ${count} `) }));
};
const keywords = () => Array.from({ length: 1_000 }, (_, i) => `keyword ${count} ${i}`);
const indexData = () => ({
  indexFields: [...indexFields(), { name: 'SNO', value: 'S1' }],
  keywordFields: [{ name: 'SUBJECT', keywords: keywords().join(',') }],
});
const form = () =>
  formOf([
    ...indexFields().flatMap(({ name, value }, i): [string, string][] => [
      [`indexFields[${i}][name]`, name],
      [`indexFields[${i}][value]`, value],
    ]),
    ...Array.from({ length: 20 }, (_, i): [string, { name: string; bytes: string }] => [
      `files[${i}]`,
      { name: `${i}.txt`, bytes: `text ${count} ${i}` },
    ]),
  ]);
const dataset = () => Object.fromEntries(indexFields().map(({ name, value }) => [name, value]));
const done = async (answer: Promise<TestAnswer>) => {
  const { status, text } = await answer;
  expect([status < 300, text]).toEqual([true, text]);
  return answer;
};
const csv = (key: string) =>
  formOf([
    [
      'files[0]',
      {
        name: 'rows.csv',
        type: 'text/csv',
        bytes: [
          [key, ...FIELDS.map(({ name }) => name)],
          ...Array.from({ length: RECORDS }, (_, n) => [
            n + 1,
            ...FIELDS.map(({ name }) => `${name} imported ${count}`),
          ]),
        ]
          .map((row) => row.join(','))
          .join('\r\n'),
      },
    ],
  ]);
const applied = async (planned: TestAnswer, path: string) => {
  const at = `${path}/bulkedits/${bulkEditOf(planned).bulkEditId}`;
  await done(anna.post(`${at}/apply`, { onChanged: 'refuse' }));
  const result = await ended(anna, at);
  expect(result.state).toBe('done');
  return at;
};
const undone = async (at: string) => {
  await done(anna.post(`${at}/undo`, {}));
  await ended(anna, at);
};

/** Calls that write one record. */
const SINGLE = /of a (?:document|revision|dataset)$/;

/** Each at its limits. */
const requests: Readonly<Record<string, () => Promise<unknown>>> = {
  'POST of a document': async () => {
    const { body, headers } = form();
    await done(anna.post(inArchive('documents'), body, { headers }));
  },
  'POST of a revision': async () => {
    const { body, headers } = form();
    await done(anna.post(inArchive('documents/1'), body, { headers }));
  },
  'PATCH of a revision': () => done(anna.patch(inArchive('documents/2/indexdata'), indexData())),
  'PUT of a revision': () => done(anna.put(inArchive('documents/3/indexdata'), indexData())),
  'POST of a dataset': () => done(anna.post(inTable('datasets'), { dataset: dataset() })),
  'PUT of a dataset': () => done(anna.put(inTable('datasets/1'), { dataset: dataset() })),
  'flag of a revision': () =>
    done(anna.put(inArchive('documents/1/flag'), { note: 'x'.repeat(500) })),
  'lock of a document': () => done(anna.patch(inArchive('documents/1'), { locked: true })),
  'last view': () => done(anna.put(inArchive('lastview'), { search: CONDITIONS })),
  'view of all conditions': () =>
    done(anna.post(inArchive('views'), { name: 'all', shared: true, search: CONDITIONS })),
  'values to replace': async () => {
    const replacements = Array.from({ length: 97 }, (_, n) => ({
      from: `value ${n} of 1`,
      to: `value ${n} replaced`,
    }));
    const at = inArchive('indices/F1/replacements');
    await applied(await done(anna.post(at, { replacements })), archivePath(archive));
  },
  'queue of all': () => done(anna.post(inArchive('queues'), { filter: 'sort=-F0' })),
  'bulk edit': async () => {
    const edits = FIELDS.map(({ name }) => ({ field: name, do: 'set', value: `edited ${name}` }));
    const planned = await done(
      anna.post(inArchive('bulkedits'), { selection: { filter: '' }, edits }),
    );
    await undone(await applied(planned, archivePath(archive)));
  },
  import: async () => {
    const { body, headers } = csv('revisionId');
    const planned = await done(anna.post(inArchive('imports'), body, { headers }));
    await applied(planned, archivePath(archive));
  },
  'import to table': async () => {
    const { body, headers } = csv('jrid');
    const planned = await done(anna.post(inTable('imports'), body, { headers }));
    await applied(planned, inTable('').slice(0, -1));
  },
  paste: async () => {
    const planned = await done(
      anna.post(inTable('pastes'), {
        columns: FIELDS.map(({ name }) => ({ field: name })),
        datasets: Array.from({ length: RECORDS }, (_, n) => ({
          jrid: n % 2 === 0 ? n + 1 : null,
          cells: FIELDS.map(({ name }) => `pasted ${n} ${name}`),
        })),
      }),
    );
    await undone(await applied(planned, inTable('').slice(0, -1)));
  },
  merge: async () => {
    const body = {
      keep: { jrid: '1' },
      merge: Array.from({ length: MAX_MERGED }, (_, n) => ({ jrid: String(n + 2) })),
      values: {},
    };
    const at = datasetsPath(suppliers).replace(/datasets$/, 'merges');
    await done(anna.post(at, body));
  },
};

it.each(Object.keys(requests))('%s keeps the writer for few statements at a time', async (name) => {
  writes.restart();
  await requests[name]?.();
  // What no index answers would take longer the more records there are.
  const scans = [...writes.scans()].filter(([, table]) => !SHORT.test(table));
  expect(scans).toEqual([]);
  const most = Math.max(...writes.transactions().map(({ statements }) => statements));
  if (SINGLE.test(name)) expect(most).toBeLessThan(MAX_STATEMENTS);
});
