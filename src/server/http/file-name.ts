const MAX_BYTES = 255;
/** A longer text after the last dot is not an extension. */
const MAX_EXTENSION_BYTES = 32;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * The name of a file in a form. Some clients send the path on their machine too, so only its last component is used
 * (RFC 7578, section 4.2; docs/interface/decisions.md, section 6).
 * @returns without control characters and without a quote at the end, at most 255 bytes in UTF-8, with the extension of
 * the sent name; empty if no name remains: `.` and `..` are directories
 */
export function fileNameOf(sent: string): string {
  // Browsers send a backslash as it is, but the parser takes one before the closing quote for an escaped quote.
  const path = sent.endsWith('"') ? sent.slice(0, -1) : sent;
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const name = last.replaceAll(CONTROL_CHARACTERS, '');
  return name === '.' || name === '..' ? '' : shorten(name);
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const end = Buffer.byteLength(extension) <= MAX_EXTENSION_BYTES ? extension : '';
  return (
    beginningOf(name.slice(0, name.length - end.length), MAX_BYTES - Buffer.byteLength(end)) + end
  );
}

/** The longest beginning of whole characters that fits into `bytes`. */
function beginningOf(text: string, bytes: number): string {
  let [used, length] = [0, 0];
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    length += character.length;
  }
  return text.slice(0, length);
}
