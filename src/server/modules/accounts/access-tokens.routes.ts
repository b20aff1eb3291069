import * as texts from '#messages/service/access-tokens.ts';
import type { Transaction } from '#server/database/database.ts';
import {
  definePublicRoute,
  defineRead,
  defineRoute,
  type AnyRoute,
  type Caller,
  type PathParams,
  FOR_OWN_ACCOUNT,
  forOwnAccount,
} from '#server/http/route.ts';
import * as answers from '#shared/contract/access-tokens.ts';
import { createTokenBody, tokenByPasswordBody } from '#shared/contract/access-token-requests.ts';
import { isSameName } from '#shared/rules/names.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { visibleCollections } from '../rights/rights.service.ts';
import { createNamedToken, readTokensOf, revokeToken } from './stored-access-tokens.ts';
import type { AccessTokens } from './access-tokens.service.ts';
import { presentTokens, readTokenScope } from './token-scope.ts';
import { userOf } from './user-configuration.service.ts';

const TOKENS = 'application/users/:username/tokens';

/** Of calls that administrators make about any user. */
const OWN_OR_ANY = {
  ...FOR_OWN_ACCOUNT,
  ownAccount: { refusal: texts.ownOnly, isOpenToAdministrators: true },
} as const;

/**
 * The calls about tokens (docs/interface/administration.md, section 6).
 * @param lifeDays how long new tokens may be valid at most; undefined: no limit
 */
export function accessTokenRoutes(
  tokens: AccessTokens,
  definitions: Definitions,
  lifeDays: number | undefined,
): AnyRoute[] {
  return [tokenByPasswordRoute(tokens), ...namedTokenRoutes(definitions, lifeDays)];
}

function tokenByPasswordRoute(tokens: AccessTokens): AnyRoute {
  return definePublicRoute({
    method: 'POST',
    path: 'application/tokens',
    summary: 'Get a token by user name and password',
    description:
      'Send the token as `Authorization: Bearer TOKEN`. It has all rights of the user, except for calls about the ' +
      'account and the administration. `lifetime` is in seconds. Refused (403) for users who have or need a second ' +
      'factor. Beyond 1,000 such tokens of a user, a new one ends the least recently used one, unless it was used within ' +
      'the last hour.',
    body: tokenByPasswordBody,
    answer: answers.tokensByPasswordAnswer,
    status: 201,
    isForAnySite: true,
    async handle(database, request) {
      const { lifetime, ...credentials } = request.body;
      const token = await tokens.makeByPassword(database, credentials, lifetime, request);
      return { body: { tokens: [token] } };
    },
  });
}

function namedTokenRoutes(definitions: Definitions, lifeDays: number | undefined): AnyRoute[] {
  return [
    defineRead({
      path: TOKENS,
      summary: "The caller's tokens, newest first",
      description: 'Administrators can read those of any user.',
      ...OWN_OR_ANY,
      answer: answers.accessTokensAnswer,
      async handle(db, { caller, params }) {
        const stored = await readTokensOf(db, await ownerOf(db, caller, params));
        const visible = await visibleCollections(db, definitions, caller);
        return { body: { tokens: presentTokens(visible, stored) } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: TOKENS,
      summary: 'Create a token',
      description:
        '`right` limits the rights of the token. With `archives` or `tables` (names or GUIDs), only those are visible to ' +
        'it. It never has more rights than its user has at the time of a call. Only this answer contains `token`. With ' +
        '`configuration`, which only administrators may set, it also gives access to the administration.',
      ...forOwnAccount(texts.ownOnly),
      body: createTokenBody,
      answer: answers.createdAccessTokenAnswer,
      status: 201,
      async handle(db, { caller, body: { token }, call }) {
        const visible = await visibleCollections(db, definitions, caller);
        const readScope = () => readTokenScope(visible, caller, token);
        const wanted = { ...token, readScope, lifeDays };
        const made = await createNamedToken(db, caller.userId, wanted, { ...caller, call });
        const [presented] = presentTokens(visible, [made.token]);
        return {
          body: { tokens: [{ ...presented, token: made.secret }] },
          repeatedBody: { tokens: [presented] },
        };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${TOKENS}/:tokenId`,
      summary: 'Revoke a token',
      description: 'Administrators can revoke those of any user.',
      ...OWN_OR_ANY,
      answer: null,
      idempotency: 'none',
      async handle(db, { caller, params, call }) {
        const userId = await ownerOf(db, caller, params);
        await revokeToken(db, userId, params['tokenId'] ?? '', { ...caller, call });
        return {};
      },
    }),
  ];
}

/** The user whose tokens the path names. @throws {ApiError} 404 */
async function ownerOf(db: Transaction, caller: Caller, params: PathParams): Promise<number> {
  if (isSameName(params['username'] ?? '', caller.username)) return caller.userId;
  return (await userOf(db, params)).id;
}
