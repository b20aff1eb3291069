import { createHmac, randomBytes } from 'node:crypto';
import { nameKey } from '#shared/names.ts';

/** Digests under which the log names accounts that do not exist; equal for equal names while the process lasts. */
export class AccountDigests {
  /** Of the process alone, so that nobody who reads the log can try what was typed. */
  readonly #key = randomBytes(32);

  of(username: string): string {
    return createHmac('sha256', this.#key)
      .update(nameKey(username))
      .digest('base64url')
      .slice(0, 16);
  }
}
