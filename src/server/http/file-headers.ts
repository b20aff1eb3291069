import { fitsContent, fitsName, isDisplayed } from './content-signatures.ts';

/**
 * The headers of an uploaded file: it never runs in the origin of the web admin, and it is displayed or, if its name does
 * not match its type, downloaded (docs/interface/decisions.md, section 6).
 */
export function fileHeaders(name: string, contentType: string): Record<string, string> {
  const isShown = isDisplayed(contentType) && fitsName(contentType, name);
  const type = contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType;
  return {
    'content-type': type,
    'content-disposition': contentDisposition(isShown ? 'inline' : 'attachment', name),
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  };
}

/** The headers that replace those of `fileHeaders` if a file's content does not match its type: it is downloaded. */
export function headersOfContent(
  name: string,
  contentType: string,
  start: Buffer,
): Record<string, string> {
  if (fitsContent(contentType, start)) return {};
  return { 'content-disposition': contentDisposition('attachment', name) };
}

/** `Content-Disposition` with the name for every reader (RFC 6266, RFC 8187). */
function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\u0020-\u007e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
