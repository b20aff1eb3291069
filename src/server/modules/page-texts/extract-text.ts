import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as PdfJs from 'pdfjs-dist';
import { foldPage } from '#shared/checks/page-text.ts';
import type { Extracted } from './file-texts.ts';

/** Maximum number of pages that are read. */
const MAX_PAGES = 500;
/** Maximum number of stored characters of a file: some fifty pages. */
const MAX_CHARACTERS = 200_000;
/** Maximum number of bytes that are read of a plain text. */
const MAX_BYTES = 4 * MAX_CHARACTERS;

/** The folder of pdf.js: next to this module in the package, else that of the checkout. */
function folderOfPdfJs(): URL {
  const packed = new URL('pdfjs/', import.meta.url);
  if (existsSync(packed)) return packed;
  return new URL('./', import.meta.resolve('pdfjs-dist/package.json'));
}

/** Loads pdf.js without a canvas, because nothing is rendered. */
async function loadPdfJs() {
  // It creates a matrix when it is loaded, for rendering.
  const nothing = function () {};
  Object.assign(globalThis, { DOMMatrix: nothing, ImageData: nothing, Path2D: nothing });
  const folder = folderOfPdfJs();
  const library: typeof PdfJs = await import(new URL('legacy/build/pdf.min.mjs', folder).href);
  library.GlobalWorkerOptions.workerSrc = new URL('legacy/build/pdf.worker.min.mjs', folder).href;
  return { library, characterMaps: fileURLToPath(new URL('cmaps/', folder)) };
}

let loaded: ReturnType<typeof loadPdfJs> | undefined;

/** The text of a file, folded for comparison. Runs in its own thread, because a file may contain anything. */
export async function extractText(bytes: Uint8Array, contentType: string): Promise<Extracted> {
  if (!/^application\/pdf/iu.test(contentType)) return plainText(bytes);
  const { library, characterMaps } = await (loaded ??= loadPdfJs());
  const task = library.getDocument({
    data: bytes,
    cMapUrl: characterMaps,
    disableFontFace: true,
    useSystemFonts: true,
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    const pages: string[] = [];
    let length = 0;
    let number = 1;
    for (; number <= Math.min(document.numPages, MAX_PAGES); number++) {
      if (length > MAX_CHARACTERS) break;
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const written = items.map((item) =>
        'str' in item ? item.str + (item.hasEOL ? '\n' : '') : '',
      );
      const text = cleaned(written.join(''));
      pages.push(text);
      length += text.length;
      page.cleanup();
    }
    const isCut = number <= document.numPages || length > MAX_CHARACTERS;
    return { text: pages.join('\f').slice(0, MAX_CHARACTERS).toWellFormed(), isCut };
  } catch (error) {
    const isProtected = error instanceof Error && error.name === 'PasswordException';
    return { problem: isProtected ? 'protected' : 'unreadable' };
  } finally {
    await task.destroy();
  }
}

/** Folded, without characters that databases reject in text. */
function cleaned(text: string): string {
  return foldPage(text.replaceAll(/\p{Cc}+/gu, ' ')).toWellFormed();
}

function plainText(bytes: Uint8Array): Extracted {
  const start = bytes.subarray(0, MAX_BYTES);
  const text = decode(start);
  if (text.includes('\u0000')) return { problem: 'unreadable' };
  const folded = cleaned(text);
  return {
    text: folded.slice(0, MAX_CHARACTERS).toWellFormed(),
    isCut: bytes.length > start.length || folded.length > MAX_CHARACTERS,
  };
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    // The last character may be incomplete.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
