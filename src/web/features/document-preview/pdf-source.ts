import * as texts from '#messages/documents.ts';
import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
  Util,
  version,
} from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the build gives the address of the file
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { readFile } from '#web/api/read-file.ts';
import { toFailure } from '#web/api/failure.ts';
import { MAX_IMAGE_PIXELS } from './image-source.ts';
import {
  CannotDisplayError,
  type Drawing,
  type PageSize,
  type PageSource,
  type Rotation,
  canvasScale,
  type TextPiece,
} from './page-source.ts';
import { PdfRanges, RANGE } from './pdf-ranges.ts';

GlobalWorkerOptions.workerSrc = workerUrl;
/** The build puts the decoders, character maps and fonts there. */
const PARTS = new URL(`/assets/pdfjs-${version}/`, location.href).href;
/**
 * Delay in milliseconds before the next worker starts, so that the first page renders at full speed; shorter if it has
 * been rendered.
 */
const STANDBY_AFTER = 300;
/** A file of a few kilobytes can list one page millions of times. */
const MAX_PAGES = 100_000;
/** Time limit for rendering a page, in milliseconds. */
const RENDER_TIMEOUT = 60_000;
/** PDF units are 1/72 inch, CSS pixels 1/96. */
const UNIT = 96 / 72;

/** A worker started in advance, because starting takes as long as reading a short file. */
let standby: PDFWorker | null = null;

/** Starts the worker for the next PDF. */
export function startSpareWorker(): void {
  standby ??= new PDFWorker({ verbosity: 0 });
}

/** Each file has its own worker, so that none waits for another. */
function takeWorker(): PDFWorker {
  const worker = standby ?? new PDFWorker({ verbosity: 0 });
  standby = null;
  return worker;
}

/** Opens a PDF by ranges: only what the visible pages need is read. @throws {CannotDisplayError | CallError} */
export async function openPdf(
  from: string | ArrayBuffer,
  signal: AbortSignal,
): Promise<PageSource> {
  const { data, ranges } = await startOf(from, signal);
  const worker = takeWorker();
  const task = getDocument({
    worker,
    ...(ranges ? { range: ranges } : { data }),
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: RANGE,
    isEvalSupported: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    enableXfa: false,
    cMapUrl: `${PARTS}cmaps/`,
    standardFontDataUrl: `${PARTS}standard_fonts/`,
    wasmUrl: `${PARTS}wasm/`,
    useSystemFonts: true,
    verbosity: 0,
  });
  const stop = () => void task.destroy().finally(() => worker.destroy());
  signal.addEventListener('abort', stop);
  // Without this race a rejected range would be waited for forever.
  const read = <T>(work: Promise<T>) => (ranges ? Promise.race([work, ranges.failed]) : work);
  try {
    const document = await read(task.promise);
    if (document.numPages > MAX_PAGES) throw new CannotDisplayError(texts.tooManyPages(MAX_PAGES));
    const first = (await read(document.getPage(1))).getViewport({ scale: UNIT });
    const size = { width: first.width, height: first.height };
    setTimeout(startSpareWorker, STANDBY_AFTER);
    return pdfSource({ document, firstSize: size, read, close: stop });
  } catch (error) {
    stop();
    throw reasonOf(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The whole file if it is short or the service has no ranges, else a range reader. */
async function startOf(from: string | ArrayBuffer, signal: AbortSignal) {
  if (typeof from !== 'string') return { data: new Uint8Array(from) };
  const { bytes, size } = await readFile(from, { signal, range: { begin: 0, end: RANGE } }).catch(
    (error: unknown) => {
      // An empty file has no first byte.
      const empty = toFailure(error);
      const none = 'status' in empty && empty.status === 416;
      throw none ? new CannotDisplayError(texts.fileEmpty) : error;
    },
  );
  if (bytes.byteLength >= size) return { data: new Uint8Array(bytes) };
  return { ranges: new PdfRanges(from, size, bytes) };
}

interface OpenPdf {
  readonly document: PDFDocumentProxy;
  readonly firstSize: PageSize;
  /** waits for a part of the file */
  readonly read: <T>(work: Promise<T>) => Promise<T>;
  readonly close: () => void;
}

function pdfSource({ document, firstSize, read, close }: OpenPdf): PageSource {
  const contents = new Map<number, ReturnType<typeof readContent>>();
  const getPage = (page: number) => read(document.getPage(page));
  const readContent = async (page: number) => read((await getPage(page)).getTextContent());
  const contentOf = (page: number) => {
    let content = contents.get(page);
    if (!content) contents.set(page, (content = readContent(page)));
    return content;
  };
  return {
    pageCount: document.numPages,
    firstSize,
    measure: 'paper',
    async size(page) {
      const { width, height } = (await getPage(page)).getViewport({ scale: UNIT });
      return { width, height };
    },
    async text(page) {
      const { items } = await contentOf(page);
      return items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('');
    },
    async pieces(number) {
      const { items } = await contentOf(number);
      const { transform } = viewportOf(await getPage(number), 1, 0);
      return items.flatMap((item) => ('str' in item ? [pieceOf(item, transform)] : []));
    },
    async draw({ page: number, scale, rotation, canvas, signal }: Drawing) {
      const page = await getPage(number);
      if (signal.aborted) return;
      const viewport = viewportOf(page, scale, rotation);
      const sharp = canvasScale(viewport);
      canvas.width = Math.floor(viewport.width * sharp);
      canvas.height = Math.floor(viewport.height * sharp);
      const drawn = page.render({ canvas, viewport, transform: [sharp, 0, 0, sharp, 0, 0] });
      signal.addEventListener('abort', () => drawn.cancel());
      let isTooSlow = false;
      const timer = setTimeout(() => {
        isTooSlow = true;
        drawn.cancel();
      }, RENDER_TIMEOUT);
      await read(drawn.promise)
        .catch((error: unknown) => {
          if (isTooSlow) throw new CannotDisplayError(texts.displayTooSlow);
          if (!signal.aborted) throw error;
        })
        .finally(() => clearTimeout(timer));
      startSpareWorker();
    },
    async renderTextLayer({ page: number, scale, rotation, layer, signal }: Drawing) {
      const viewport = viewportOf(await getPage(number), scale, rotation);
      const content = await contentOf(number);
      if (signal.aborted) return;
      layer.replaceChildren();
      layer.style.setProperty('--total-scale-factor', String(viewport.scale));
      layer.style.setProperty('--scale-round-x', '1px');
      layer.style.setProperty('--scale-round-y', '1px');
      await new TextLayer({ textContentSource: content, container: layer, viewport }).render();
    },
    close,
  };
}

type TextItem = Extract<
  Awaited<ReturnType<PDFPageProxy['getTextContent']>>['items'][number],
  { str: string }
>;

/** @param toPage converts the units of the PDF to CSS pixels */
function pieceOf(item: TextItem, toPage: number[]): TextPiece {
  const matrix: unknown[] = Util.transform(toPage, item.transform);
  const [a = 0, b = 0, c = 0, d = 0, left = 0, bottom = 0] = matrix.map(Number);
  const along = (item.width * UNIT) / (Math.hypot(a, b) || 1);
  // The bounding rectangle of the four corners, because a text can be rotated.
  const across = [0, a * along, c, a * along + c].map((x) => left + x);
  const down = [0, b * along, d, b * along + d].map((y) => bottom + y);
  const [x, y] = [Math.min(...across), Math.min(...down)];
  const text = item.str + (item.hasEOL ? '\n' : '');
  return { text, left: x, top: y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}

function viewportOf(page: PDFPageProxy, scale: number, rotation: Rotation) {
  return page.getViewport({ scale: scale * UNIT, rotation: (page.rotate + rotation) % 360 });
}

function reasonOf(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return new CannotDisplayError(texts.pdfProtected);
  // Errors of an invalid PDF; all other errors are not the file's fault.
  if (/^(?:InvalidPDF|UnknownError|Format)/.test(name)) {
    return new CannotDisplayError(texts.pdfBroken);
  }
  return error;
}
