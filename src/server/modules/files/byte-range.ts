import type { ByteRange } from './file-store.ts';

/**
 * What a `Range` header asks for (RFC 9110, section 14.2): `whole` where there is none, it is of a form not
 * served here (several ranges, another unit) or cannot be understood; `unsatisfiable` where it begins behind
 * the end.
 * @param size bytes of the file
 */
export function readRange(header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header ?? '');
  if (!match) return 'whole';
  const [, from = '', to = ''] = match;
  if (from === '') {
    if (to === '') return 'whole';
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first < size ? { first, last } : 'unsatisfiable';
}
