import * as texts from '#messages/sizes.ts';
import { formatCount, formatNumber } from '#shared/messages/format.ts';

/** A size in bytes as text: `812 bytes`, `14 KB`, `3.2 MB`, `1.5 GB` (decimal units). */
export function byteSizeText(bytes: number): string {
  if (bytes < 1000) return texts.bytes(bytes);
  if (bytes < 1_000_000) return texts.kilobytes(formatCount(Math.round(bytes / 1000)));
  if (bytes < 1_000_000_000) return texts.megabytes(formatNumber(bytes / 1_000_000, 1));
  return texts.gigabytes(formatNumber(bytes / 1_000_000_000, 1));
}
