import { accountPaths } from './account-paths.ts';
import { administrationAnswers } from './load-answer-schemas.ts';
import { signByPasskey } from './browser-passkeys.ts';
import { request } from './request.ts';

/** The challenge that a passkey signs. */
export interface PasskeyPrompt {
  readonly challenge: string;
  /** for the browser; undefined: the user has no passkey */
  readonly publicKey?: unknown;
}

/**
 * Proves the user's identity with a passkey. @param prompt that of the step after a password; without it one for
 * signing in by a passkey alone
 * @throws {DOMException} if the user cancels, or has no passkey for this service
 */
export async function proveByPasskey(prompt?: PasskeyPrompt) {
  const { challenge, publicKey } = prompt ?? (await readPasskeyPrompt());
  return { challenge, assertion: await signByPasskey(publicKey) };
}

async function readPasskeyPrompt(): Promise<PasskeyPrompt> {
  const { data } = await request(accountPaths.challenges(), {
    method: 'POST',
    gate: false,
    parse: async (raw) => (await administrationAnswers()).passkeyChallengeAnswer.parse(raw),
  });
  return data;
}
