import { createHmac, randomBytes } from 'node:crypto';
import { nameKey } from '#shared/rules/names.ts';

/** Digests of unknown account names for the log; equal for equal names during the life of the process. */
export class AccountDigests {
  /** Secret, so that readers of the log cannot test names against it. */
  readonly #key = randomBytes(32);

  of(username: string): string {
    return createHmac('sha256', this.#key)
      .update(nameKey(username))
      .digest('base64url')
      .slice(0, 16);
  }
}
