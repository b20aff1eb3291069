import * as texts from '#messages/service/oidc.ts';
import type { Transaction } from '#server/database/database.ts';
import { defineRead, defineRoute, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { identityIssuer, type OidcSettings } from '#server/settings/oidc-settings.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { identitiesAnswer, type Identity } from '#shared/contract/configuration-people.ts';
import { linkIdentityBody } from '#shared/contract/configuration-people-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import {
  identityOf,
  linkIdentity,
  readUnlinked,
  unlinkIdentity,
  type StoredIdentity,
} from './identities.service.ts';
import { endSessions } from './stored-sessions.ts';
import { userOf } from './user-configuration.service.ts';
import type { User } from './users.service.ts';

const IDENTITY = 'configuration/users/:username/identity';

/** The calls about the account at the provider with which a user signs in. @param oidc null: no provider is configured */
export function identityRoutes(oidc: OidcSettings | null): AnyRoute[] {
  const answer = async (db: Transaction, { id, username }: User) => {
    const linked = await identityOf(db, id);
    const identities = linked ? [linked] : await readUnlinked(db, username);
    return { body: { identities: identities.map(presentIdentity) } };
  };
  return [
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: IDENTITY,
      summary: 'The account at the provider that is linked with a user',
      description:
        'If there is no link: the accounts that have the username at the provider, and with which someone tried to sign ' +
        'in.',
      answer: identitiesAnswer,
      handle: async (db, { params }) => answer(db, await userOf(db, params)),
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'PUT',
      path: IDENTITY,
      summary: 'Link a user with an account at the provider',
      access: 'manage',
      body: linkIdentityBody,
      answer: identitiesAnswer,
      async handle(db, { params, body: { identity }, caller, call }) {
        const user = await userOf(db, params);
        const issuer = identity.issuer ?? oidc?.issuer;
        if (issuer === undefined) {
          throw new ApiError('validation_failed', { 'identity.issuer': [texts.issuerMissing] });
        }
        const key = { issuer: identityIssuer(issuer), subject: identity.subject };
        const isConfigured = oidc && identityIssuer(oidc.issuer) === key.issuer;
        const provider = isConfigured ? oidc.name : key.issuer;
        await linkIdentity(db, user, { ...key, provider }, { ...caller, call });
        return answer(db, user);
      },
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'DELETE',
      path: IDENTITY,
      summary: 'Remove the link of a user with an account at the provider',
      description: 'Sessions that began at the provider end.',
      access: 'manage',
      answer: null,
      async handle(db, { params, caller, call }) {
        const { id } = await userOf(db, params);
        const actor = { ...caller, call };
        if (!(await unlinkIdentity(db, id, actor))) {
          throw new ApiError('not_found', texts.notLinked);
        }
        await endSessions(db, id, { providerSid: null }, actor);
        return {};
      },
    }),
  ];
}

function presentIdentity({ userId, seenAt, ...identity }: StoredIdentity): Identity {
  return { ...identity, seenAt: isoTime(seenAt), isLinked: userId !== null };
}
