import DOMPurify, { type Config } from 'dompurify';

/** A second line of defence for the frame: no scripts, no requests. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Inserted before the page, so that the policy applies to all of it. */
const HEAD = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><base target="_blank"><style>html{background:#fff;color:#000}body{margin:12px;font-family:sans-serif}::highlight(document-hits){background:#ffe08a}::highlight(document-hit){background:#ff9d3c}</style>`;

/**
 * A content security policy blocks requests, but a browser may connect to the host before: Chromium does for a frame,
 * others for `<link rel="preconnect">`. DOMPurify removes these elements by default, as well as redirects, scripts and
 * plug-ins. Styles stay.
 */
const SANITIZE: Config = { WHOLE_DOCUMENT: true, RETURN_TRUSTED_TYPE: false };

/** Attributes whose address a browser may load without any user action. */
const LOADING_ATTRIBUTES = new Set([
  'action',
  'background',
  'data',
  'formaction',
  'href',
  'poster',
  'src',
  'srcset',
  'xlink:href',
]);

const purifier = DOMPurify();
// Images are shown if the page itself contains them. Links keep their address, so that it can be copied.
purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  const { attrName, attrValue } = attribute;
  if (!LOADING_ATTRIBUTES.has(attrName) || /^\s*data:/i.test(attrValue)) return;
  if (attrName === 'href' && element.localName === 'a') return;
  attribute.keepAttr = false;
});

/** Sanitizes an untrusted page for a frame: it cannot run scripts, load anything or open a connection. */
export function framedHtml(html: string): string {
  return HEAD + purifier.sanitize(html, SANITIZE);
}
