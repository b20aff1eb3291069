import type { RevisionDetail } from '#shared/contract/answers.ts';

/** The viewer of a file; `none`: it can only be downloaded. */
export type FileKind = 'pdf' | 'image' | 'tiff' | 'text' | 'mail' | 'html' | 'none';

const KINDS: Readonly<Record<string, FileKind>> = {
  'application/pdf': 'pdf',
  'image/png': 'image',
  'image/jpeg': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'image/tiff': 'tiff',
  'message/rfc822': 'mail',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'text',
  'application/xml': 'text',
};
const KINDS_OF_NAMES: Readonly<Record<string, FileKind>> = {
  pdf: 'pdf',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  avif: 'image',
  tif: 'tiff',
  tiff: 'tiff',
  eml: 'mail',
  htm: 'html',
  html: 'html',
  txt: 'text',
  csv: 'text',
  xml: 'text',
  json: 'text',
  log: 'text',
  md: 'text',
};

/** By the media type, or by the name if the type is generic (`application/octet-stream`). */
export function kindOf(contentType: string, name: string): FileKind {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const known = KINDS[type];
  if (known) return known;
  if (type.startsWith('text/')) return 'text';
  if (type !== '' && type !== 'application/octet-stream') return 'none';
  return KINDS_OF_NAMES[/\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''] ?? 'none';
}

/** Whether a revision has a file that can be displayed next to the form. */
export function hasShownFile(revision: RevisionDetail | undefined): boolean {
  return (
    revision?.files.some(({ contentType, name }) => kindOf(contentType, name) !== 'none') ?? false
  );
}
