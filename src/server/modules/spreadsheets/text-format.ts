/**
 * The encoding of a text file as a label of `TextDecoder`: UTF-8, UTF-16 with a byte order mark, or Windows-1252.
 * @param chunks the whole file; read to its end, or to the first bytes that are not UTF-8
 */
export async function detectEncoding(chunks: AsyncIterable<unknown>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of chunks) {
    if (!Buffer.isBuffer(chunk)) continue;
    if (isFirst && chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
    if (isFirst && chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
    isFirst = false;
    if (!isDecodable(() => decoder.decode(chunk, { stream: true }))) return 'windows-1252';
  }
  return isDecodable(() => decoder.decode()) ? 'utf-8' : 'windows-1252';
}

function isDecodable(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}
