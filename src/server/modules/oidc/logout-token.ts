import * as texts from '#messages/service/oidc.ts';
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { ServerMetadata } from 'openid-client';
import * as z from 'zod';
import { ApiError } from '#shared/contract/errors.ts';
import type { OidcSettings } from '#server/settings/oidc-settings.ts';

/** How far the clocks of the provider and of the service may differ, in seconds. */
export const CLOCK_TOLERANCE = 60;

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Older tokens are refused, in seconds. */
const MAX_AGE = 10 * 60;
/** Time limit for reading the provider's keys, in milliseconds. */
const KEYS_TIMEOUT = 10_000;
/** Asymmetric signatures, which only the provider can make; for the others this service has the key too. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

const claimsSchema = z
  .object({
    jti: z.string().min(1),
    iat: z.number(),
    exp: z.number().optional(),
    sub: z.string().min(1).optional(),
    sid: z.string().min(1).optional(),
    events: z.object({ [EVENT]: z.record(z.string(), z.unknown()) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, texts.logoutToken.noSubject);

/** A provider's request to end sessions. */
export interface Logout {
  /** undefined: the owner of the session `sid` */
  readonly subject: string | undefined;
  /** undefined: all sessions of the subject */
  readonly sid: string | undefined;
  /** the id that must not be accepted twice … */
  readonly id: string;
  /** … until this time, in milliseconds since 1970 UTC */
  readonly expiresAt: number;
}

/**
 * Reads logout tokens of a provider (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6).
 * @param readMetadata of the provider
 */
export function openLogoutTokens(
  settings: OidcSettings,
  readMetadata: () => Promise<ServerMetadata>,
): (token: string) => Promise<Logout> {
  const keys = new Map<string, JWTVerifyGetKey>();

  /** The provider's keys, refreshed when a token names an unknown one. */
  const keysOf = (address: string): JWTVerifyGetKey => {
    const known = keys.get(address);
    if (known) return known;
    const read = createRemoteJWKSet(new URL(address), { timeoutDuration: KEYS_TIMEOUT });
    keys.set(address, read);
    return read;
  };

  /** @throws {ApiError} 400 if the token is not valid; 503 while the provider cannot be reached */
  return async (token) => {
    const { issuer, jwks_uri: address } = await readMetadata();
    if (address === undefined) throw invalid(texts.logoutToken.noKeys);
    const claims = await verify(token, keysOf(address), issuer, settings);
    const { jti, sub, sid, exp, iat } = claims;
    const end = Math.max(exp ?? 0, iat + MAX_AGE) + CLOCK_TOLERANCE;
    return { subject: sub, sid, id: JSON.stringify([issuer, jti]), expiresAt: end * 1000 };
  };
}

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  issuer: string,
  { clientId: audience, typedLogout }: OidcSettings,
) {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      maxTokenAge: MAX_AGE,
      requiredClaims: ['jti', 'events'],
    });
    const { typ } = protectedHeader;
    // Some providers send no type (Back-Channel Logout 1.0, section 4): the claims then identify the token.
    const isTyped = typ !== undefined || typedLogout;
    if (isTyped && !/^(?:application\/)?logout\+jwt$/i.test(typ ?? '')) {
      throw invalid(texts.logoutToken.otherType);
    }
    const read = claimsSchema.safeParse(payload);
    if (!read.success) throw invalid(read.error.issues.map(({ message }) => message).join(', '));
    return read.data;
  } catch (error) {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) {
      throw invalid(error.message);
    }
    throw error;
  }
}

function invalid(reason: string): ApiError {
  return new ApiError('malformed', texts.logoutTokenInvalid({ reason }));
}
