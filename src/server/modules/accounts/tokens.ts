import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token, so that the database contains no valid token. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
