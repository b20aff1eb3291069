import * as texts from '#messages/documents.ts';
import { drawBitmap } from './image-source.ts';
import { CannotDisplayError, type PageSource } from './page-source.ts';
import { MAX_TIFF_PAGES } from './tiff-limits.ts';
import type { TiffPage } from './tiff-pages.ts';
import type { TiffRequest } from './tiff.worker.ts';

interface TiffAnswer {
  readonly pages?: readonly TiffPage[];
  readonly rgba?: Uint8ClampedArray<ArrayBuffer>;
  readonly failed?: 'pixels' | 'pages' | 'broken' | 'slow' | 'closed';
}

/** How many decoded pages are cached. */
const MAX_CACHED_BITMAPS = 4;
/** Time limit for one answer of the decoder, in milliseconds. A page of A0 takes some seconds. */
const DECODE_TIMEOUT = 60_000;

/**
 * A TIFF with any number of pages, decoded off the main thread.
 * @param signal aborted when the file is no longer needed
 * @throws {CannotDisplayError}
 */
export async function openTiff(file: ArrayBuffer, signal: AbortSignal): Promise<PageSource> {
  const worker = new Worker(new URL('./tiff.worker.ts', import.meta.url), { type: 'module' });
  // The worker answers requests in their order.
  const waiting: ((answer: TiffAnswer) => void)[] = [];
  worker.addEventListener('message', ({ data }: MessageEvent<TiffAnswer>) => {
    waiting.shift()?.(data);
  });
  let stopped: TiffAnswer | null = null;
  const stop = (answer: TiffAnswer) => {
    stopped = answer;
    worker.terminate();
    for (const settle of waiting.splice(0)) settle(answer);
  };
  worker.addEventListener('error', () => stop({ failed: 'broken' }));
  signal.addEventListener('abort', () => stop({ failed: 'closed' }));
  const ask = async (request: TiffRequest, transfer: Transferable[] = []): Promise<TiffAnswer> => {
    if (stopped) return stopped;
    const answer = new Promise<TiffAnswer>((settle) => waiting.push(settle));
    worker.postMessage(request, transfer);
    const timer = setTimeout(() => stop({ failed: 'slow' }), DECODE_TIMEOUT);
    return answer.finally(() => clearTimeout(timer));
  };

  const { pages, failed } = await ask({ file }, [file]);
  const [first] = pages ?? [];
  if (!pages || !first) {
    worker.terminate();
    throw new CannotDisplayError(reasonOf(failed, texts.tiffBroken));
  }
  const sizeOf = ({ width, height, dotsX, dotsY }: TiffPage) => ({
    width: (width / dotsX) * 96,
    height: (height / dotsY) * 96,
  });
  const bitmaps = new Map<number, Promise<ImageBitmap>>();
  const bitmapOf = (page: number) => {
    let bitmap = bitmaps.get(page);
    if (!bitmap) bitmaps.set(page, (bitmap = decoded(page)));
    for (const old of bitmaps.keys()) {
      if (bitmaps.size <= MAX_CACHED_BITMAPS) break;
      bitmaps.delete(old);
    }
    return bitmap;
  };
  const decoded = async (page: number) => {
    const { rgba, failed: reason } = await ask({ page: page - 1 });
    const size = pages[page - 1];
    if (!rgba || !size) throw new CannotDisplayError(reasonOf(reason, texts.pageBroken));
    return createImageBitmap(new ImageData(rgba, size.width, size.height));
  };
  return {
    pageCount: pages.length,
    firstSize: sizeOf(first),
    measure: 'paper',
    size: async (page) => sizeOf(pages[page - 1] ?? first),
    async draw(drawing) {
      const bitmap = await bitmapOf(drawing.page);
      const size = sizeOf(pages[drawing.page - 1] ?? first);
      if (!drawing.signal.aborted) drawBitmap(bitmap, size, drawing);
    },
    text: null,
    close: () => stop({ failed: 'closed' }),
  };
}

function reasonOf(failed: TiffAnswer['failed'], broken: string): string {
  if (failed === 'pixels') return texts.imageTooLarge;
  if (failed === 'pages') return texts.tooManyPages(MAX_TIFF_PAGES);
  return failed === 'slow' ? texts.displayTooSlow : broken;
}
