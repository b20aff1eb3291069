import type { PasskeyPrompt } from '#web/api/passkey-proof.ts';

/** The second step of a sign-in. */
export interface SecondStep extends PasskeyPrompt {
  /** whether the user has an authenticator app */
  readonly hasApp: boolean;
}

/** Parses the body of `second_factor_required`. By hand, because the sign-in screen does not load the schema library. */
export function readSecondStep(body: unknown): SecondStep {
  const { challenge, factors, publicKey }: Readonly<Record<string, unknown>> = Object(body);
  return {
    challenge: String(challenge),
    publicKey,
    hasApp: Array.isArray(factors) && factors.includes('totp'),
  };
}
