import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fold } from '#shared/values/fold.ts';

/**
 * Digests of the keys of common passwords, ascending, each of `DIGEST_BYTES`. `scripts/common-passwords.ts` writes the file
 * and names its sources.
 */
export const COMMON_PASSWORDS_FILE = join(import.meta.dirname, 'common-passwords.bin');

/** With 40 bits, one of ten million other passwords counts as common by coincidence. */
const DIGEST_BYTES = 5;

let loading: Promise<Buffer> | undefined;

/**
 * Whether a password is common: it is compared after folding, and without digits and punctuation at the end
 * (docs/interface/decisions.md, section 2). Repetitions of a character or a short piece, and sequences such as
 * `9876543210`, count as common, too.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const folded = fold(password);
  const piece = /^(.+?)\1+$/su.exec(folded)?.[1];
  if ((piece !== undefined && piece.length <= 3) || isRun(folded)) return true;
  const digests = await (loading ??= readFile(COMMON_PASSWORDS_FILE));
  return [folded, piece ?? folded].some((text) => includes(digests, commonPasswordDigest(text)));
}

/**
 * The form in which passwords are compared: the folded text without digits and punctuation at its end. A password without
 * letters is not shortened.
 */
export function passwordKey(password: string): string {
  const folded = fold(password);
  return folded.replace(/[^\p{L}]+$/u, '') || folded;
}

/** The digest of a password's key, as stored in the file. */
export function commonPasswordDigest(password: string): Buffer {
  return hash('sha256', passwordKey(password), 'buffer').subarray(0, DIGEST_BYTES);
}

/** Whether the ascending digests contain this one. */
function includes(digests: Buffer, wanted: Buffer): boolean {
  let [low, high] = [0, digests.length / DIGEST_BYTES];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const start = middle * DIGEST_BYTES;
    const order = wanted.compare(digests, start, start + DIGEST_BYTES);
    if (order === 0) return true;
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Whether each character is the successor (or predecessor) of the previous one: `abcdefghijkl`, `9876543210`. */
function isRun(text: string): boolean {
  for (const step of [1, -1]) {
    let run = true;
    for (let i = 1; run && i < text.length; i++) {
      run = text.charCodeAt(i) - text.charCodeAt(i - 1) === step;
    }
    if (run) return true;
  }
  return false;
}
