import * as z from 'zod/mini';
import { instantSchema } from './common-schemas.ts';

const FACTOR_KINDS = ['totp', 'passkey'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

const factorSchema = z.object({
  factorId: z.string(),
  kind: z.enum(FACTOR_KINDS),
  name: z.string(),
  createdAt: instantSchema,
  lastUsedAt: z.nullable(instantSchema),
});

export type Factor = z.infer<typeof factorSchema>;

/** The options of a browser's `navigator.credentials`, as JSON (WebAuthn, section 5.1). */
const publicKeySchema = z.record(z.string(), z.unknown());

const factorsShape = {
  factors: z.array(factorSchema),
  recoveryCodesLeft: z.number(),
  /** whether the installation requires a second factor of this user */
  required: z.boolean(),
  /**
   * the name of the provider where the session began: no factors are set up for it; null: it began with a password here
   */
  provider: z.nullable(z.string()),
};

export const factorsAnswer = z.object({
  ...factorsShape,
  /** until when factors may be changed without another confirmation; null: a confirmation is required first */
  confirmedUntil: z.nullable(instantSchema),
});

export const createdFactorAnswer = z.object({
  ...factorsShape,
  /** the first step: the input of the second one */
  enrolment: z.optional(
    z.object({
      challenge: z.string(),
      /** of an authenticator app: Base32 */
      secret: z.optional(z.string()),
      /** of an authenticator app: the content of its QR code (`otpauth:`) */
      uri: z.optional(z.string()),
      /** of a passkey: for `navigator.credentials.create` */
      publicKey: z.optional(publicKeySchema),
    }),
  ),
  /** only in this answer */
  recoveryCodes: z.optional(z.array(z.string())),
});

/** For a sign-in by a passkey alone: `publicKey` is for `navigator.credentials.get`. */
export const passkeyChallengeAnswer = z.object({
  challenge: z.string(),
  publicKey: publicKeySchema,
});

/** What an answer 401 `second_factor_required` contains besides the error. */
export interface SecondFactorPrompt {
  /** the factors that the user has */
  readonly factors: FactorKind[];
  readonly challenge: string;
  /** if the user has a passkey: for `navigator.credentials.get` */
  readonly publicKey?: Record<string, unknown>;
}
