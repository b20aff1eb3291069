import { TiffTooLarge } from './tiff-limits.ts';
import { readTiff, type TiffPages } from './tiff-pages.ts';

/** A request to the worker: first the file, then pages by number (from 0). */
export type TiffRequest = { readonly file: ArrayBuffer } | { readonly page: number };

let tiff: TiffPages | undefined;

addEventListener('message', ({ data }: MessageEvent<TiffRequest>) => {
  try {
    if ('file' in data) {
      tiff = readTiff(data.file);
      postMessage({ pages: tiff.pages });
    } else {
      const rgba = tiff?.rgba(data.page);
      postMessage({ rgba }, { transfer: rgba ? [rgba.buffer] : [] });
    }
  } catch (error) {
    postMessage({ failed: error instanceof TiffTooLarge ? error.of : 'broken' });
  }
});
