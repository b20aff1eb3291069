import * as texts from '#messages/service/factors.ts';
import * as httpTexts from '#messages/service/http.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import {
  definePreparedRoute,
  definePublicRoute,
  type AnyRoute,
  type Caller,
  type Client,
  FOR_OWN_ACCOUNT,
} from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { confirmBody, type ConfirmBody } from '#shared/contract/factor-requests.ts';
import { passkeyChallengeAnswer } from '#shared/contract/factors.ts';
import { knownDeviceOf } from './begin-session.ts';
import type { CurrentPasswords } from './current-password.service.ts';
import { confirmSession } from './session-confirmation.service.ts';
import type { Refusals } from '../history/refusals.ts';
import type { FactorProofs } from '../factors/proofs.ts';
import { relyingPartyOf } from '../factors/relying-party.ts';

interface ProofSettings {
  readonly publicUrl: string | undefined;
  readonly proofs: FactorProofs;
  readonly passwords: CurrentPasswords;
  /** receives refused codes and passkeys; `passwords` records wrong passwords itself */
  readonly refusals: Refusals;
}

/**
 * The calls about proofs of identity: the challenge of a passkey, and the confirmation of a session
 * (docs/interface/administration.md, section 7).
 */
export function identityProofRoutes(settings: ProofSettings): AnyRoute[] {
  const { publicUrl, proofs } = settings;
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
        body: await database.read((db) =>
          proofs.passkeyChallenge(db, relyingPartyOf(publicUrl, client)),
        ),
      }),
    }),
    definePreparedRoute({
      method: 'POST',
      path: 'application/sessions/confirmations',
      summary: 'Confirm the session by another proof of identity',
      description:
        'By the password, a code of the authenticator app (or a recovery code), or a passkey. For ten minutes the session ' +
        'may then change the second factors and end other sessions.',
      isAllowedBeforeEnrolment: true,
      ...FOR_OWN_ACCOUNT,
      body: confirmBody,
      answer: null,
      idempotency: 'none',
      async prepare(database, request) {
        if (request.caller.scope) throw new ApiError('forbidden', httpTexts.notByToken);
        const accept = await prove(settings, database, request.body, request);
        return async (db) => {
          await accept(db);
          await confirmSession(db, request.caller.sessionId);
          return {};
        };
      },
    }),
  ];
}

/** Checks a proof of identity. @returns a function for the transaction that accepts it */
async function prove(
  { publicUrl, proofs, passwords, refusals }: ProofSettings,
  database: Database,
  body: ConfirmBody,
  { caller, client, call }: { caller: Caller; client: Client; call: string },
): Promise<(db: Transaction) => Promise<void>> {
  if ('password' in body) {
    const password = await passwords.check(database, caller, call, body.password);
    return async (db) => {
      if (await password.accept(db)) return;
      throw new ApiError('invalid_credentials', { password: [texts.passwordWrong] });
    };
  }
  const recordingRefusals = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) {
        refusals.add({ user: caller, address: caller.address, call, reason: error.code });
      }
      throw error;
    }
  };
  const proof = await recordingRefusals(async () => {
    const { userId } = caller;
    if ('assertion' in body) {
      return proofs.byAssertion(database, body, relyingPartyOf(publicUrl, client), userId);
    }
    const device = await database.read((db) => knownDeviceOf(db, userId, client));
    return proofs.byCode(database, { userId, device }, body.totp);
  });
  return (db) => recordingRefusals(() => proof.accept(db));
}
