import { expect, it } from 'vitest';
import { openImage } from '#web/features/document-preview/image-source.ts';
import { readImageSize } from '#web/features/document-preview/image-size.ts';

/** The header of a PNG of a size; its pixels would follow. */
function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

it('reads the size of images from their headers', () => {
  expect(readImageSize(pngOf(640, 480))).toEqual({ width: 640, height: 480 });
  const gif = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x80, 0x02, 0xe0, 0x01];
  expect(readImageSize(Uint8Array.from(gif))).toEqual({ width: 640, height: 480 });
  const jpeg = [
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 0x01, 0xe0, 0x02, 0x80, 3,
  ];
  expect(readImageSize(Uint8Array.from(jpeg))).toEqual({ width: 640, height: 480 });
  const bmp = new Uint8Array(26);
  bmp.set([0x42, 0x4d]);
  const view = new DataView(bmp.buffer);
  view.setInt32(18, 640, true);
  view.setInt32(22, -480, true);
  expect(readImageSize(bmp)).toEqual({ width: 640, height: 480 });
  for (const bytes of [
    [],
    [0xff, 0xd8],
    [0xff, 0xd8, 0xff, 0xff, 0xff],
    [0x89, 0x50, 0x4e, 0x47],
  ]) {
    expect(readImageSize(Uint8Array.from(bytes))).toBeNull();
  }
});

it('does not decode an image whose pixels would take all memory', async () => {
  const bomb = new Blob([pngOf(60_000, 60_000)]);
  await expect(openImage(bomb)).rejects.toMatchObject({
    name: 'CannotDisplayError',
    message: 'This image has too many pixels to be displayed.',
  });
});
