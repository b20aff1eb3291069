import { fold } from '#shared/values/fold.ts';
import { nameKey } from '#shared/rules/names.ts';

const MAX_NAME = 63;
const MAX_LABEL = 200;

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
  return name.slice(0, MAX_NAME).replace(/_+$/, '');
}

/** The name, numbered if it is taken. @param taken keys of names; the result is added */
export function uniqueName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(nameKey(free)) || RESERVED.includes(nameKey(free)); n += 1) {
    const end = `_${n}`;
    free = name.slice(0, MAX_NAME - end.length) + end;
  }
  taken.add(nameKey(free));
  return free;
}

/** The label of a field for the header of its column. */
export function labelFor(header: string, fallback: string): string {
  const label = header.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LABEL).toWellFormed();
  return label === '' ? fallback : label;
}

/** The title of an archive or table for the name of a file: `open_contracts-2026.csv` becomes `Open contracts 2026`. */
export function titleFor(fileName: string): string {
  const words = fileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replaceAll(/[_\-.\s]+/g, ' ')
    .trim();
  return labelFor(words.slice(0, 1).toUpperCase() + words.slice(1), '');
}
