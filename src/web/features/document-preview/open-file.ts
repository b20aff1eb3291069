import type { Email } from 'postal-mime';
import { decodeText } from './decode-text.ts';
import type { FileKind } from './file-kind.ts';
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

/** Files that stay open: what is shown, what was and what comes next. */
const KEPT = 4;
const opened = new Map<string, Promise<OpenFile>>();

/** Opens a file, or gives the one that is open already. @throws {CannotShow} */
export function openFile(file: FileToOpen): Promise<OpenFile> {
  const known = opened.get(file.key);
  const promise = known ?? open(file);
  opened.delete(file.key);
  opened.set(file.key, promise);
  if (!known) {
    // What failed is tried again when it is asked for again.
    promise.catch(() => opened.delete(file.key));
    for (const [key, old] of opened) {
      if (opened.size <= KEPT) break;
      opened.delete(key);
      old.then((shown) => shown.as === 'pages' && shown.source.close()).catch(() => undefined);
    }
  }
  return promise;
}

async function open(file: FileToOpen): Promise<OpenFile> {
  const { kind } = file;
  if (kind === 'pdf') {
    const { openPdf } = await import('./pdf-source.ts');
    return { as: 'pages', source: await openPdf(file.bytes?.slice(0) ?? file.key) };
  }
  if (kind === 'none') throw new CannotShow('Files of this type cannot be shown here.');
  const bytes = file.bytes?.slice(0) ?? (await readBytes(file.key));
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
    return { as: 'mail', mail: await PostalMime.parse(bytes) };
  }
  return kind === 'html'
    ? { as: 'html', html: decodeText(bytes) }
    : { as: 'text', text: decodeText(bytes) };
}

async function readBytes(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address).catch(() => {
    throw new CannotShow('The service cannot be reached.');
  });
  if (answer.status === 404) throw new CannotShow('The service has no such file.');
  if (!answer.ok) throw new CannotShow('The service does not give this file.');
  return answer.arrayBuffer();
}
