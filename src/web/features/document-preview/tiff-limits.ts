/** Larger ones would use all memory: a forged file of a few bytes can claim any size. */
const MAX_PIXELS = 150_000_000;
/** Maximum bytes that a decoder may use for a page: those of 150 million pixels, as for its rendering. */
const MAX_BYTES = 4 * MAX_PIXELS;
export const MAX_TIFF_PAGES = 10_000;
/** For all directories together. Whole pages of a scanner list some thousands of strips. */
const MAX_VALUES = 10_000_000;

/** Tags that refer to further directories (Exif, GPS, previews, maker notes), which no page needs. */
const NESTED_TAGS = new Set([330, 34_665, 34_853, 37_500, 50_740, 61_440]);
/** A tag that is ignored. */
const UNUSED_TAG = 65_000;
/** BYTE and UNDEFINED, whose values are read in place. */
const TYPES_IN_PLACE = new Set([1, 7]);

/** A TIFF claims more than can be displayed. */
export class TiffTooLarge extends Error {
  readonly of: 'pixels' | 'pages';

  constructor(of: 'pixels' | 'pages') {
    super();
    this.of = of;
  }
}

/** @throws {TiffTooLarge} before a page is decoded that needs too much memory */
export function checkPixels(width: number, height: number, bitsPerPixel: number): void {
  const pixels = width * height;
  if (pixels > MAX_PIXELS || (pixels * bitsPerPixel) / 8 > MAX_BYTES)
    throw new TiffTooLarge('pixels');
}

/**
 * Limits the cost of reading the directories of a TIFF (TIFF 6.0, section 2): their chain may be circular, and an entry
 * of twelve bytes may claim billions of values. Entries that refer to further directories are disabled in the file.
 * @throws {TiffTooLarge} if there are more pages than can be displayed
 * @throws {Error} if it claims more values than any document has
 */
export function limitDirectories(file: ArrayBuffer): void {
  const view = new DataView(file);
  const isLittleEndian = view.getUint16(0) === 0x4949;
  const ushort = (at: number) => view.getUint16(at, isLittleEndian);
  const uint = (at: number) => (at + 4 <= file.byteLength ? view.getUint32(at, isLittleEndian) : 0);
  let directories = 0;
  let values = 0;
  for (let at = uint(4); at !== 0 && at + 2 <= file.byteLength;) {
    directories += 1;
    if (directories > MAX_TIFF_PAGES) throw new TiffTooLarge('pages');
    const end = at + 2 + ushort(at) * 12;
    for (let entry = at + 2; entry + 12 <= Math.min(end, file.byteLength); entry += 12) {
      if (NESTED_TAGS.has(ushort(entry))) view.setUint16(entry, UNUSED_TAG, isLittleEndian);
      if (!TYPES_IN_PLACE.has(ushort(entry + 2))) values += uint(entry + 4);
      if (values > MAX_VALUES) throw new Error('It claims too many values.');
    }
    at = uint(end);
  }
}
