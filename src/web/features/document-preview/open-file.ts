import type { Email } from 'postal-mime';
import { readFile } from '#web/api/bytes.ts';
import { decodeText } from './decode-text.ts';
import type { FileKind } from './file-kind.ts';
import { KeptFiles } from './kept-files.ts';
import { CannotShow, type PageSource } from './page-source.ts';

/** A file as it is shown. */
export type OpenFile =
  | { readonly as: 'pages'; readonly source: PageSource }
  | { readonly as: 'text'; readonly text: string }
  | { readonly as: 'html'; readonly html: string }
  | { readonly as: 'mail'; readonly mail: Email };

/** Where a file comes from: its address, or its bytes where it is part of another. */
export interface FileToOpen {
  /** tells files apart; the address where it has one */
  readonly key: string;
  readonly name: string;
  readonly kind: FileKind;
  readonly bytes?: ArrayBuffer;
}

/**
 * The files that stay open. Opening waits for the service while it is away; it fails with {@link CannotShow},
 * or with something else where the fault is not the file's.
 */
export const openFiles = new KeptFiles<FileToOpen, OpenFile>({
  most: 4,
  open,
  close: (file) => file.as === 'pages' && file.source.close(),
});

async function open(file: FileToOpen, signal: AbortSignal): Promise<OpenFile> {
  const { kind } = file;
  if (kind === 'pdf') {
    const { openPdf } = await import('./pdf-source.ts');
    return { as: 'pages', source: await openPdf(file.bytes?.slice(0) ?? file.key, signal) };
  }
  if (kind === 'none') throw new CannotShow('Files of this type cannot be shown here.');
  const bytes = file.bytes?.slice(0) ?? (await readFile(file.key, { signal })).bytes;
  if (bytes.byteLength === 0) throw new CannotShow('This file is empty.');
  if (kind === 'image') {
    const { openImage } = await import('./image-source.ts');
    return { as: 'pages', source: await openImage(new Blob([bytes])) };
  }
  if (kind === 'tiff') {
    const { openTiff } = await import('./tiff-source.ts');
    return { as: 'pages', source: await openTiff(bytes) };
  }
  if (kind === 'mail') {
    const { default: PostalMime } = await import('postal-mime');
    const mail = await PostalMime.parse(bytes);
    // Any bytes are read as some mail; one from nobody to nobody about nothing is none.
    const { from, to, date, subject } = mail;
    if (!from && !to && !date && subject === undefined) {
      throw new CannotShow('This mail is broken.');
    }
    return { as: 'mail', mail };
  }
  return kind === 'html'
    ? { as: 'html', html: decodeText(bytes) }
    : { as: 'text', text: decodeText(bytes) };
}

/** Fetches and starts what reads PDFs, which most documents are; where that fails, the first PDF says so. */
export function preparePdf(): void {
  if (!('Worker' in window)) return;
  import('./pdf-source.ts').then(
    ({ standBy }) => standBy(),
    () => undefined,
  );
}
