import * as texts from '#messages/service/cli.ts';
import type * as z from 'zod';
import { ConfigError, named } from './setting-names.ts';
import type { oidcSchema } from './settings-schemas.ts';

/** The provider with which people sign in (docs/interface/administration.md, section 8). */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: a public client */
  readonly clientSecret: string | undefined;
  /** divided by blanks; `openid` is one of them */
  readonly scopes: string;
  /** as people call the provider: on the sign-in page, and as `signInBy` of users */
  readonly name: string;
  /** the claim that names a person who signs in for the first time */
  readonly usernameClaim: string;
  readonly groupsClaim: string;
  /** from the provider's groups to names of ours; undefined: sign-ins change no groups */
  readonly groupMap: ReadonlyMap<string, readonly string[]> | undefined;
  /** of each of these claims the ID token must hold one of the values */
  readonly requiredClaims: ReadonlyMap<string, readonly string[]>;
  /** whether people are made at their first sign-in */
  readonly createUsers: boolean;
  /** whether who signs out here is signed out at the provider as well */
  readonly signOut: boolean;
  /** the origin at which browsers reach the service */
  readonly publicUrl: string;
}

/**
 * The provider of the settings; null: none is set.
 * @throws {ConfigError} where the issuer is set and the client's id or the public address is not
 */
export function oidcOf(
  settings: z.output<typeof oidcSchema>,
  publicUrl: string | undefined,
): OidcSettings | null {
  const { oidcIssuer: issuer, oidcClientId: clientId } = settings;
  if (issuer === undefined) return null;
  if (clientId === undefined || publicUrl === undefined) {
    throw new ConfigError(
      texts.providerNeeds({
        oidcIssuer: named('oidcIssuer'),
        oidcClientId: named('oidcClientId'),
        publicUrl: named('publicUrl'),
      }),
    );
  }
  return {
    issuer,
    clientId,
    clientSecret: settings.oidcClientSecret,
    scopes: settings.oidcScopes,
    name: settings.oidcName ?? new URL(issuer).host,
    usernameClaim: settings.oidcUsernameClaim,
    groupsClaim: settings.oidcGroupsClaim,
    groupMap: settings.oidcGroupMap,
    requiredClaims: settings.oidcRequiredClaims ?? new Map(),
    createUsers: settings.oidcCreateUsers,
    signOut: settings.oidcSignOut,
    publicUrl,
  };
}

/** The issuer as identities store it: with and without a slash at the end it is the same provider. */
export function identityIssuer(issuer: string): string {
  return issuer.replace(/\/+$/, '');
}
