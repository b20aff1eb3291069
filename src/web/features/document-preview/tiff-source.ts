import * as texts from '#messages/documents.ts';
import { drawBitmap } from './image-source.ts';
import { CannotShow, type PageSource } from './page-source.ts';
import type { TiffPage } from './tiff-pages.ts';
import type { TiffRequest } from './tiff.worker.ts';

interface TiffAnswer {
  readonly pages?: readonly TiffPage[];
  readonly rgba?: Uint8ClampedArray<ArrayBuffer>;
  readonly failed?: string;
}

/** Pages that are kept decoded. */
const KEPT = 4;

/** A TIFF of any number of pages, decoded away from the page's own thread. @throws {CannotShow} */
export async function openTiff(file: ArrayBuffer): Promise<PageSource> {
  const worker = new Worker(new URL('./tiff.worker.ts', import.meta.url), { type: 'module' });
  // It answers one request after the other, in their order.
  const waiting: ((answer: TiffAnswer) => void)[] = [];
  worker.addEventListener('message', ({ data }: MessageEvent<TiffAnswer>) => {
    waiting.shift()?.(data);
  });
  worker.addEventListener('error', () => {
    for (const settle of waiting.splice(0)) settle({ failed: texts.decoderStopped });
  });
  const ask = (request: TiffRequest, transfer: Transferable[] = []) =>
    new Promise<TiffAnswer>((settle) => {
      waiting.push(settle);
      worker.postMessage(request, transfer);
    });

  const { pages } = await ask({ file }, [file]);
  const [first] = pages ?? [];
  if (!pages || !first) {
    worker.terminate();
    throw new CannotShow(texts.tiffBroken);
  }
  const sizeOf = ({ width, height, dotsX, dotsY }: TiffPage) => ({
    width: (width / dotsX) * 96,
    height: (height / dotsY) * 96,
  });
  const kept = new Map<number, Promise<ImageBitmap>>();
  const bitmapOf = (page: number) => {
    let bitmap = kept.get(page);
    if (!bitmap) kept.set(page, (bitmap = decoded(page)));
    for (const old of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(old);
    }
    return bitmap;
  };
  const decoded = async (page: number) => {
    const { rgba } = await ask({ page: page - 1 });
    const dots = pages[page - 1];
    if (!rgba || !dots) throw new CannotShow(texts.pageBroken);
    return createImageBitmap(new ImageData(rgba, dots.width, dots.height));
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
    close: () => worker.terminate(),
  };
}
