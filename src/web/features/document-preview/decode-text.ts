/**
 * Decodes a text file: by its byte order mark, else UTF-8, else Windows-1252, in which every byte sequence is valid.
 * @param isTruncated whether the bytes are only the beginning of the file: an incomplete last character is left out
 */
export function decodeText(bytes: ArrayBuffer, isTruncated = false): string {
  const options = { stream: isTruncated };
  const [a, b] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes, options);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes, options);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, options);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
