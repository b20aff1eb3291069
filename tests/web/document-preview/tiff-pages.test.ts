import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readTiff } from '#web/features/document-preview/tiff-pages.ts';

async function fixture(name: string): Promise<ArrayBuffer> {
  const bytes = await readFile(new URL(`../../fixtures/documents/${name}`, import.meta.url));
  return new Uint8Array(bytes).buffer;
}

it('decodes fax pages (G4) to black on white', async () => {
  const tiff = readTiff(await fixture('g4.tif'));
  expect(tiff.pages).toMatchObject([
    { width: 850, height: 1100 },
    { width: 850, height: 1100 },
  ]);
  for (const page of [0, 1]) {
    const rgba = tiff.rgba(page);
    expect(rgba).toHaveLength(850 * 1100 * 4);
    expect(Array.from(rgba.subarray(0, 4))).toEqual([255, 255, 255, 255]);
    const dark = rgba.filter((value, at) => at % 4 === 0 && value < 128).length;
    expect(dark).toBeGreaterThan(1000);
    expect(dark).toBeLessThan(50_000);
  }
});

it('decodes colours (LZW): a picture from red above to blue below', async () => {
  const rgba = readTiff(await fixture('lzw.tif')).rgba(0);
  expect(rgba).toHaveLength(300 * 200 * 4);
  expect(Array.from(rgba.subarray(0, 3))).toEqual([255, 0, 0]);
  expect(Array.from(rgba.subarray(-4, -1))).toEqual([0, 0, 255]);
});

it('refuses what is no TIFF', () => {
  expect(() => readTiff(new TextEncoder().encode('not a TIFF at all').buffer)).toThrow(Error);
});

/** A TIFF with one directory. @param next where the directory that follows it begins */
function tiffOf(
  entries: readonly (readonly [tag: number, type: number, count: number, value: number])[],
  next = 0,
): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(14 + entries.length * 12));
  view.setUint32(0, 0x49492a00);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  entries.forEach(([tag, type, count, value], i) => {
    view.setUint16(10 + i * 12, tag, true);
    view.setUint16(12 + i * 12, type, true);
    view.setUint32(14 + i * 12, count, true);
    view.setUint32(18 + i * 12, value, true);
  });
  view.setUint32(10 + entries.length * 12, next, true);
  return view.buffer;
}

it('refuses pages that follow each other without end', () => {
  const endless = tiffOf([[256, 4, 1, 10]], 8);
  expect(() => readTiff(endless)).toThrow(expect.objectContaining({ of: 'pages' }));
});

it('refuses an entry of twelve bytes that claims billions of values', () => {
  const claimed = tiffOf([[273, 3, 0xffff_fff0, 8]]);
  expect(() => readTiff(claimed)).toThrow('too many values');
});

it('reads no directories within others, which may name themselves', () => {
  const nested = tiffOf([
    [256, 4, 1, 10],
    [257, 4, 1, 10],
    [330, 4, 1, 8],
    [34_665, 4, 1, 8],
  ]);
  expect(readTiff(nested).pages).toMatchObject([{ width: 10, height: 10 }]);
});

it.each([
  ['pixels', [20_000, 20_000, 1, 1]],
  ['bytes for each pixel', [10_000, 10_000, 64, 1_000]],
] as const)('decodes no page of too many %s', (_, [width, height, bits, samples]) => {
  const page = tiffOf([
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, bits],
    [277, 3, 1, samples],
  ]);
  expect(() => readTiff(page).rgba(0)).toThrow(expect.objectContaining({ of: 'pixels' }));
});
