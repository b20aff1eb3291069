import { randomBytes, randomInt } from 'node:crypto';
import { slowDigest } from '../passwords/passwords.service.ts';

const CODES = 10;
const LENGTH = 10;
/** Crockford's Base32, without letters that look similar. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

export interface NewRecoveryCodes {
  /** for the user, once */
  readonly codes: readonly string[];
  readonly salt: string;
  readonly digests: readonly string[];
}

export async function newRecoveryCodes(): Promise<NewRecoveryCodes> {
  const salt = randomBytes(16);
  const codes = new Set<string>();
  while (codes.size < CODES) codes.add(newCode());
  const digests: string[] = [];
  for (const code of codes) digests.push(await slowDigest(Buffer.from(code), salt));
  return {
    codes: [...codes].map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`),
    salt: salt.toString('base64'),
    digests,
  };
}

function newCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** Normalizes a typed code for digesting; null: invalid. */
export function readRecoveryCode(typed: string): string | null {
  const code = typed
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/** The stored form of a code; slow, because a code has only 50 bits. */
export function digestRecoveryCode(code: string, salt: string): Promise<string> {
  return slowDigest(Buffer.from(code), Buffer.from(salt, 'base64'));
}
