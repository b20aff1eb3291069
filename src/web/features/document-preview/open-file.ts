import * as texts from '#messages/documents.ts';
import type { Email } from 'postal-mime';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { readFile } from '#web/api/read-file.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { decodeText } from './decode-text.ts';
import { type FileKind, kindOf } from './file-kind.ts';
import { OpenFileCache } from './open-file-cache.ts';
import { CannotDisplayError, type PageSource } from './page-source.ts';

/** A file in the form for its viewer. */
export type OpenFile =
  | { readonly as: 'pages'; readonly source: PageSource }
  | ({ readonly as: 'text'; readonly text: string } & TextExtent)
  | ({ readonly as: 'html'; readonly html: string } & TextExtent)
  | ({ readonly as: 'mail'; readonly mail: Email } & TextExtent);

/** How much of a text is shown, in bytes: all of it, or {@link TEXT_LIMIT}. For a mail, the characters of its body. */
interface TextExtent {
  readonly bytesShown: number;
  readonly size: number;
}

/** Maximum bytes of a text or HTML page. The browser lays it out as one element, so a larger one would block the tab. */
const TEXT_LIMIT = 1_000_000;

/** The source of a file: its address, or its bytes if it is part of another file. */
export interface FileToOpen {
  /** a unique key; the address if it has one */
  readonly key: string;
  readonly name: string;
  readonly kind: FileKind;
  /** bytes of the whole file */
  readonly size: number;
  readonly bytes?: ArrayBuffer;
}

type WithFiles = Pick<RevisionDetail, 'revisionId' | 'files'>;

/** The files of a revision. @param archive the archive's table name */
export function filesOf(archive: string, revision: WithFiles | undefined) {
  return (revision?.files ?? []).map(({ fileId, name, contentType, size }) => ({
    fileId,
    name,
    size,
    kind: kindOf(contentType, name),
    key: apiPaths.revisionFile(archive, revision?.revisionId ?? '', fileId),
  }));
}

/** The first file of a revision that can be displayed; undefined: none. */
export function fileOf(archive: string, revision: WithFiles): FileToOpen | undefined {
  return filesOf(archive, revision).find(({ kind }) => kind !== 'none');
}

/**
 * The cache of open files. Opening waits while the service is unreachable; it fails with {@link CannotDisplayError}, or with
 * another error if the file is not the cause.
 */
export const openFiles = new OpenFileCache<FileToOpen, OpenFile>({
  maxFiles: 4,
  open,
  close: (file) => file.as === 'pages' && file.source.close(),
});

async function open(file: FileToOpen, signal: AbortSignal): Promise<OpenFile> {
  const { kind } = file;
  if (kind === 'pdf') {
    const { openPdf } = await import('./pdf-source.ts');
    return { as: 'pages', source: await openPdf(file.bytes?.slice(0) ?? file.key, signal) };
  }
  if (kind === 'none') throw new CannotDisplayError(texts.typeNotShown);
  if (kind === 'text' || kind === 'html') return openText(file, signal);
  const bytes = file.bytes?.slice(0) ?? (await readFile(file.key, { signal })).bytes;
  if (bytes.byteLength === 0) throw new CannotDisplayError(texts.fileEmpty);
  if (kind === 'image') {
    const { openImage } = await import('./image-source.ts');
    return { as: 'pages', source: await openImage(new Blob([bytes])) };
  }
  if (kind === 'tiff') {
    const { openTiff } = await import('./tiff-source.ts');
    return { as: 'pages', source: await openTiff(bytes, signal) };
  }
  return openMail(bytes);
}

async function openMail(bytes: ArrayBuffer): Promise<OpenFile> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(bytes);
  // The parser accepts any bytes; a real mail has at least one of these headers.
  const { from, to, date, subject } = mail;
  if (!from && !to && !date && subject === undefined) {
    throw new CannotDisplayError(texts.mailBroken);
  }
  const size = (mail.html ?? mail.text ?? '').length;
  return {
    as: 'mail',
    mail: { ...mail, html: mail.html?.slice(0, TEXT_LIMIT), text: mail.text?.slice(0, TEXT_LIMIT) },
    bytesShown: Math.min(size, TEXT_LIMIT),
    size,
  };
}

async function openText(
  { kind, key, bytes: own, size }: FileToOpen,
  signal: AbortSignal,
): Promise<OpenFile> {
  if (size === 0) throw new CannotDisplayError(texts.fileEmpty);
  const range = { begin: 0, end: Math.min(size, TEXT_LIMIT) };
  const bytes = own?.slice(0, TEXT_LIMIT) ?? (await readFile(key, { signal, range })).bytes;
  const extent = { bytesShown: bytes.byteLength, size };
  const text = decodeText(bytes, extent.bytesShown < size);
  return kind === 'html' ? { as: 'html', html: text, ...extent } : { as: 'text', text, ...extent };
}

/** Preloads the PDF reader, because most documents are PDFs; a failure is reported with the first PDF. */
export function preparePdf(): void {
  if (!('Worker' in window)) return;
  import('./pdf-source.ts').then(
    ({ startSpareWorker: standBy }) => standBy(),
    () => undefined,
  );
}
