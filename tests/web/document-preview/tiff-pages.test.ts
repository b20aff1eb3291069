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
