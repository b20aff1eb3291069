import { randomBytes } from 'node:crypto';

/** 5 bits each: 130 bits. */
const LENGTH = 26;

/** A random password without letters that look similar. */
export function generatePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789';
  return [...randomBytes(LENGTH)].map((byte) => letters[byte % letters.length]).join('');
}
