import type { OidcSettings } from '#server/settings/oidc-settings.ts';
import type { TestClient } from './app.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { Provider, type KoaContextWithOIDC } from 'oidc-provider';

export const CLIENT_ID = 'indexdesk';
const CLIENT_SECRET = 'secret of Indexdesk at the provider';
export const GROUPS_CLAIM = 'groups';

/** What the provider knows of a person, beside the subject. */
type PersonClaims = Readonly<Record<string, unknown>>;

export interface TestProvider {
  readonly issuer: string;
  /** of the service */
  readonly clientId: string;
  readonly clientSecret: string;
  /** the claims of its people, by subject; changed at any time */
  readonly people: Map<string, PersonClaims>;
  /** changes the claims of each ID token, which is then signed again; null: they stay */
  alterIdToken: ((claims: JWTPayload) => JWTPayload) | null;
  /** whether ID tokens are signed with another key than the provider's */
  isForging: boolean;
  /** signs a token as the provider does, or with another key */
  sign(
    claims: JWTPayload,
    options?: { readonly isForged?: boolean; readonly typ?: string },
  ): Promise<string>;
  /** Ends the provider's session of a person, and tells the service by back-channel logout. */
  signOut(subject: string): Promise<void>;
  close(): Promise<void>;
}

/** Of all providers of this process: making one takes longer than a sign-in. */
let keys: ReturnType<typeof makeKeys> | undefined;

async function makeKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, forger: await generateKeyPair('RS256') };
}

/**
 * An OpenID Connect provider on the loopback address, in this process. People sign in with their subject and any password.
 * @param publicUrl the origin of the service that is its client
 */
export async function startProvider(publicUrl: string, port = 0): Promise<TestProvider> {
  const { privateKey, forger } = await (keys ??= makeKeys());
  const key = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  const people = new Map<string, PersonClaims>();
  /** the newest session of each person */
  const sids = new Map<string, string>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual }: AddressInfo = Object(server.address());
  const issuer = `http://127.0.0.1:${actual}`;
  const calls = `${publicUrl}/api/rest/v2/application/oidc`;
  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    cookies: { keys: ['a key of a test'] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${calls}/callback`],
        post_logout_redirect_uris: [`${publicUrl}/sign-in`],
        backchannel_logout_uri: `${calls}/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    pkce: { required: () => true },
    claims: {
      openid: ['sub', 'sid'],
      profile: ['preferred_username', 'name'],
      email: ['email'],
      groups: [GROUPS_CLAIM, '_claim_names', 'hasgroups'],
    },
    scopes: ['openid', 'profile', 'email', 'groups'],
    findAccount: (_context, accountId) =>
      people.has(accountId)
        ? { accountId, claims: async () => ({ sub: accountId, ...people.get(accountId) }) }
        : undefined,
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    // By its own dispatcher it calls no service on the loopback address.
    fetch: (url, options) => fetch(url, Object.assign({}, options, { dispatcher: undefined })),
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }: KoaContextWithOIDC) => {
      const grant = new oidc.provider.Grant({
        clientId: CLIENT_ID,
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  });
  const sign: TestProvider['sign'] = (claims, { isForged = false, typ } = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'test', ...(typ === undefined ? {} : { typ }) })
      .sign(isForged ? forger.privateKey : privateKey);
  const started: TestProvider = {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    people,
    alterIdToken: null,
    isForging: false,
    sign,
    async signOut(subject) {
      const client = await provider.Client.find(CLIENT_ID);
      const sid = sids.get(subject);
      if (!client || sid === undefined) throw new Error(`${subject} is not signed in.`);
      const logout: unknown = Reflect.get(client, 'backchannelLogout');
      if (typeof logout !== 'function') throw new Error('The provider has no back-channel logout.');
      await Reflect.apply(logout, client, [subject, sid]);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  provider.use(async (context, next) => {
    await next();
    const body: unknown = context.body;
    const token: unknown = typeof body === 'object' && body && Reflect.get(body, 'id_token');
    if (typeof token !== 'string') return;
    const { sub = '', sid } = decodeJwt(token);
    if (typeof sid === 'string') sids.set(sub, sid);
    const { alterIdToken, isForging } = started;
    if (alterIdToken === null && !isForging) return;
    const claims = decodeJwt(token);
    const altered = alterIdToken ? alterIdToken(claims) : claims;
    context.body = { ...Object(body), id_token: await sign(altered, { isForged: isForging }) };
  });
  server.on('request', provider.callback());
  return started;
}

/**
 * Signs in at the provider, as a browser does that has no session there yet.
 * @param address to which the service has sent the browser
 * @returns the address at the service to which the provider sends the browser back
 */
async function signInAtProvider(address: string, subject: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(address);
  let url = new URL(address);
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(url, {
      method: form === null ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: form,
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', value = ''] = pair.split('=', 2);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) {
      const page = await response.text();
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
      if (action === undefined) throw new Error(`The provider answers ${response.status}: ${page}`);
      url = new URL(action, url);
      form = new URLSearchParams({ prompt: 'login', login: subject, password: 'any' });
      continue;
    }
    url = new URL(location, url);
    form = null;
    if (url.origin !== origin) return url;
  }
  throw new Error('The provider does not send the browser back.');
}

export const PUBLIC_URL = 'https://desk.example.com';

/** The settings of a service whose provider this is. */
export function settingsFor(
  { issuer }: Pick<TestProvider, 'issuer'>,
  differences: Partial<OidcSettings> = {},
): OidcSettings {
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    scopes: 'openid profile email groups',
    name: 'House account',
    usernameClaim: 'preferred_username',
    groupsClaim: GROUPS_CLAIM,
    groupMap: undefined,
    requiredClaims: new Map(),
    createUsers: true,
    signOut: true,
    typedLogout: false,
    publicUrl: PUBLIC_URL,
    ...differences,
  };
}

/** Begins to sign in, and signs in at the provider. @returns where the provider sends the browser back: path and query */
export async function returnFromProvider(
  client: TestClient,
  subject: string,
  next = '',
): Promise<string> {
  const query = next === '' ? '' : `?next=${encodeURIComponent(next)}`;
  const started = await client.get(`application/oidc/start${query}`);
  if (started.status !== 302) throw new Error(`Not begun: ${started.text}`);
  const { pathname, search } = await signInAtProvider(String(started.headers.location), subject);
  return pathname + search;
}

/** Signs in by the provider. @returns the last answer of the service */
export async function signInByProvider(client: TestClient, subject: string, next?: string) {
  return client.get(await returnFromProvider(client, subject, next));
}
