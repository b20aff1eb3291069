/** The size of an image in pixels, from its header. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The signature of PNG (bytes two to four are its name). */
const PNG = [0x89, 0x50, 0x4e, 0x47];
const GIF = [0x47, 0x49, 0x46, 0x38];
const BMP = [0x42, 0x4d];
const JPEG = [0xff, 0xd8];

/**
 * Reads the size of a PNG, GIF, BMP or JPEG without decoding it: a file of a few kilobytes can contain billions of
 * pixels.
 * @param bytes the beginning of the file
 * @returns null if the header is not of such an image
 */
export function readImageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const begins = (signature: readonly number[]) => signature.every((byte, i) => bytes[i] === byte);
  if (begins(PNG) && bytes.length >= 24) {
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (begins(GIF) && bytes.length >= 10) {
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (begins(BMP) && bytes.length >= 26) {
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
  }
  return begins(JPEG) ? readFrame(view) : null;
}

/** The size in the first frame header of a JPEG (SOF0 to SOF15 except DHT, JPG and DAC). */
function readFrame(view: DataView): ImageSize | null {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}
