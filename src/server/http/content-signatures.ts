/** The signature of a file type: the extensions, and the first bytes (WHATWG MIME Sniffing, section 6). */
interface Signature {
  readonly extensions: RegExp;
  readonly begins: (start: Buffer) => boolean;
}

/** How far readers search for the header of a PDF, in bytes. */
export const SIGNATURE_BYTES = 1_024;

const beginsWith = (at: number, bytes: string) => (start: Buffer) =>
  start.toString('latin1', at, at + bytes.length) === bytes;

/** The types that browsers display and that have a signature; plain text has none. */
const SIGNATURES = new Map<string, Signature>([
  [
    'application/pdf',
    {
      extensions: /^pdf$/i,
      begins: (start) => start.subarray(0, SIGNATURE_BYTES).includes('%PDF-'),
    },
  ],
  ['image/png', { extensions: /^png$/i, begins: beginsWith(0, '\u0089PNG\r\n\u001a\n') }],
  [
    'image/jpeg',
    { extensions: /^(?:jpe?g|jpe|jfif)$/i, begins: beginsWith(0, '\u00ff\u00d8\u00ff') },
  ],
  ['image/gif', { extensions: /^gif$/i, begins: beginsWith(0, 'GIF8') }],
  ['image/webp', { extensions: /^webp$/i, begins: beginsWith(8, 'WEBP') }],
  ['image/avif', { extensions: /^avif$/i, begins: beginsWith(4, 'ftypavi') }],
]);

/** Whether browsers display files of a type; others are downloaded. */
export function isDisplayed(contentType: string): boolean {
  return contentType === 'text/plain' || SIGNATURES.has(contentType);
}

/** Whether the extension of a name, if there is one, fits a type; true for types without a signature. */
export function fitsName(contentType: string, name: string): boolean {
  const signature = SIGNATURES.get(contentType);
  const extension = /\.([^.]*)$/.exec(name)?.[1];
  return !signature || extension === undefined || signature.extensions.test(extension);
}

/** Whether the first bytes of a file fit its type; true for types without a signature. */
export function fitsContent(contentType: string, start: Buffer): boolean {
  return SIGNATURES.get(contentType)?.begins(start) ?? true;
}
