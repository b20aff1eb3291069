import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { filesByRevision } from '#server/modules/files/files.service.ts';
import { readHistory, readStoredHistories } from '#server/modules/history/history.service.ts';
import { listIds } from '#server/modules/records/lists.service.ts';
import { planChanges, planRemovals } from '#server/modules/records/records.service.ts';
import { executePlan } from '#server/modules/records/write-plan.ts';
import { listViews } from '#server/modules/views/views.service.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { buildWriter } from '#tests/support/builders.ts';
import {
  buildFolder,
  findCollection,
  loadFile,
  recordsOf,
  writeFiles,
} from '#tests/support/load.ts';

const ARCHIVE = {
  guid: 'aaaaaaaa-0000-0000-0000-000000000001',
  table: 'BILLS',
  name: 'Bills',
  indexFields: [
    { name: 'NO', type: 'text', required: true, maxLength: 10 },
    { name: 'SUM', type: 'decimal' },
    { name: 'DAY', type: 'date' },
  ],
  keywordFields: [{ name: 'SUBJECT' }],
};
const TABLE = {
  guid: 'aaaaaaaa-0000-0000-0000-000000000002',
  name: 'FIRMS',
  columns: [
    { name: 'firm', type: 'text', required: true },
    { name: 'country', type: 'text', default: 'FR' },
    { name: 'vatno', type: 'text', unique: true },
  ],
};
const folder = buildFolder();

describeOnOneDatabase('load', (open, { prepare }) => {
  let config: DatabaseConfig;
  let database: Database;
  beforeEach(async () => {
    config = await prepare();
    database = await open(config);
  });

  const load = async (definition: object, name = 'definition.json', skip?: string) => {
    await writeFiles(folder, { [name]: definition });
    const skipBadRows = skip === undefined ? null : { path: join(folder, skip) };
    return loadFile(database, config.dataDir, join(folder, name), skipBadRows);
  };
  const ids = async (name: string): Promise<number[]> => {
    const all = Array.from({ length: 200 }, (_, i) => i);
    return [...(await recordsOf(database, name, all)).keys()].sort((a, b) => a - b);
  };
  const valuesOf = async (name: string, id: number) =>
    (await recordsOf(database, name, [id])).get(id)?.values;
  const change = async (name: string, id: number, field: string, value: string) => {
    const collection = await findCollection(database, name);
    const paths = { whole: '-', field: () => '-', keyword: () => '-' };
    const sent = { values: [{ name: field, value }], keywords: [] };
    const entry = { id, paths, ifMatch: null, sent, requiresAllFields: false };
    const writer = buildWriter({ username: 'clerk' });
    await database.write(async (db) =>
      executePlan(db, await planChanges(db, collection, writer, [entry])),
    );
  };
  const remove = async (name: string, id: number) => {
    const collection = await findCollection(database, name);
    const paths = { whole: '-', field: () => '-', keyword: () => '-' };
    const entry = { id, paths, ifMatch: null };
    await database.write(async (db) =>
      executePlan(db, await planRemovals(db, collection, buildWriter(), [entry])),
    );
  };
  /** Everything that a load could change. */
  const everything = () =>
    database.read(async (db) => ({
      history: await db.k.selectFrom('history').selectAll().orderBy('id').execute(),
      installation: await db.k.selectFrom('installation').selectAll().orderBy('key').execute(),
      files: await db.k.selectFrom('files').selectAll().orderBy('id').execute(),
      rows: await db.k.selectFrom('loaded_rows').selectAll().orderBy('row_id').execute(),
      users: await db.k.selectFrom('users').selectAll().orderBy('id').execute(),
    }));

  it('stores documents and datasets of a definition file, and users with their rights', async () => {
    const { result, failed } = await load({
      archives: [
        {
          ...ARCHIVE,
          documents: [
            {
              revisionId: 32,
              indexFields: [
                { name: 'no', value: 'R-1' },
                { name: 'SUM', value: 12.5 },
              ],
              keywordFields: [
                { name: 'SUBJECT', value: 'paper, ink' },
                { name: 'SUBJECT', value: 'pens' },
              ],
            },
            { indexFields: [{ name: 'NO', value: 'R-2' }] },
          ],
        },
      ],
      tables: [{ ...TABLE, datasets: [{ firm: 'A' }, { jrid: 0, firm: 'B', country: null }] }],
      users: [
        {
          username: 'Anna',
          password: 'correct horse battery',
          rights: { archives: { bills: 'write' }, tables: { FIRMS: 'read' } },
        },
      ],
    });
    expect(failed).toEqual([]);
    expect(result?.complete).toBe(true);
    expect(await ids('BILLS')).toEqual([32, 33]);
    const bill = (await recordsOf(database, 'BILLS', [32])).get(32);
    expect(bill).toMatchObject({
      version: 1,
      changedBy: 'load',
      values: ['R-1', 12.5, null],
      keywords: [['paper, ink', 'pens']],
      document: { documentId: 32, revision: 1, lock: null },
    });
    expect(await valuesOf('FIRMS', 0)).toEqual(['B', null, null]);
    expect(await valuesOf('FIRMS', 1)).toEqual(['A', 'FR', null]);
    const rights = await database.read((db) =>
      db.k.selectFrom('user_rights').select(['kind', 'access']).orderBy('kind').execute(),
    );
    expect(rights).toEqual([
      { kind: 'archive', access: 'write' },
      { kind: 'table', access: 'read' },
    ]);
    const anna = await database.read((db) =>
      db.k.selectFrom('users').select('role').where('username', '=', 'Anna').execute(),
    );
    expect(anna).toEqual([{ role: 'clerk' }]);
  });

  it('keeps the views of an archive for all who see it, each once', async () => {
    const views = [
      { name: 'No sum', search: 'where%5BSUM%5D%5Bnull%5D=true' },
      { name: 'By number', search: 'sort=NO' },
    ];
    const kept = async () => {
      const collection = await findCollection(database, 'BILLS');
      return database.read((db) => listViews(db, { collection, userId: -1, access: 'read' }));
    };
    await load({ archives: [{ ...ARCHIVE, views: views.slice(0, 1) }] });
    const of = (name: string) => ({ name, shared: true, mine: false, owner: null });
    expect(await kept()).toMatchObject([of('No sum')]);
    const again = await load({
      archives: [{ ...ARCHIVE, views: [...views, { name: 'no sum', search: 'q=1' }] }],
    });
    expect(again.warned).toContain('BILLS: the view By number is new.');
    expect(await kept()).toMatchObject([
      of('By number'),
      { ...of('No sum'), search: views[0]?.search },
    ]);
    const search = 'where[SUMM][null]=true&sort=NO,-DAI&columns=NO,PRICE,sum&colour[DUE][lt]=red:1';
    const unknown = await load({
      archives: [{ ...ARCHIVE, views: [...views, { name: 'Odd', search }] }],
    });
    expect(unknown.failed).toEqual([
      'BILLS, the view Odd: where[SUMM][null]: There is no field SUMM.',
      'BILLS, the view Odd: sort: There is no field DAI to sort by.',
      'BILLS, the view Odd: There is no field PRICE.',
      'BILLS, the view Odd: There is no field DUE.',
      'Nothing of the archive BILLS was loaded.',
    ]);
    expect(await kept()).toHaveLength(2);
    const wrong = await load({ archives: [{ ...ARCHIVE, views: [{ name: ' ', search: '' }] }] });
    expect(wrong.failed.join(' ')).toContain('archives[0] (BILLS), views[0] ( ), name');
  });

  it('keeps the views of a table', async () => {
    const view = { name: 'French', search: 'where%5Bcountry%5D%5Beq%5D=FR' };
    await load({ tables: [{ ...TABLE, views: [view] }] });
    const collection = await findCollection(database, 'FIRMS');
    const kept = await database.read((db) =>
      listViews(db, { collection, userId: -1, access: 'read' }),
    );
    expect(kept).toMatchObject([{ ...view, shared: true, owner: null }]);
    const again = await load({ tables: [{ ...TABLE, views: [{ name: 'All', search: '' }] }] });
    expect(again.warned).toContain('FIRMS: the view All is new.');
    const odd = { name: 'Odd', search: 'sort=NONE' };
    const { failed } = await load({ tables: [{ ...TABLE, views: [odd] }] });
    expect(failed).toContain('FIRMS, the view Odd: sort: There is no field NONE to sort by.');
  });

  it('gives each row a history entry from which it can be rebuilt', async () => {
    await load(
      {
        archives: [
          {
            ...ARCHIVE,
            documents: [
              {
                revisionId: 5,
                indexFields: [
                  { name: 'NO', value: 'R-5' },
                  { name: 'DAY', value: '2024-02-29' },
                ],
                keywordFields: [{ name: 'SUBJECT', keywords: 'a, b' }],
              },
            ],
          },
        ],
      },
      'bills.json',
    );
    const archive = await findCollection(database, 'BILLS');
    const [entry, ...more] = await database.read((db) => readHistory(db, archive, 5));
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      user: 'load',
      call: 'load bills.json',
      changes: [
        { name: 'NO', before: null, after: 'R-5' },
        { name: 'DAY', before: null, after: '2024-02-29' },
        { name: 'keyword.SUBJECT', before: [], after: ['a', 'b'] },
      ],
    });
    const stored = await database.read((db) => readStoredHistories(db, archive, [5]));
    expect(stored.get(5)?.[0]).toMatchObject({ kind: 'load', version: 1, userId: null });
  });

  it('reads a CSV file by name, and says which columns match nothing', async () => {
    await writeFiles(folder, {
      'bills.csv':
        'RevisionId,no,sum,Note,subject\n7,R-7,1.50,x,"a, b"\n9,"R\r\n9",,y,\n8,R-8,-3,,c\n',
    });
    const archive = { ...ARCHIVE, documentsFrom: { csv: 'bills.csv' } };
    const { failed, warned } = await load({ archives: [archive] });
    expect(failed).toEqual([]);
    expect(warned).toEqual(['BILLS: 1 column of bills.csv is ignored: “Note”.']);
    expect(await valuesOf('BILLS', 9)).toEqual(['R\r\n9', null, null]);
    const records = await recordsOf(database, 'BILLS', [7, 8]);
    expect(records.get(7)).toMatchObject({ values: ['R-7', 1.5, null], keywords: [['a', 'b']] });
    expect(records.get(8)).toMatchObject({ values: ['R-8', -3, null], keywords: [['c']] });
  });

  it('reads a CSV file by the columns that the definition file names', async () => {
    await writeFiles(folder, { 'sub/list.csv': 'id,nr,SUM,tags\n3,R-3,5,"x, y|z"\n' });
    const documentsFrom = {
      csv: 'sub/list.csv',
      revisionId: 'id',
      columns: { NO: 'nr' },
      keywords: { SUBJECT: { column: 'tags', separator: '|' } },
    };
    const { warned } = await load({ archives: [{ ...ARCHIVE, documentsFrom }] });
    expect(warned).toEqual(['BILLS: 1 column of list.csv is ignored: “SUM”.']);
    expect((await recordsOf(database, 'BILLS', [3])).get(3)).toMatchObject({
      values: ['R-3', null, null],
      keywords: [['x, y', 'z']],
    });
  });

  it('refuses a CSV file without a column that is asked for, and loads the rest', async () => {
    await writeFiles(folder, { 'list.csv': 'id,nr\n3,R-3\n' });
    const documentsFrom = { csv: 'list.csv', columns: { NO: 'number', PRICE: 'nr' } };
    const { result, failed } = await load({
      archives: [{ ...ARCHIVE, documentsFrom }],
      tables: [{ ...TABLE, datasets: [{ firm: 'A' }] }],
    });
    expect(result?.complete).toBe(false);
    expect(failed).toEqual([
      'list.csv has no column number.',
      'BILLS has no index field PRICE.',
      'Nothing of the archive BILLS was loaded.',
    ]);
    await expect(findCollection(database, 'BILLS')).rejects.toThrow('not defined');
    expect(await ids('FIRMS')).toEqual([1]);
  });

  it('changes nothing when it is done again, not even what was corrected meanwhile', async () => {
    await writeFiles(folder, {
      'bills.csv': 'revisionId,NO,SUBJECT\n1,R-1,a\n2,R-2,\n3,R-3,"b,c"\n',
      'firms.csv': 'firm,vatno\nA,1\nB,\nB,\nC,3\n',
    });
    const definition = {
      archives: [{ ...ARCHIVE, documentsFrom: { csv: 'bills.csv' } }],
      tables: [{ ...TABLE, datasetsFrom: { csv: 'firms.csv' }, datasets: [{ firm: 'D' }] }],
      users: [{ username: 'bob', role: 'reader', password: 'correct horse battery' }],
    };
    const first = await load(definition);
    expect(first.failed).toEqual([]);
    expect(await ids('FIRMS')).toEqual([1, 2, 3, 4, 5]);
    await change('BILLS', 2, 'NO', 'R-2 mended');
    await change('FIRMS', 2, 'firm', 'AA');
    await remove('BILLS', 3);
    await remove('FIRMS', 4);
    const before = await everything();

    const second = await load(definition);
    expect(second.failed).toEqual([]);
    expect(second.result).toEqual({
      complete: true,
      collections: [
        { name: 'FIRMS', bad: 0, added: 0, unchanged: 3, different: 1, deleted: 1, attached: 0 },
        { name: 'BILLS', bad: 0, added: 0, unchanged: 1, different: 1, deleted: 1, attached: 0 },
      ],
    });
    expect(second.said.join('\n')).toContain('1 exists and differs from the file (kept)');
    expect(await everything()).toEqual(before);
    expect(await valuesOf('BILLS', 2)).toEqual(['R-2 mended', null, null]);
    expect(await ids('BILLS')).toEqual([1, 2]);
  });

  it('adds what is new to what exists: rows, fields, columns, keyword fields', async () => {
    await writeFiles(folder, { 'firms.csv': 'firm\nA\nB\n' });
    await load({
      archives: [
        { ...ARCHIVE, documents: [{ revisionId: 1, indexFields: [{ name: 'NO', value: 'R-1' }] }] },
      ],
      tables: [{ ...TABLE, datasetsFrom: { csv: 'firms.csv' } }],
    });
    await writeFiles(folder, { 'firms.csv': 'firm,city\nB,\nC,Paris\nA,\nA,\n' });
    const { result, warned } = await load({
      archives: [
        {
          ...ARCHIVE,
          guid: ARCHIVE.guid.toUpperCase(),
          name: 'Other bills',
          indexFields: [
            { name: 'NO', type: 'text', required: true, maxLength: 99 },
            ...ARCHIVE.indexFields.slice(1),
            { name: 'PAID', type: 'boolean' },
          ],
          keywordFields: [{ name: 'SUBJECT' }, { name: 'PROJECT' }],
          documents: [
            { revisionId: 1, indexFields: [{ name: 'NO', value: 'R-1' }] },
            {
              revisionId: 2,
              indexFields: [
                { name: 'NO', value: 'R-2' },
                { name: 'PAID', value: true },
              ],
              keywordFields: [{ name: 'PROJECT', value: 'p' }],
            },
          ],
        },
      ],
      tables: [
        {
          ...TABLE,
          columns: [...TABLE.columns, { name: 'city', type: 'text' }],
          datasetsFrom: { csv: 'firms.csv' },
        },
      ],
    });
    expect(result?.collections).toEqual([
      { name: 'FIRMS', bad: 0, added: 2, unchanged: 2, different: 0, deleted: 0, attached: 0 },
      { name: 'BILLS', bad: 0, added: 1, unchanged: 1, different: 0, deleted: 0, attached: 0 },
    ]);
    expect(warned).toEqual([
      'FIRMS: the column city is new.',
      'BILLS: the index field PAID is new.',
      'BILLS: the keyword field PROJECT is new.',
      'BILLS: name stays "Bills"; the file has "Other bills".',
      'BILLS: index field NO: maxLength stays 10; the file has 99.',
    ]);
    expect((await recordsOf(database, 'BILLS', [2])).get(2)).toMatchObject({
      values: ['R-2', null, null, true],
      keywords: [[], ['p']],
    });
    expect(await valuesOf('BILLS', 1)).toEqual(['R-1', null, null, null]);
    expect(await valuesOf('FIRMS', 3)).toEqual(['C', 'FR', null, 'Paris']);
    expect(await valuesOf('FIRMS', 4)).toEqual(['A', 'FR', null, null]);
  });

  it('gives rows without id the ids after all that are given', async () => {
    await writeFiles(folder, { 'firms.csv': 'jrid,firm\n,A\n2,B\n,C\n' });
    const definition = {
      tables: [
        {
          ...TABLE,
          datasets: [{ firm: 'D' }, { jrid: '7', firm: 'E' }],
          datasetsFrom: { csv: 'firms.csv' },
        },
      ],
    };
    const { failed } = await load(definition);
    expect(failed).toEqual([]);
    expect(await ids('FIRMS')).toEqual([2, 7, 8, 9, 10]);
    expect(await valuesOf('FIRMS', 9)).toEqual(['A', 'FR', null]);
    const again = await load(definition);
    expect(again.result?.collections[0]).toMatchObject({ added: 0, unchanged: 5 });
  });

  it('loads nothing of an archive or table with a bad row, and tells each with line and field', async () => {
    await writeFiles(folder, {
      'bills.csv':
        'revisionId,NO,SUM,DAY\n1,R-1,1,2024-01-01\n2,,1.234,2023-02-29\nx,R-3,,\n4,"R\n4",1e3,\n1,R-5,,\n6,R-6\n0,R-7,,\n',
    });
    const { result, failed } = await load({
      archives: [{ ...ARCHIVE, documentsFrom: { csv: 'bills.csv' } }],
      tables: [{ ...TABLE, datasets: [{ firm: 'A' }] }],
    });
    expect(result?.complete).toBe(false);
    expect(failed).toEqual([
      'BILLS, bills.csv, line 3: NO: A value is required. SUM: The value must be a number with at most 2 decimal places. DAY: Enter a valid date, written as YYYY-MM-DD.',
      'BILLS, bills.csv, line 4: revisionId: A revisionId is a positive whole number.',
      'BILLS, bills.csv, line 5: SUM: The value must be a number: digits, with a point before decimal places.',
      'BILLS, bills.csv, line 7: The revisionId 1 occurs more than once, first in line 2.',
      'BILLS, bills.csv, line 8: The row has 2 values, the header names 4 columns.',
      'BILLS, bills.csv, line 9: revisionId: A revisionId is a positive whole number.',
      'Nothing of the archive BILLS was loaded.',
    ]);
    await expect(findCollection(database, 'BILLS')).rejects.toThrow('not defined');
    expect(await ids('FIRMS')).toEqual([1]);
  });

  it('shows the first 20 bad rows and counts the others', async () => {
    const rows = Array.from({ length: 700 }, (_, i) => `${i + 1},R-${i + 1},${i < 25 ? 'x' : '1'}`);
    await writeFiles(folder, { 'bills.csv': `revisionId,NO,SUM\n${rows.join('\n')}\n` });
    const { failed } = await load({
      archives: [{ ...ARCHIVE, documentsFrom: { csv: 'bills.csv' } }],
    });
    expect(failed).toHaveLength(22);
    expect(failed[19]).toContain('line 21: SUM: ');
    expect(failed[20]).toBe('BILLS: 5 further bad rows.');
  });

  it('writes bad rows to a file where they may be skipped, which loads once it is corrected', async () => {
    await writeFiles(folder, {
      'bills.csv': 'revisionId,NO,SUM\n1,R-1,1\n2,"R ""2""\r\n",zwei\n3,R-3,3\n',
    });
    const archive = { ...ARCHIVE, documentsFrom: { csv: 'bills.csv' } };
    const { result, said } = await load({ archives: [archive] }, 'definition.json', 'bad.csv');
    expect(result).toMatchObject({ complete: true, collections: [{ added: 2, bad: 1 }] });
    expect(said.join()).toContain('1 bad row skipped, see');
    expect(await ids('BILLS')).toEqual([1, 3]);
    const written = await readFile(join(folder, 'bad.csv'), 'utf8');
    const message = 'SUM: The value must be a number: digits, with a point before decimal places.';
    expect(written).toBe(`revisionId,NO,SUM,error,line\n2,"R ""2""\r\n",zwei,"${message}",3\n`);

    await writeFiles(folder, { 'bad.csv': written.replace('zwei', '2') });
    const corrected = { ...ARCHIVE, documentsFrom: { csv: 'bad.csv' } };
    const second = await load({ archives: [corrected] });
    expect(second.result?.collections[0]).toMatchObject({ added: 1 });
    expect(await valuesOf('BILLS', 2)).toEqual(['R "2"\r\n', 2, null]);
  });

  it('keeps unique columns unique: among the rows, and with what is stored', async () => {
    await writeFiles(folder, { 'firms.csv': 'firm,vatno\nA,1\nB,2\nC,1\nD,\nE,\n' });
    const definition = { tables: [{ ...TABLE, datasetsFrom: { csv: 'firms.csv' } }] };
    const refused = await load(definition);
    expect(refused.failed[0]).toBe(
      'FIRMS, firms.csv, line 4: vatno: The value is already in line 2; it must be unique.',
    );
    const skipped = await load(definition, 'definition.json', 'double.csv');
    expect(skipped.result?.collections[0]).toMatchObject({ added: 4, bad: 1 });

    // A bad row gets no values: those of the third one remain free for the fourth.
    const [, country, vatno] = TABLE.columns;
    const CODES = {
      guid: 'aaaaaaaa-0000-0000-0000-000000000003',
      name: 'CODES',
      columns: [{ ...country, unique: true }, vatno],
    };
    await writeFiles(folder, { 'codes.csv': 'country,vatno\nDE,1\nFR,1\nFR,2\n' });
    const codes = { tables: [{ ...CODES, datasetsFrom: { csv: 'codes.csv' } }] };
    const skippedOne = await load(codes, 'definition.json', 'codes-bad.csv');
    expect(skippedOne.result?.collections[0]).toMatchObject({ added: 2, bad: 1 });

    const more = await load({ tables: [{ ...TABLE, datasets: [{ firm: 'F', vatno: 2 }] }] });
    expect(more.failed[0]).toBe(
      'FIRMS, definition.json, entry 1: vatno: The value is already in record 2; it must be unique.',
    );
  });

  it('keeps columns unique that are unique together', async () => {
    const both = { ...TABLE, uniqueTogether: [['firm', 'country']] };
    const rows = (...datasets: object[]) => ({ tables: [{ ...both, datasets }] });
    const twice = await load(rows({ firm: 'A' }, { firm: 'A', country: 'DE' }, { firm: 'A' }));
    expect(twice.failed[0]).toBe(
      'FIRMS, definition.json, entry 3: The values of firm, country are already in entry 1; together they must be unique.',
    );
    expect((await load(rows({ firm: 'A' }, { firm: 'B' }))).failed).toEqual([]);
    const taken = await load(rows({ firm: 'A', vatno: '7' }, { firm: 'B', country: 'DE' }));
    expect(taken.failed[0]).toContain('Record 1 has the same values in firm, country');
  });

  it('finds what it has loaded by search, also what is added later', async () => {
    const document = (id: number, no: string) => ({
      revisionId: id,
      indexFields: [{ name: 'NO', value: no }],
    });
    await load({
      archives: [{ ...ARCHIVE, documents: [document(1, 'Première'), document(2, 'x')] }],
    });
    await load({ archives: [{ ...ARCHIVE, documents: [document(3, 'premier')] }] });
    const archive = await findCollection(database, 'BILLS');
    const found = await database.read((db) => listIds(db, archive, [['q', 'emier']]));
    expect(found.ids).toEqual(['1', '3']);
  });

  it('copies files into the data directory before a document names them', async () => {
    const pdf = Buffer.from('%PDF-1.7 a page');
    await writeFiles(folder, { 'scans/a.PDF': pdf, 'scans/b.txt': 'text' });
    const documents = [
      {
        revisionId: 1,
        indexFields: [{ name: 'NO', value: '1' }],
        files: ['scans/a.PDF', join(folder, 'scans/b.txt')],
      },
      { revisionId: 2, indexFields: [{ name: 'NO', value: '2' }], files: ['scans/a.PDF'] },
    ];
    expect((await load({ archives: [{ ...ARCHIVE, documents }] })).failed).toEqual([]);
    const archive = await findCollection(database, 'BILLS');
    if (archive.kind !== 'archive') throw new Error('BILLS is an archive');
    const files = await database.read((db) => filesByRevision(db, archive, [1, 2]));
    expect(files.get(1)).toMatchObject([
      { name: 'a.PDF', contentType: 'application/pdf', size: pdf.length, position: 0 },
      { name: 'b.txt', contentType: 'text/plain', size: 4, position: 1 },
    ]);
    const [first] = files.get(2) ?? [];
    expect(first?.location).toBe(files.get(1)?.[0]?.location);
    expect(await readFile(join(config.dataDir, 'files', first?.location ?? ''))).toEqual(pdf);
    const [entry] = await database.read((db) => readHistory(db, archive, 1));
    expect(entry?.changes).toContainEqual({
      name: 'document.files',
      before: [],
      after: ['a.PDF', 'b.txt'],
    });

    expect(
      (await load({ archives: [{ ...ARCHIVE, documents }] })).result?.collections[0],
    ).toMatchObject({
      unchanged: 2,
    });
    await writeFiles(folder, { 'scans/a.PDF': Buffer.from('%PDF-1.7 A page') });
    expect(
      (await load({ archives: [{ ...ARCHIVE, documents }] })).result?.collections[0],
    ).toMatchObject({
      different: 2,
    });
    await rm(join(folder, 'scans'), { recursive: true });
    const { failed } = await load({
      archives: [{ ...ARCHIVE, documents: [{ ...documents[1], revisionId: 3 }] }],
    });
    expect(failed[0]).toContain('BILLS, definition.json, entry 1: The file');
    expect(failed[0]).toContain('does not exist.');
  });

  it('refuses new fields by a name that lists reserve', async () => {
    const indexFields = [{ name: 'Check', type: 'text' }];
    const { failed } = await load({ archives: [{ ...ARCHIVE, indexFields }] });
    expect(failed).toEqual([
      'BILLS, indexFields.Check: The name check is reserved for the findings of checks.',
    ]);
  });

  it('loads nothing into what was retired', async () => {
    await load({ archives: [ARCHIVE] });
    await database.write(async (db) => {
      await db.k.updateTable('archives').set({ retired_at: 1 }).execute();
    });
    const { failed } = await load({ archives: [ARCHIVE] });
    expect(failed[0]).toBe('The archive BILLS was retired; nothing is loaded into it.');
    const other = { ...ARCHIVE, guid: 'bbbbbbbb-0000-0000-0000-000000000001' };
    expect((await load({ archives: [other] })).failed[0]).toContain('which was retired.');
  });

  it('says where names of the file are taken, and what users and options lack', async () => {
    await load({ archives: [ARCHIVE], tables: [TABLE] });
    const other = 'bbbbbbbb-0000-0000-0000-000000000001';
    const { failed, warned } = await load({
      archives: [{ ...ARCHIVE, guid: other }],
      tables: [
        {
          ...TABLE,
          guid: other,
          name: 'STAFF',
          columns: [
            { name: 'firm', type: 'text', optionsFrom: { table: 'FIRMS', column: 'title' } },
            { name: 'place', type: 'text', optionsFrom: { table: 'PLACES', column: 'name' } },
          ],
        },
      ],
      users: [
        {
          username: 'eva',
          role: 'clerk',
          password: 'correct horse battery',
          rights: { tables: { NONE: 'read' } },
        },
        { username: 'tom', role: 'clerk', password: 'short' },
      ],
    });
    expect(failed).toEqual([
      `The name BILLS belongs to the archive with the GUID ${ARCHIVE.guid}.`,
      'Nothing of the archive BILLS was loaded.',
      'User eva: There is no table NONE, so no right can be given on it.',
      'User tom: The password must have at least 10 characters.',
    ]);
    expect(warned).toEqual([
      'STAFF, firm: the table FIRMS has no column title.',
      'STAFF, place: there is no table PLACES for its options.',
    ]);
  });
});
