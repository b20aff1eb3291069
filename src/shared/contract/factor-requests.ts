import * as texts from '#messages/service/factors.ts';
import * as z from 'zod';
import { storableText, textSchema } from '../rules/text-schemas.ts';

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, texts.notBase64url);

const challengeSchema = base64url(1_000);

/** A code of an authenticator app, or a recovery code instead. */
const codeSchema = z.string().min(1).max(50);

// Browsers add properties over time; unused ones are ignored.
const credentialShape = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
};

/** The `toJSON()` of a browser's answer to the `publicKey` of a request (WebAuthn, AuthenticationResponseJSON). */
const assertionSchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
  }),
});
export type PasskeyAssertion = z.output<typeof assertionSchema>;

/** The `toJSON()` of a browser's answer when a passkey is created (WebAuthn, RegistrationResponseJSON). */
const attestationSchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(12_000),
    transports: z
      .array(
        z
          .string()
          .max(50)
          .regex(/^[a-z-]+$/, texts.notATransport),
      )
      .max(10)
      .optional(),
  }),
});
export type PasskeyAttestation = z.output<typeof attestationSchema>;

/** Signing in: with a password, and with the second step if the answer is 401 `second_factor_required`. */
export const signInBody = z.union([
  z.strictObject({ username: textSchema, password: textSchema }),
  z.strictObject({ challenge: challengeSchema, totp: codeSchema }),
  z.strictObject({ challenge: challengeSchema, assertion: assertionSchema }),
]);
export type SignInBody = z.output<typeof signInBody>;

/** A signed-in user proves the identity again. */
export const confirmBody = z.union([
  z.strictObject({ password: textSchema }),
  z.strictObject({ totp: codeSchema }),
  z.strictObject({ challenge: challengeSchema, assertion: assertionSchema }),
]);
export type ConfirmBody = z.output<typeof confirmBody>;

const nameSchema = storableText(100).min(1);

/** A new factor, in two steps: without `challenge` the service answers with the input of the second step. */
export const createFactorBody = z.strictObject({
  factor: z.union([
    z.strictObject({ kind: z.literal('totp') }),
    z.strictObject({
      kind: z.literal('totp'),
      name: nameSchema.optional(),
      challenge: challengeSchema,
      totp: codeSchema,
    }),
    z.strictObject({ kind: z.literal('passkey') }),
    z.strictObject({
      kind: z.literal('passkey'),
      name: nameSchema.optional(),
      challenge: challengeSchema,
      attestation: attestationSchema,
    }),
    z.strictObject({ kind: z.literal('recoveryCodes') }),
  ]),
});

/** Body of PATCH application/users/:username/factors/:factorId. */
export const renameFactorBody = z.strictObject({ factor: z.strictObject({ name: nameSchema }) });

export type NewFactor = z.output<typeof createFactorBody>['factor'];
