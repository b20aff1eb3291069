import { fold } from '../values/fold.ts';
import { MAX_NAME_LENGTH, nameKey } from './names.ts';

/** Names that no field may have. */
const RESERVED: readonly string[] = ['jrid'];

/**
 * A name of a field, archive or table for a text that people wrote (docs/interface/decisions.md, section 1):
 * `Gültig bis` becomes `GULTIG_BIS`.
 * @param fallback the name for a text without letters
 */
export function nameFor(text: string, fallback: string): string {
  const plain = fold(text)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase();
  const name = /^[A-Z]/.test(plain) ? plain : plain === '' ? fallback : `${fallback}_${plain}`;
  return name.slice(0, MAX_NAME_LENGTH).replace(/_+$/, '');
}

/** The name, numbered if it is taken. @param taken keys of names; the result is added */
export function uniqueName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(nameKey(free)) || RESERVED.includes(nameKey(free)); n += 1) {
    const end = `_${n}`;
    free = name.slice(0, MAX_NAME_LENGTH - end.length) + end;
  }
  taken.add(nameKey(free));
  return free;
}
