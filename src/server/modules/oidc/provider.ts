import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type Configuration,
} from 'openid-client';
import type { OidcSettings } from '#server/settings/oidc-settings.ts';
import { areComplete, personOf, requireClaims, type ProviderPerson } from './claims.ts';
import { CLOCK_TOLERANCE, openLogoutTokens, type Logout } from './logout-token.ts';
import { providerError } from './provider-errors.ts';
import type { SignInState } from './sign-in-state.ts';

/** Time limit for one answer of the provider, in seconds. */
const TIMEOUT = 10;
/** The minimum interval of discovery, because unauthenticated requests can trigger it, in milliseconds. */
const MIN_DISCOVERY_INTERVAL = 1_000;

/** The result of a sign-in at the provider. */
interface ProviderSignIn {
  readonly person: ProviderPerson;
  readonly idToken: string;
}

/** The sign-in provider. */
export interface Provider {
  readonly settings: OidcSettings;
  /** Starts a sign-in. @param next where to continue: a path of this service */
  newSignIn(next: string): SignInState;
  /** The address for signing in. @throws {ApiError} 503 while the provider cannot be reached */
  authorizationUrl(state: SignInState): Promise<URL>;
  /**
   * Redeems the code that the browser has brought from the provider, once.
   * @param search of the address to which the provider has sent the browser
   * @throws {ApiError} if the code, the ID token or the answer is invalid, or the provider cannot be reached
   */
  redeem(search: string, state: SignInState): Promise<ProviderSignIn>;
  /**
   * The address for signing out at the provider, which then returns to `signedOutUrl`.
   * @param idToken of the session; undefined: the provider asks the user whether to sign out
   * @returns null if the provider has no such page
   * @throws {ApiError} 503 while the provider cannot be reached
   */
  signOutUrl(idToken: string | undefined): Promise<URL | null>;
  /** where the browser goes after signing out */
  readonly signedOutUrl: string;
  /**
   * The request of a logout token.
   * @throws {ApiError} 400 if it is not valid; 503 while the provider cannot be reached
   */
  readonly readLogoutToken: (token: string) => Promise<Logout>;
}

/**
 * @param callbackUrl to which the provider sends the browser
 * @param warn writes the cause of a failure to the log
 */
export function openProvider(
  settings: OidcSettings,
  callbackUrl: string,
  warn: (error: unknown) => void,
): Provider {
  const signedOutUrl = `${settings.publicUrl}/sign-in`;
  const acr = settings.requiredClaims.get('acr');
  const discover = discoveryOf(settings);

  const translated = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      warn(error);
      throw providerError(error, settings.name);
    }
  };

  return {
    settings,
    newSignIn: (next) => ({
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      next,
    }),
    authorizationUrl: ({ state, nonce, verifier }) =>
      translated(async () =>
        buildAuthorizationUrl(await discover(), {
          redirect_uri: callbackUrl,
          scope: settings.scopes,
          response_type: 'code',
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
          ...(acr === undefined ? {} : { acr_values: acr.join(' ') }),
        }),
      ),
    redeem: (search, state) =>
      translated(async () => {
        const url = new URL(callbackUrl);
        url.search = search;
        return redeemCode(await discover(), settings, url, state);
      }),
    signOutUrl: (idToken) =>
      translated(async () => {
        const configuration = await discover();
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
        return buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: signedOutUrl,
          ...(idToken === undefined ? {} : { id_token_hint: idToken }),
        });
      }),
    signedOutUrl,
    readLogoutToken: openLogoutTokens(settings, () =>
      translated(async () => (await discover()).serverMetadata()),
    ),
  };
}

/** Reads the provider's metadata. It is read for each sign-in, so that an unreachable provider is detected in time. */
function discoveryOf({
  issuer,
  clientId,
  clientSecret,
}: OidcSettings): () => Promise<Configuration> {
  const authentication = authenticationOf(clientSecret);
  const isPlain = new URL(issuer).protocol === 'http:';
  const options = {
    timeout: TIMEOUT,
    execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
  };
  let newest: Promise<Configuration> | null = null;
  let discoveredAt = 0;
  return () => {
    if (newest && Date.now() - discoveredAt < MIN_DISCOVERY_INTERVAL) return newest;
    discoveredAt = Date.now();
    const metadata = { [clockTolerance]: CLOCK_TOLERANCE };
    newest = discovery(new URL(issuer), clientId, metadata, authentication, options);
    return newest;
  };
}

/** @param url the callback with the code, as the browser has requested it */
async function redeemCode(
  configuration: Configuration,
  settings: OidcSettings,
  url: URL,
  { state, nonce, verifier }: SignInState,
): Promise<ProviderSignIn> {
  const tokens = await authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims() ?? { sub: '' };
  requireClaims(claims, settings);
  const isEnough =
    areComplete(claims, settings) || configuration.serverMetadata().userinfo_endpoint === undefined;
  const more = isEnough ? {} : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  const person = personOf({ ...more, ...claims }, settings);
  return { person, idToken: tokens.id_token ?? '' };
}

/** With `client_secret_basic`, the standard, unless the provider lists its methods without it. */
function authenticationOf(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_basic') ? basic : post;
    return method(server, client, body, headers);
  };
}
