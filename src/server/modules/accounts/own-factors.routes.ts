import * as texts from '#messages/service/factors.ts';
import type { Transaction } from '#server/database/database.ts';
import {
  definePreparedRoute,
  defineRead,
  defineRoute,
  type AnyRoute,
  type Caller,
  forOwnAccount,
} from '#server/http/route.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { createFactorBody, renameFactorBody } from '#shared/contract/factor-requests.ts';
import { createdFactorAnswer, factorsAnswer } from '#shared/contract/factors.ts';
import { isFactorRequired, type SecondFactorPolicy } from '#shared/rules/second-factor.ts';
import { confirmedUntil, providerOf, requireConfirmed } from './session-confirmation.service.ts';
import { prepareFactor } from '../factors/enrolment.ts';
import {
  countRecoveryCodes,
  listFactors,
  removeFactors,
  renameFactor,
} from '../factors/factors.service.ts';
import { relyingPartyOf } from '../factors/relying-party.ts';

const OWN = 'application/users/:username/factors';

interface FactorSettings {
  readonly policy: SecondFactorPolicy;
  readonly publicUrl: string | undefined;
}

/** The calls of users about their own second factors (docs/interface/administration.md, section 7). */
export function ownFactorRoutes(settings: FactorSettings): AnyRoute[] {
  return [...factorRoutes(settings), ...removalRoutes];
}

/** The calls that list, set up and rename factors. */
const factorRoutes = ({ policy, publicUrl }: FactorSettings): AnyRoute[] => [
  defineRead({
    path: OWN,
    summary: 'The caller’s second factors',
    isAllowedBeforeEnrolment: true,
    ...forOwnAccount(texts.ownOnly),
    answer: factorsAnswer,
    async handle(db, { caller }) {
      return { body: await presentOwn(db, caller, policy) };
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
    ...forOwnAccount(texts.ownOnly),
    body: createFactorBody,
    answer: createdFactorAnswer,
    status: 201,
    idempotency: 'none',
    async prepare(database, { caller, client, call, body }) {
      await database.read((db) => requireEnrolment(db, caller));
      const party = relyingPartyOf(publicUrl, client);
      const enrol = await prepareFactor(database, body.factor, caller, party);
      return async (db) => {
        const enrolled = await enrol(db, { ...caller, call });
        return { body: { ...(await stateOf(db, caller, policy)), ...enrolled } };
      };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${OWN}/:factorId`,
    summary: 'Rename a second factor of the caller',
    isAllowedBeforeEnrolment: true,
    ...forOwnAccount(texts.ownOnly),
    body: renameFactorBody,
    answer: factorsAnswer,
    async handle(db, { caller, params, body }) {
      await requireConfirmed(db, caller.sessionId);
      await renameFactor(db, caller.userId, params['factorId'] ?? '', body.factor.name);
      return { body: await presentOwn(db, caller, policy) };
    },
  }),
];

const removal = {
  method: 'DELETE',
  isAllowedBeforeEnrolment: true,
  ...forOwnAccount(texts.ownOnly),
  answer: null,
  idempotency: 'none',
} as const;

/** The calls that remove factors. */
const removalRoutes: AnyRoute[] = [
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

/** The factors of the caller, and whether one is required. */
async function stateOf(db: Transaction, caller: Caller, policy: SecondFactorPolicy) {
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
}

/** The state of the caller's factors, and until when the session may change them. */
async function presentOwn(db: Transaction, caller: Caller, policy: SecondFactorPolicy) {
  return {
    ...(await stateOf(db, caller, policy)),
    confirmedUntil: await confirmedUntil(db, caller.sessionId),
  };
}

/** @throws {ApiError} 403 if a provider has signed in the caller, or a proof is missing */
async function requireEnrolment(db: Transaction, caller: Caller): Promise<void> {
  const provider = await providerOf(db, caller);
  if (provider !== null) throw new ApiError('forbidden', texts.byProvider({ provider }));
  await requireConfirmed(db, caller.sessionId);
}

/** Removes a factor of the caller; null: all. @throws {ApiError} 403 if a proof is missing; 404 */
async function remove(
  db: Transaction,
  factorId: string | null,
  { caller, call }: { caller: Caller; call: string },
) {
  await requireConfirmed(db, caller.sessionId);
  await removeFactors(db, caller.userId, factorId, { ...caller, call });
  return {};
}
