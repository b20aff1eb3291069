import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '#server/modules/loading/csv-file.ts';
import { buildFolder, writeFiles } from '#tests/support/load.ts';
import { repeated } from '#tests/support/effort.ts';

const folder = buildFolder();
let count = 0;

async function read(content: string | Uint8Array, name = 'file.csv') {
  const file = `${count++}-${name}`;
  await writeFiles(folder, { [file]: content });
  const { records } = await readCsv(join(folder, file));
  const read: { line: number; cells: readonly string[] }[] = [];
  for await (const record of records) read.push(record);
  return read;
}

const lines = async (content: string | Uint8Array, name?: string) =>
  (await read(content, name)).map(({ line, cells }) => [line, ...cells]);

describe('a CSV file', () => {
  it.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['no line break at the end', 'a,b\n1,2\n3,4'],
    ['a byte order mark', '\ufeffa,b\n1,2\n3,4\n'],
    ['mixed line breaks', 'a,b\r\n1,2\n3,4\r\n'],
  ])('is read with %s', async (_, text) => {
    expect(await lines(text)).toEqual([
      [1, 'a', 'b'],
      [2, '1', '2'],
      [3, '3', '4'],
    ]);
  });

  it('is unpacked where its name ends in .gz', async () => {
    expect(await lines(gzipSync('a,b\n1,2\n'), 'file.csv.GZ')).toEqual([
      [1, 'a', 'b'],
      [2, '1', '2'],
    ]);
  });

  it('keeps line breaks, blanks and quotes within values, and counts lines through them', async () => {
    const text = 'a,b\n"x\r\ny", z \n\n"say ""hi""\n\n",\n1,2\n';
    expect(await lines(text)).toEqual([
      [1, 'a', 'b'],
      [2, 'x\r\ny', ' z '],
      [5, 'say "hi"\n\n', ''],
      [8, '1', '2'],
    ]);
  });

  it('gives back any text byte for byte', async () => {
    const cell = fc.string({ unit: 'grapheme' });
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(rows, async (wanted) => {
        const text = wanted
          .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        expect((await read(`h1,h2\n${text}`)).slice(1).map(({ cells }) => cells)).toEqual(wanted);
      }),
      { numRuns: repeated(20) },
    );
  });

  it.each([
    ['Latin-1', Buffer.from('a,b\ncaf\xe9,2\n', 'latin1'), 'not encoded in UTF-8'],
    ['a character cut off at the end', Buffer.from([0x61, 0xc3]), 'not encoded in UTF-8'],
    [
      'a quote that is not closed',
      'a,b\n1,2\n"3,4\n5,6\n',
      'line 3 contains a quote that is not closed',
    ],
    [
      'something after a quote',
      'a,b\n1,"2"x\n',
      'line 2 contains something between a closing quote',
    ],
    ['a quote within a value', 'a,b\n1,5" nail\n', 'line 2 contains a quote within a value'],
    [
      'one far behind',
      `${'a,"b\r\n"\n'.repeat(5_000)}1,5" nail\n`,
      'line 10001 contains a quote within',
    ],
  ])('is refused with %s', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });

  it('is refused where it is missing, a directory or no gzip file', async () => {
    await expect(readCsv(join(folder, 'none.csv'))).rejects.toThrow('none.csv does not exist.');
    await expect(readCsv(folder)).rejects.toThrow('is a directory');
    await expect(read('a,b\n', 'plain.csv.gz')).rejects.toThrow('is not a gzip file');
    const cut = gzipSync('a,b\n'.repeat(1_000)).subarray(0, 20);
    await expect(read(cut, 'cut.csv.gz')).rejects.toThrow('is not a gzip file, or is damaged');
  });
});
