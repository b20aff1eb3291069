import { formatCount, formatNumber } from '#shared/messages/format.ts';

/** A size in bytes as text: `812 bytes`, `14 KB`, `3.2 MB`, `1.5 GB` (decimal units). */
export function byteSizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${formatCount(Math.round(bytes / 1000))} KB`;
  if (bytes < 1_000_000_000) return `${formatNumber(bytes / 1_000_000, 1)} MB`;
  return `${formatNumber(bytes / 1_000_000_000, 1)} GB`;
}
