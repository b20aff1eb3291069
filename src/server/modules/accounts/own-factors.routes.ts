import * as texts from '#messages/service/factors.ts';
import * as httpTexts from '#messages/service/http.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import {
  definePreparedRoute,
  definePublicRoute,
  defineRead,
  defineRoute,
  type AnyRoute,
  type Caller,
  type Client,
  FOR_OWN_ACCOUNT,
} from '#server/http/route.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { ApiError } from '#shared/contract/errors.ts';
import {
  confirmBody,
  createFactorBody,
  renameFactorBody,
  type ConfirmBody,
} from '#shared/contract/factor-requests.ts';
import {
  createdFactorAnswer,
  factorsAnswer,
  passkeyChallengeAnswer,
} from '#shared/contract/factors.ts';
import { isFactorRequired, type SecondFactorPolicy } from '#shared/rules/second-factor.ts';
import { knownDeviceOf } from './begin-session.ts';
import { requireSelf } from './own-account.ts';
import type { CurrentPasswords } from './current-password.service.ts';
import {
  confirmedUntil,
  confirmSession,
  providerOf,
  requireConfirmed,
} from './session-confirmation.service.ts';
import { prepareFactor } from '../factors/enrolment.ts';
import {
  countRecoveryCodes,
  listFactors,
  removeFactors,
  renameFactor,
} from '../factors/factors.service.ts';
import type { FactorProofs } from '../factors/proofs.ts';
import { relyingPartyOf } from '../factors/relying-party.ts';

const OWN = 'application/users/:username/factors';

interface FactorSettings {
  readonly policy: SecondFactorPolicy;
  readonly publicUrl: string | undefined;
  readonly proofs: FactorProofs;
  readonly passwords: CurrentPasswords;
}

/** The calls of users about their own second factors (docs/interface/administration.md, section 3). */
export function ownFactorRoutes({
  policy,
  publicUrl,
  proofs,
  passwords,
}: FactorSettings): AnyRoute[] {
  const partyOf = (client: Client) => relyingPartyOf(publicUrl, client);

  const stateOf = async (db: Transaction, caller: Caller) => {
    const { userId, role } = caller;
    const provider = await providerOf(db, caller);
    return {
      factors: (await listFactors(db, userId)).map(({ createdAt, lastUsedAt, ...factor }) => ({
        ...factor,
        createdAt: isoTime(createdAt),
        lastUsedAt: isoTime(lastUsedAt),
      })),
      recoveryCodesLeft: await countRecoveryCodes(db, userId),
      required: provider === null && isFactorRequired(policy, role),
      provider,
    };
  };

  const presentOwn = async (db: Transaction, caller: Caller) => ({
    ...(await stateOf(db, caller)),
    confirmedUntil: await confirmedUntil(db, caller.sessionId),
  });

  /** @throws {ApiError} 403 if a provider has signed in the caller, or a proof is missing */
  const requireEnrolment = async (db: Transaction, caller: Caller): Promise<void> => {
    const provider = await providerOf(db, caller);
    if (provider !== null) throw new ApiError('forbidden', texts.byProvider({ provider }));
    await requireConfirmed(db, caller.sessionId);
  };

  /** Checks a proof of identity. @returns a function for the transaction that accepts it */
  const prove = async (
    database: Database,
    body: ConfirmBody,
    { caller, client, call }: { caller: Caller; client: Client; call: string },
  ): Promise<(db: Transaction) => Promise<void>> => {
    if ('password' in body) {
      const password = await passwords.check(database, caller, call, body.password);
      return async (db) => {
        if (await password.accept(db)) return;
        throw new ApiError('invalid_credentials', { password: [texts.passwordWrong] });
      };
    }
    if ('assertion' in body) {
      const proof = await proofs.byAssertion(database, body, partyOf(client), caller.userId);
      return (db) => proof.accept(db);
    }
    const { userId } = caller;
    const device = await database.read((db) => knownDeviceOf(db, userId, client));
    const proof = await proofs.byCode(database, { userId, device }, body.totp);
    return (db) => proof.accept(db);
  };

  const remove = async (
    db: Transaction,
    factorId: string | null,
    {
      caller,
      call,
      params,
    }: { caller: Caller; call: string; params: Readonly<Record<string, string>> },
  ) => {
    requireSelf(caller, params, texts.ownOnly);
    await requireConfirmed(db, caller.sessionId);
    await removeFactors(db, caller.userId, factorId, { ...caller, call });
    return {};
  };

  const removal = {
    method: 'DELETE',
    isAllowedBeforeEnrolment: true,
    ...FOR_OWN_ACCOUNT,
    answer: null,
    idempotency: 'none',
  } as const;

  return [
    definePublicRoute({
      method: 'POST',
      path: 'application/sessions/challenges',
      summary: 'Begin a sign-in by a passkey alone',
      description:
        'The passkey signs `publicKey` (`navigator.credentials.get`). `POST application/sessions` accepts the challenge ' +
        'and the assertion once, within five minutes. They can also confirm a session.',
      answer: passkeyChallengeAnswer,
      status: 201,
      handle: async (database, { client }) => ({
        body: await database.read((db) => proofs.passkeyChallenge(db, partyOf(client))),
      }),
    }),
    definePreparedRoute({
      method: 'POST',
      path: 'application/sessions/confirmations',
      summary: 'Confirm the session by another proof of identity',
      description:
        'By the password, a code of the authenticator app (or a recovery code), or a passkey. For ten minutes the session ' +
        'may then change the second factors.',
      isAllowedBeforeEnrolment: true,
      ...FOR_OWN_ACCOUNT,
      body: confirmBody,
      answer: null,
      idempotency: 'none',
      async prepare(database, request) {
        if (request.caller.scope) throw new ApiError('forbidden', httpTexts.notByToken);
        const accept = await prove(database, request.body, request);
        return async (db) => {
          await accept(db);
          await confirmSession(db, request.caller.sessionId);
          return {};
        };
      },
    }),
    defineRead({
      path: OWN,
      summary: 'The caller’s second factors',
      isAllowedBeforeEnrolment: true,
      ...FOR_OWN_ACCOUNT,
      answer: factorsAnswer,
      async handle(db, { caller, params }) {
        requireSelf(caller, params, texts.ownOnly);
        return { body: await presentOwn(db, caller) };
      },
    }),
    definePreparedRoute({
      method: 'POST',
      path: OWN,
      summary: 'Set up a second factor, in two calls',
      description:
        'The first call gives the `kind` and receives an `enrolment` with a `challenge`. The second call, within five ' +
        'minutes, also has the challenge and a code of the app (`totp`) or the credential that the browser created ' +
        '(`attestation`). The answer for the first factor contains ten `recoveryCodes`, which are shown once; the kind ' +
        '`recoveryCodes` replaces them. Refused (403) in sessions that began at the provider, which has its own second ' +
        'factors.',
      isAllowedBeforeEnrolment: true,
      ...FOR_OWN_ACCOUNT,
      body: createFactorBody,
      answer: createdFactorAnswer,
      status: 201,
      idempotency: 'none',
      async prepare(database, { caller, client, call, params, body }) {
        requireSelf(caller, params, texts.ownOnly);
        await database.read((db) => requireEnrolment(db, caller));
        const enrol = await prepareFactor(database, body.factor, caller, partyOf(client));
        return async (db) => {
          const enrolled = await enrol(db, { ...caller, call });
          return { body: { ...(await stateOf(db, caller)), ...enrolled } };
        };
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${OWN}/:factorId`,
      summary: 'Rename a second factor of the caller',
      isAllowedBeforeEnrolment: true,
      ...FOR_OWN_ACCOUNT,
      body: renameFactorBody,
      answer: factorsAnswer,
      async handle(db, { caller, params, body }) {
        requireSelf(caller, params, texts.ownOnly);
        await requireConfirmed(db, caller.sessionId);
        await renameFactor(db, caller.userId, params['factorId'] ?? '', body.factor.name);
        return { body: await presentOwn(db, caller) };
      },
    }),
    defineRoute({
      ...removal,
      path: OWN,
      summary: 'Remove all second factors of the caller',
      handle: (db, request) => remove(db, null, request),
    }),
    defineRoute({
      ...removal,
      path: `${OWN}/:factorId`,
      summary: 'Remove a second factor of the caller',
      description: 'The recovery codes are removed with the last factor.',
      handle: (db, request) => remove(db, request.params['factorId'] ?? '', request),
    }),
  ];
}
