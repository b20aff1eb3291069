import * as texts from '#messages/service/cli.ts';
import type * as z from 'zod';
import { ConfigError, named } from './setting-names.ts';
import type { oidcSchema } from './settings-schemas.ts';

/** The sign-in provider (docs/interface/administration.md, section 8). */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** undefined: a public client */
  readonly clientSecret: string | undefined;
  /** separated by spaces; includes `openid` */
  readonly scopes: string;
  /** the provider's display name: on the sign-in page, and as `signInBy` of users */
  readonly name: string;
  /** the claim that provides the username at a first sign-in */
  readonly usernameClaim: string;
  readonly groupsClaim: string;
  /** maps the provider's groups to ours; undefined: sign-ins change no groups */
  readonly groupMap: ReadonlyMap<string, readonly string[]> | undefined;
  /** the ID token must have one of the values for each of these claims */
  readonly requiredClaims: ReadonlyMap<string, readonly string[]>;
  /** whether users are created at their first sign-in */
  readonly createUsers: boolean;
  /** whether signing out also signs out at the provider */
  readonly signOut: boolean;
  /** whether logout tokens without the type `logout+jwt` are refused */
  readonly typedLogout: boolean;
  /** the origin at which browsers reach the service */
  readonly publicUrl: string;
}

/**
 * The provider of the settings; null: not configured.
 * @throws {ConfigError} if the issuer is set without the client's id or the public address
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
    typedLogout: settings.oidcTypedLogout,
    publicUrl,
  };
}

/** The issuer as stored with identities, without a trailing slash. */
export function identityIssuer(issuer: string): string {
  return issuer.replace(/\/+$/, '');
}
