import { sql, type RawBuilder } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { keywordTable, tableName } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { addFiles, filesChange } from '#server/modules/files/files.service.ts';
import { recordHistory, sequenceAllEntries } from '#server/modules/history/history.service.ts';
import { VerificationFindings } from '#server/modules/verification/verification-findings.ts';
import { checkRecords } from '#server/modules/verification/records-check.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { buildArchive, BUILDER, buildRecords } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { tamper } from './installation.ts';

const ODD = 'a "quoted" \\ back/\b\f\n\r\t\u001f\u007f é \u2028 😀';
/** As many rows as there are in the archive, each with what a database could write in its own way. */
const ROWS: readonly (readonly Scalar[])[] = [
  ['first', 1, 0.1, true, '2024-02-29', '2024-02-29T12:00:00.5+01:00'],
  [ODD, -7, 3, false, '0001-01-01', '2024-02-29T12:00:00Z'],
  [null, null, null, null, null, null],
  ['', 9_007_199_254_740_991, 1234567.89, null, null, null],
  ['null', 0, -0.5, true, null, null],
  ['with a number that has an exponent', 5, 1e-14, null, null, null],
];
const KEYWORDS = [['red', ODD], [], ['one'], [], ['a', 'b', 'c'], []];
const AT = Date.UTC(2024, 0, 1);

describeOnBothDatabases('verify of records with one entry', (open, { dialect }) => {
  let database: Database;
  let archive: Archive;
  beforeAll(async () => {
    database = await open();
    archive = await buildArchive(
      database,
      [
        { name: 'S' },
        { name: 'I', type: 'integer' },
        { name: 'D', type: 'decimal', scale: 14 },
        { name: 'B', type: 'boolean' },
        { name: 'DAY', type: 'date' },
        { name: 'AT', type: 'datetime' },
      ],
      ['K', 'L'],
    );
    const keywords = (row: number) => [[], KEYWORDS[row] ?? []];
    const ids = await buildRecords(database, archive, ROWS, keywords);
    await database.write(async (db) => {
      const [withFile = 0] = ids;
      const name = 'a "file".txt';
      const file = { rowId: withFile, position: 0, name, contentType: 'text/plain' };
      await addFiles(db, archive, [{ ...file, size: 1, sha256: '', location: 'x' }]);
      const events = ids.map((id, row) => ({
        kind: 'load' as const,
        id,
        version: 1,
        before: null,
        after: { values: ROWS[row] ?? [], keywords: keywords(row) },
        otherChanges: id === withFile ? [filesChange([], [name])] : [],
      }));
      await recordHistory(db, archive, BUILDER, AT, events);
    });
    await sequenceAllEntries(database);
  });

  const check = () =>
    database.read(async (db) => {
      const lines: string[] = [];
      const quiet = () => undefined;
      const report = { progress: quiet, info: quiet, fail: (line: string) => lines.push(line) };
      const compared = { records: 0, entries: 0 };
      await checkRecords(db, archive, new VerificationFindings(report), compared);
      return { records: compared.records, lines };
    });

  it('finds nothing where nothing was changed', async () => {
    expect(await check()).toEqual({ records: 6, lines: [] });
  });

  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0)) await step();
  });
  const write = (statement: RawBuilder<unknown>) =>
    tamper(database, (db) => statement.execute(db.k));

  const records = () => sql.table(tableName(archive));
  const set = (column: string, value: RawBuilder<unknown>) => async () => {
    const { rows } = await database.read((db) =>
      sql<{
        was: Scalar;
      }>`select ${sql.ref(column)} as was from ${records()} where _id = 1`.execute(db.k),
    );
    undo.push(() =>
      write(sql`update ${records()} set ${sql.ref(column)} = ${rows[0]?.was} where _id = 1`),
    );
    await write(sql`update ${records()} set ${sql.ref(column)} = ${value} where _id = 1`);
  };
  const of = (what: string) => [expect.stringContaining(`revision 1: ${what}`)];
  const keywords = () => sql.table(keywordTable(archive));

  it.each<[string, () => Promise<unknown>, unknown]>([
    ['a text', set('f1', sql`'First'`), of(`S is "First", but "first" in the history`)],
    [
      'a text that looks like the values behind it, which are gone',
      async () => {
        const rest =
          '{"name":"I","before":null,"after":1},{"name":"D","before":null,"after":0.1},' +
          '{"name":"B","before":null,"after":true},{"name":"DAY","before":null,"after":"2024-02-29"},' +
          '{"name":"AT","before":null,"after":"2024-02-29T12:00:00.5+01:00';
        await set('f1', sql`${`first"},${rest}`}`)();
        for (const column of ['f2', 'f3', 'f4', 'f5', 'f6']) await set(column, sql`null`)();
      },
      ['S', 'I', 'D', 'B', 'DAY', 'AT'].flatMap((name) => of(`${name} is `)),
    ],
    ['an integer', set('f2', sql`2`), of('I is 2')],
    ['the last digit of a decimal', set('f3', sql`0.10000000000000002`), of('D is 0.1000')],
    ['a boolean', set('f4', dialect === 'sqlite' ? sql`0` : sql`false`), of('B is false')],
    ['a value that is gone', set('f5', sql`null`), of('DAY is null')],
    ['the digits of an instant', set('f6', sql`'2024-02-29T12:00:00.50+01:00'`), of('AT is')],
    ['a version', set('_version', sql`2`), of('version is 2')],
    ['who changed it', set('_changed_by', sql`'nobody'`), of('changedBy is "nobody"')],
    ['when it was changed', set('_changed_at', sql`${AT + 1}`), of('changedAt is')],
    ['when it came to be', set('_created_at', sql`${AT - 1}`), of('createdAt is')],
    ['the document it belongs to', set('_document_id', sql`2`), of('documentId is 2')],
    ['its place in the document', set('_revision', sql`2`), of('revision is 2')],
    [
      'a keyword',
      () => {
        undo.push(() => write(sql`update ${keywords()} set value = 'red' where value = 'rot'`));
        return write(sql`update ${keywords()} set value = 'rot' where value = 'red'`);
      },
      of('L is ["rot"'),
    ],
    [
      'a file',
      () => {
        undo.push(() => write(sql`update files set row_id = 1`));
        return write(sql`update files set row_id = 2`);
      },
      [
        expect.stringContaining('revision 1: files is []'),
        expect.stringContaining('revision 2: files is ["a'),
      ],
    ],
    [
      'a record that the history does not know, instead of one it does',
      () => {
        undo.push(() => write(sql`update ${records()} set _id = 3 where _id = 7`));
        return write(sql`update ${records()} set _id = 7 where _id = 3`);
      },
      [
        expect.stringContaining('revision 3: it is missing'),
        expect.stringContaining('revision 7: it exists, but not in the history.'),
      ],
    ],
    [
      'an entry that was doubled, and one that belongs to another record',
      async () => {
        const entries = sql`update history set row_id = 4 where scope = 'archive' and row_id = 5`;
        undo.push(() =>
          write(sql`update history set row_id = 5 where id = (
            select max(id) from history where scope = 'archive' and row_id = 4)`),
        );
        await write(entries);
      },
      [
        expect.stringMatching(
          /revision 4, history [0-9]+: its entry of the kind load creates what already exists/,
        ),
        ...Array.from({ length: 9 }, () => expect.stringContaining('revision 4')),
        expect.stringContaining('revision 5: it exists, but not in the history.'),
      ],
    ],
  ])('finds %s', async (_, forge, expected) => {
    await forge();
    const { lines } = await check();
    expect(lines).toEqual(expected);
    for (const step of undo.splice(0)) await step();
    expect((await check()).lines).toEqual([]);
  });
});
