/** @module-tag slow */
import { streamXlsxRows } from 'hucre/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { splitList } from '#shared/rules/comma-list.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

describeOnOneDatabase('exporting index data', (open) => {
  let t: TestApp;
  let archive: Archive;
  let tagged: Archive;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [
      { name: 'TITLE', label: 'Title' },
      { name: 'AMOUNT', label: 'Amount', type: 'decimal' },
      { name: 'DAY', type: 'date' },
      { name: 'PAID', type: 'boolean' },
      { name: 'AT', type: 'datetime' },
      { name: 'START', type: 'time' },
    ]);
    await buildRecords(t.database, archive, [
      ['=HYPERLINK("x")', 1234.5, '2024-03-12', true, '2024-03-12T14:05:00+01:00', '09:30'],
      ['two\r\nlines; "and", more', -3, '1850-01-01', false, null, null],
      ['', null, null, null, null, null],
      ['left out', 9, null, null, null, null],
    ]);
    tagged = await buildArchive(
      t.database,
      [{ name: 'TITLE', label: 'SUBJECT' }],
      ['SUBJECT', 'PLACE'],
    );
    await buildRecords(t.database, tagged, [['one'], ['two']], (row) =>
      row === 0 ? [['=1+1', 'ink, black', 'C:\\a\\'], []] : [[], ['Bern']],
    );
    const user = { username: 'tagger', rights: [rightOn(tagged, 'write')] };
    await buildUser(t.database, user);
    await buildUser(t.database, { rights: [rightOn(archive, 'read')] });
    await buildUser(t.database, { username: 'stranger' });
    clerk = await t.signedIn('clerk');
  });
  const path = (query: string) => `${archivePath(archive)}/index/export?${query}`;
  const rowsOf = async (bytes: Uint8Array) => {
    const rows: unknown[][] = [];
    for await (const { values } of streamXlsxRows(bytes)) rows.push(values);
    return rows;
  };

  it('writes what is filtered, in order, as typed cells', async () => {
    const answer = await clerk.get(path('where[TITLE][ne]=left+out&sort=-AMOUNT'));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('spreadsheetml.sheet');
    expect(answer.headers['content-disposition']).toContain(`${archive.name}.xlsx`);
    expect(await rowsOf(answer.bytes)).toEqual([
      ['Revision id', 'Version', 'Title', 'Amount', 'DAY', 'PAID', 'AT', 'START'],
      [
        1,
        1,
        '=HYPERLINK("x")',
        1234.5,
        new Date('2024-03-12'),
        true,
        '2024-03-12T14:05:00+01:00',
        new Date('1899-12-31T09:30:00Z'),
      ],
      [2, 1, 'two\r\nlines; "and", more', -3, '1850-01-01', false, null, null],
      [3, 1, '', null, null, null, null, null],
    ]);
  });

  it('writes CSV with the chosen fields, where nothing is run as a formula', async () => {
    const answer = await clerk.get(
      path('format=csv&fields=amount,TITLE&headers=names&separator=semicolon&sort=revisionId'),
    );
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.text).toBe(
      [
        '\ufeffRevision id;Version;AMOUNT;TITLE',
        `1;1;1234.5;"'=HYPERLINK(""x"")"`,
        '2;1;-3;"two\r\nlines; ""and"", more"',
        '3;1;;',
        '4;1;9;left out',
        '',
      ].join('\r\n'),
    );
  });

  it('writes only the headers where nothing matches', async () => {
    const { text } = await clerk.get(path('format=csv&where[TITLE][eq]=nothing'));
    expect(text).toBe('\ufeffRevision id,Version,Title,Amount,DAY,PAID,AT,START\r\n');
  });

  describe('of an archive with keyword fields', () => {
    const exported = async (query: string) => {
      const tagger = await t.signedIn('tagger');
      return tagger.get(`${archivePath(tagged)}/index/export?${query}`);
    };

    it('writes the values of one in a cell, whose commas and backslashes are escaped', async () => {
      // The label of the keyword field is that of an index field, so that its header is its name.
      const headers = ['Revision id', 'Version', 'SUBJECT', 'keyword.SUBJECT', 'PLACE'];
      const cell = '=1+1,ink\\, black,C:\\\\a\\\\';
      expect(await rowsOf((await exported('sort=revisionId')).bytes)).toEqual([
        headers,
        [1, 1, 'one', cell, null],
        [2, 1, 'two', null, 'Bern'],
      ]);
      const { text } = await exported('format=csv&sort=revisionId');
      expect(text).toBe(
        [`\ufeff${headers.join()}`, `1,1,one,"'${cell}",`, '2,1,two,,Bern', ''].join('\r\n'),
      );
      expect(splitList(cell)).toEqual(['=1+1', 'ink, black', 'C:\\a\\']);
    });

    it('takes them among the chosen columns, and names those that are not there', async () => {
      const { text } = await exported('format=csv&fields=KEYWORD.place,title&headers=names');
      expect(text).toBe(
        '\ufeffRevision id,Version,keyword.PLACE,TITLE\r\n1,1,,one\r\n2,1,Bern,two\r\n',
      );
      for (const fields of ['keyword.NOTHING', 'PLACE', 'keyword.PLACE,keyword.place']) {
        const { status, body } = await exported(`fields=${fields}`);
        expect([fields, status]).toEqual([fields, 400]);
        expect(Object.keys(errorBodySchema.parse(body).errors)).toEqual(['fields']);
      }
    });

    it('writes a file of which the import leaves their columns out', async () => {
      const { text } = await exported('format=csv');
      const tagger = await t.signedIn('tagger');
      const form = formOf([['files[0]', { name: 'a.csv', bytes: text.replace('two', 'three') }]]);
      const answer = await tagger.send('POST', `${archivePath(tagged)}/imports`, form.body, {
        headers: form.headers,
      });
      expect([answer.status, answer.body]).toMatchObject([
        201,
        { bulkedits: [{ counts: { changed: 1, unchanged: 1, invalid: 0 } }] },
      ]);
    });
  });

  describe('refuses', () => {
    it.each([
      ['format=pdf', 'format'],
      ['format=csv&format=csv', 'format'],
      ['fields=NOTHING', 'fields'],
      ['fields=DAY,day', 'fields'],
      ['separator=|', 'separator'],
      ['headers=none', 'headers'],
      ['limit=3', 'limit'],
      ['where[NOTHING][eq]=1', 'where[NOTHING][eq]'],
      ['constructor=1', 'constructor'],
    ])('%s', async (query, parameter) => {
      const answer = await clerk.get(path(query));
      expect(answer.status).toBe(400);
      expect(Object.keys(errorBodySchema.parse(answer.body).errors)).toEqual([parameter]);
    });

    it('whoever may not see the archive', async () => {
      const stranger = await t.signedIn('stranger');
      expect((await stranger.get(path(''))).status).toBe(404);
    });
  });
});
