import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  COMMON_PASSWORDS_FILE,
  isCommonPassword,
} from '#server/modules/passwords/common-passwords.ts';
import { commonPasswordDigests, commonPasswordKeys } from '../../../scripts/common-passwords.ts';

it('are more than 100,000, in the file that the script writes', { tags: ['long'] }, async () => {
  expect(commonPasswordKeys().size).toBeGreaterThan(100_000);
  const file = await readFile(COMMON_PASSWORDS_FILE);
  // `node scripts/common-passwords.ts` writes it again.
  expect(file.equals(commonPasswordDigests())).toBe(true);
});

it('are all found, the first and the last of the file, too', async () => {
  const keys = [...commonPasswordKeys()].filter((_, i) => i % 50 === 0);
  const missed: string[] = [];
  for (const key of keys) if (!(await isCommonPassword(`${key}2027!`))) missed.push(key);
  // Digits alone are compared as a whole.
  expect(missed.filter((key) => /\p{L}/u.test(key))).toEqual([]);
  for (const key of missed) expect([key, await isCommonPassword(key)]).toEqual([key, true]);
});

it('are not found in phrases', async () => {
  for (const password of ['nine otters under the bridge', 'Xv7#mQ2p!Lz', 'fahrrad schmetterling']) {
    expect([password, await isCommonPassword(password)]).toEqual([password, false]);
  }
});
