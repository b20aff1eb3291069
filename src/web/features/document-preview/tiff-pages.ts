import utif, { type IFD } from 'utif2';
import { checkPixels, limitDirectories } from './tiff-limits.ts';

// It is a CommonJS module.
const { decode, decodeImage, toRGBA8 } = utif;

/** A page of a TIFF in its own pixels, with its resolution in dots per inch. */
export interface TiffPage {
  readonly width: number;
  readonly height: number;
  readonly dotsX: number;
  readonly dotsY: number;
}

/** The pages of a TIFF, without embedded previews. */
export interface TiffPages {
  readonly pages: readonly TiffPage[];
  /** The pixels of a page (from 0), four bytes each. @throws {TiffTooLarge} @throws {Error} if they cannot be decoded */
  rgba(page: number): Uint8ClampedArray<ArrayBuffer>;
}

/**
 * @param file is modified: see `limitDirectories`
 * @throws {TiffTooLarge} if it claims to be larger than can be displayed
 * @throws {Error} if it is not a TIFF
 */
export function readTiff(file: ArrayBuffer): TiffPages {
  limitDirectories(file);
  const ifds = decode(file).filter((ifd) => first(ifd, 't256') > 0 && first(ifd, 't257') > 0);
  const full = ifds.filter((ifd) => (first(ifd, 't254') & 1) === 0);
  const shown = full.length > 0 ? full : ifds;
  if (shown.length === 0) throw new Error('It holds no page.');
  return {
    pages: shown.map((ifd) => {
      const perInch = first(ifd, 't296') === 3 ? 2.54 : 1;
      return {
        width: first(ifd, 't256'),
        height: first(ifd, 't257'),
        dotsX: (first(ifd, 't282') || 96) * perInch,
        dotsY: (first(ifd, 't283') || 96) * perInch,
      };
    }),
    rgba(page) {
      const ifd = shown[page];
      if (!ifd) throw new RangeError(`There is no page ${page}.`);
      const bitsPerPixel = (first(ifd, 't258') || 1) * (first(ifd, 't277') || 1);
      checkPixels(first(ifd, 't256'), first(ifd, 't257'), bitsPerPixel);
      decodeImage(file, ifd);
      const rgba = new Uint8ClampedArray(toRGBA8(ifd));
      if (rgba.length !== ifd.width * ifd.height * 4) throw new Error('Pixels are missing.');
      // Decoded pages are not stored twice.
      ifd.data = new Uint8Array(0);
      return rgba;
    },
  };
}

function first(ifd: IFD, tag: string): number {
  const value = ifd[tag];
  if (value === undefined || typeof value === 'number') return value ?? 0;
  return Number(value[0] ?? 0) || 0;
}
