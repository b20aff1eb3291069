import * as texts from '#messages/documents.ts';
import { readImageSize } from './image-size.ts';
import {
  CannotDisplayError,
  type Drawing,
  type PageSize,
  type PageSource,
  canvasScale,
  rotatedSize,
} from './page-source.ts';

/** A decoded image takes four bytes per pixel: 600 MB. Drawings of A0 at 300 dpi have 140 million pixels. */
export const MAX_IMAGE_PIXELS = 150_000_000;
/** Sufficient for a JPEG with a preview and a colour profile before its size. */
const HEADER_BYTES = 1_000_000;

/** An image that the browser decodes itself, off the main thread. @throws {CannotDisplayError} */
export async function openImage(file: Blob): Promise<PageSource> {
  const header = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const claimed = readImageSize(header);
  if (claimed && claimed.width * claimed.height > MAX_IMAGE_PIXELS) {
    throw new CannotDisplayError(texts.imageTooLarge);
  }
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new CannotDisplayError(texts.imageBroken);
  });
  const size = { width: bitmap.width, height: bitmap.height };
  return {
    pageCount: 1,
    firstSize: size,
    measure: 'pixels',
    size: async () => size,
    draw: async (drawing) => drawBitmap(bitmap, size, drawing),
    text: null,
    close: () => bitmap.close(),
  };
}

/** Draws an image at a size (CSS pixels at a zoom of 1), rotated. */
export function drawBitmap(bitmap: ImageBitmap, size: PageSize, drawing: Drawing): void {
  const { canvas, scale, rotation } = drawing;
  const shown = rotatedSize({ width: size.width * scale, height: size.height * scale }, rotation);
  const sharp = canvasScale(shown);
  canvas.width = Math.max(1, Math.floor(shown.width * sharp));
  canvas.height = Math.max(1, Math.floor(shown.height * sharp));
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((rotation * Math.PI) / 180);
  const width = size.width * scale * sharp;
  const height = size.height * scale * sharp;
  context.drawImage(bitmap, -width / 2, -height / 2, width, height);
}
