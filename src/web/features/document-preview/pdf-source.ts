import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  TextLayer,
  version,
} from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the build gives the address of the file
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { CannotShow, type Drawing, type PageSource, sharpness } from './page-source.ts';

GlobalWorkerOptions.workerSrc = workerUrl;
/** The build puts the decoders, character maps and fonts there. */
const PARTS = new URL(`/assets/pdfjs-${version}/`, location.href).href;
/** PDF units are 1/72 inch, CSS pixels 1/96. */
const UNIT = 96 / 72;
/** Bytes of one range: where a PDF lists all its pages in one place, opening it reads something of each of them. */
const RANGE = 256 * 1024;

/** Opens a PDF by ranges: only what the shown pages need is read. @throws {CannotShow} */
export async function openPdf(address: string | ArrayBuffer): Promise<PageSource> {
  const task = getDocument({
    ...(typeof address === 'string'
      ? { url: address, withCredentials: true }
      : { data: new Uint8Array(address) }),
    disableAutoFetch: true,
    disableStream: true,
    rangeChunkSize: RANGE,
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: `${PARTS}cmaps/`,
    standardFontDataUrl: `${PARTS}standard_fonts/`,
    wasmUrl: `${PARTS}wasm/`,
    useSystemFonts: true,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    const first = (await document.getPage(1)).getViewport({ scale: UNIT });
    return pdfSource(document, { width: first.width, height: first.height }, () => task.destroy());
  } catch (error) {
    void task.destroy();
    throw new CannotShow(reasonOf(error));
  }
}

function pdfSource(
  document: PDFDocumentProxy,
  firstSize: { width: number; height: number },
  destroy: () => Promise<void>,
): PageSource {
  const contents = new Map<number, ReturnType<typeof readContent>>();
  const readContent = async (page: number) => (await document.getPage(page)).getTextContent();
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
      const { width, height } = (await document.getPage(page)).getViewport({ scale: UNIT });
      return { width, height };
    },
    async text(page) {
      const { items } = await contentOf(page);
      return items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('');
    },
    async draw({ page: number, scale, rotation, canvas, layer, signal }: Drawing) {
      const page = await document.getPage(number);
      if (signal.aborted) return;
      const options = { scale: scale * UNIT, rotation: (page.rotate + rotation) % 360 };
      const viewport = page.getViewport(options);
      const sharp = sharpness(viewport);
      canvas.width = Math.floor(viewport.width * sharp);
      canvas.height = Math.floor(viewport.height * sharp);
      const drawn = page.render({ canvas, viewport, transform: [sharp, 0, 0, sharp, 0, 0] });
      signal.addEventListener('abort', () => drawn.cancel());
      await drawn.promise.catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      const content = await contentOf(number);
      if (signal.aborted) return;
      layer.replaceChildren();
      layer.style.setProperty('--total-scale-factor', String(viewport.scale));
      layer.style.setProperty('--scale-round-x', '1px');
      layer.style.setProperty('--scale-round-y', '1px');
      await new TextLayer({ textContentSource: content, container: layer, viewport }).render();
    },
    close: () => void destroy(),
  };
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') return 'This PDF is protected by a password.';
  if (name === 'ResponseException') return 'The service has no such file.';
  return 'This PDF is broken.';
}
