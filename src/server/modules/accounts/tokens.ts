import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The form in which a token is stored: what is read from the database opens nothing. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
