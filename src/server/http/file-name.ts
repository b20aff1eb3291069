const MAX_BYTES = 255;
/** A longer text after the last dot is not an extension. */
const MAX_EXTENSION_BYTES = 32;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * The name of a file in a form. Some clients send the path on their machine too, so only its last component is used
 * (RFC 7578, section 4.2; docs/interface/decisions.md, section 6).
 * @returns without control characters, at most 255 bytes in UTF-8, with the extension of the sent name; empty if no
 * name remains: `.` and `..` are directories
 */
export function fileNameOf(sent: string): string {
  const last = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
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
