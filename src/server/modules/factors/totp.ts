import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Indexdesk';
const PERIOD = 30;
const SECRET_BYTES = 20;
/** A code is accepted one step early or late (RFC 6238, section 5.2). */
const WINDOW = 1;

/** A new secret, in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: string, username: string): string {
  return new TOTP({ issuer: ISSUER, label: username, secret, period: PERIOD }).toString();
}

/**
 * The time step of a code (RFC 6238).
 * @returns null if it is not a code of the present, the last or the next step
 */
export function stepOfCode(secret: string, code: string): number | null {
  const totp = new TOTP({ secret, period: PERIOD });
  const timestamp = Date.now();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
