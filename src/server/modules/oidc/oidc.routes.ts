import * as texts from '#messages/service/oidc.ts';
import * as z from 'zod';
import type { Database } from '#server/database/database.ts';
import { BASE } from '#server/http/paths.ts';
import { sessionCookieName } from '#server/http/session.ts';
import { definePublicRoute, type AnyRoute, type PublicRequest } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Refusals } from '../history/refusals.ts';
import { recordRefusedSignIn } from '../accounts/refused-sign-in.ts';
import { signInCookies } from '../accounts/sign-in-cookies.ts';
import { endProviderSessions } from '../accounts/session-ends.service.ts';
import type { Sessions } from '../accounts/sessions.service.ts';
import type { User } from '../accounts/users.service.ts';
import type { Provider } from './provider.ts';
import { identityIssuer } from '#server/settings/oidc-settings.ts';
import { signInPerson } from './provider-sign-in.service.ts';
import { readCookieKeys } from './sealed-cookies.ts';
import { clearedHintCookie, hintCookie, readHint } from './sign-out-hint.ts';
import {
  clearedStateCookie,
  readSignInState,
  STATE_LIFE,
  stateCookies,
  type SignInState,
} from './sign-in-state.ts';
import { useOnce } from './used-tokens.store.ts';

export const CALLBACK = 'application/oidc/callback';
const PATH = `${BASE}application/oidc`;

/** A cookie has at most 4096 bytes. */
const MAX_NEXT_LENGTH = 2_000;

interface Parts {
  readonly sessions: Sessions;
  readonly refusals: Refusals;
  /** null: not configured */
  readonly provider: Provider | null;
}

/** Signing in with the provider, and its sign-outs (docs/interface/administration.md, section 8). */
export function oidcRoutes(parts: Parts): AnyRoute[] {
  return [
    startRoute(parts),
    callbackRoute(parts),
    signOutRoute(parts),
    backchannelLogoutRoute(parts),
  ];
}

function startRoute({ provider }: Pick<Parts, 'provider'>): AnyRoute {
  return definePublicRoute({
    method: 'GET',
    path: 'application/oidc/start',
    summary: 'Sign in with the provider',
    description:
      'Redirects the browser to the provider. A short-lived cookie binds the sign-in to this browser. If the request ' +
      'comes from a page of another site, the browser is redirected to `next`, which shows the sign-in screen. Errors ' +
      'are answered as pages.',
    parameters: {
      next: {
        description: 'where to continue: a path of this service; other values mean /',
        schema: { type: 'string' },
      },
    },
    answer: null,
    status: 302,
    errorPage: texts.pageTitle,
    async handle(database, { query, client }) {
      const configured = requireProvider(provider);
      const { publicUrl } = configured.settings;
      const next = localPath(valueOf(query, 'next') ?? '/', publicUrl);
      // The provider may answer without asking the user, who would then be signed in by another site (ASVS 7.6.2).
      if (client.isFromOtherSite) return { headers: { location: publicUrl + next } };
      const state = configured.newSignIn(next);
      const url = await configured.authorizationUrl(state);
      const keys = await database.read(readCookieKeys);
      const cookies = await stateCookies(keys, state, client);
      return { headers: { location: url.href, 'set-cookie': cookies } };
    },
  });
}

function callbackRoute({ sessions, refusals, provider }: Parts): AnyRoute {
  return definePublicRoute({
    method: 'GET',
    path: CALLBACK,
    summary: 'The redirect from the provider',
    description:
      'Signs in and redirects the browser to `next` of the start. A code and a state are accepted once, in the browser ' +
      'that began the sign-in. Errors are answered as pages.',
    parameters: {
      state: { description: 'the `state` of the start', schema: { type: 'string' } },
      code: { description: 'the authorization code of the provider', schema: { type: 'string' } },
      iss: { description: 'the issuer', schema: { type: 'string' } },
      error: { description: 'the reason why the provider refused', schema: { type: 'string' } },
    },
    answer: null,
    status: 302,
    errorPage: texts.pageTitle,
    async handle(database, request) {
      const configured = requireProvider(provider);
      const { client, call, query, log } = request;
      const { address } = client;
      const given = valueOf(query, 'state') ?? '';
      const keys = await database.read(readCookieKeys);
      const state = await readSignInState(keys, given, client);
      let user: User | null = null;
      try {
        if (!state) throw new ApiError('malformed', texts.stateUnknown);
        const result = await signIn(database, sessions, configured, state, request);
        user = result.user;
        if ('refusal' in result) throw result.refusal;
        const { signedIn, idToken } = result;
        log.info({ account: user?.username, address }, 'signed in');
        return {
          headers: {
            location: configured.settings.publicUrl + state.next,
            'set-cookie': [
              ...[signInCookies(signedIn, client, PATH)].flat(),
              clearedStateCookie(given, client),
              ...(configured.settings.signOut ? [await hintCookie(keys, idToken, client)] : []),
            ],
          },
        };
      } catch (error) {
        const account = { account: user?.username };
        const reason = reasonOf(error);
        recordRefusedSignIn(error, refusals, { user, address, account, call, reason, log });
        throw state ? withCookie(error, clearedStateCookie(given, client)) : error;
      }
    },
  });
}

/** Signs in the person who has returned from the provider. */
async function signIn(
  database: Database,
  sessions: Sessions,
  provider: Provider,
  state: SignInState,
  { search, client, call }: Pick<PublicRequest<null>, 'search' | 'client' | 'call'>,
) {
  const isFirst = await database.write((db) =>
    useOnce(db, 'state', state.state, Date.now() + STATE_LIFE * 1000),
  );
  if (!isFirst) return { refusal: new ApiError('malformed', texts.stateUsed), user: null };
  const { person, idToken } = await provider.redeem(search, state);
  const result = await database.write((db) =>
    signInPerson(db, sessions, provider.settings, person, { client, call }),
  );
  return { ...result, idToken };
}

function signOutRoute({ sessions, provider }: Pick<Parts, 'sessions' | 'provider'>): AnyRoute {
  return definePublicRoute({
    method: 'GET',
    path: 'application/oidc/sign-out',
    summary: 'Sign out at the provider as well',
    description:
      'Redirects the browser to the provider, which signs the user out and redirects back to the sign-in screen. Only ' +
      'for browsers without a session: a browser with a session, or a request from a page of another site, is ' +
      'redirected to the start page. Errors are answered as pages.',
    answer: null,
    status: 302,
    errorPage: texts.signOutPageTitle,
    async handle(database, { client }) {
      const configured = requireProvider(provider);
      const { settings, signedOutUrl } = configured;
      const token = client.cookies.get(sessionCookieName(client)) ?? '';
      const hasSession = (await database.read((db) => sessions.find(db, token))) !== undefined;
      // Only a user who has signed out here is signed out at the provider, and never by an address from another site.
      if (hasSession || client.isFromOtherSite)
        return { headers: { location: settings.publicUrl } };
      if (!settings.signOut) return { headers: { location: signedOutUrl } };
      const keys = await database.read(readCookieKeys);
      const url = await signOutUrlOf(configured, await readHint(keys, client));
      return {
        headers: { location: url?.href ?? signedOutUrl, 'set-cookie': clearedHintCookie(client) },
      };
    },
  });
}

function backchannelLogoutRoute({ provider }: Pick<Parts, 'provider'>): AnyRoute {
  return definePublicRoute({
    method: 'POST',
    path: 'application/oidc/backchannel-logout',
    summary: 'End sessions by a logout token of the provider',
    description: 'OpenID Connect Back-Channel Logout: the provider sends a `logout_token`.',
    body: z.looseObject({ logout_token: z.string().optional() }),
    mediaType: 'application/x-www-form-urlencoded',
    answer: null,
    status: 200,
    async handle(database, { body, client, call }) {
      const { settings, readLogoutToken } = requireProvider(provider);
      if (body.logout_token === undefined) {
        throw new ApiError('malformed', texts.logoutTokenMissing);
      }
      const { id, expiresAt, subject, sid } = await readLogoutToken(body.logout_token);
      const issuer = identityIssuer(settings.issuer);
      const { address } = client;
      const isFirst = await database.write(async (db) => {
        if (!(await useOnce(db, 'logout token', id, expiresAt))) return false;
        await endProviderSessions(db, { issuer, subject, sid }, { address, call });
        return true;
      });
      if (!isFirst) throw new ApiError('malformed', texts.logoutTokenUsed);
      return {};
    },
  });
}

/** @throws {ApiError} 404 if none is set up */
function requireProvider(provider: Provider | null): Provider {
  if (!provider) throw new ApiError('not_found', texts.noProvider);
  return provider;
}

/** @throws {ApiError} 503 with a message for the user if the provider cannot be reached */
async function signOutUrlOf(provider: Provider, idToken: string | undefined) {
  try {
    return await provider.signOutUrl(idToken);
  } catch {
    const { name } = provider.settings;
    throw new ApiError('unavailable', texts.signedOutHereOnly({ provider: name }));
  }
}

/** The name of the text with the reason, for the log and the audit. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'internal';
  return Object.values(error.messages).flat()[0]?.code ?? error.code;
}

/** The first value of a parameter. */
function valueOf(query: PublicRequest<null>['query'], name: string): string | undefined {
  return query.find(([given]) => given === name)?.[1];
}

/** A path of this service with its query; `/` for anything else, such as another site. */
function localPath(next: string, publicUrl: string): string {
  const url = next.startsWith('/') ? URL.parse(next, publicUrl) : null;
  if (!url || url.origin !== publicUrl || url.href.length > MAX_NEXT_LENGTH) return '/';
  return url.pathname + url.search + url.hash;
}

/** The error page with a cookie. */
function withCookie(error: unknown, cookie: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, messages, status, headers } = error;
  return new ApiError(code, messages, { status, headers: { ...headers, 'set-cookie': cookie } });
}
