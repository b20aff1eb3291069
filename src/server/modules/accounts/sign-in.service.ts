import * as texts from '#messages/service/factors.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Session } from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { SignInBody } from '#shared/contract/factor-requests.ts';
import type { Refusals } from '../history/refusals.ts';
import { hasFactor } from '../factors/factors.service.ts';
import type { FactorProofs } from '../factors/proofs.ts';
import { relyingPartyOf } from '../factors/relying-party.ts';
import type { SignInRequest } from './begin-session.ts';
import { acceptProof, namedIn, proveFactor, type FactorCredentials } from './factor-sign-in.ts';
import type { CheckContext, PasswordChecks } from './password-checks.service.ts';
import { recordRefusedSignIn } from './refused-sign-in.ts';
import { findUserById, type User } from './users.service.ts';

/** A session that has begun. */
export interface SignIn {
  readonly session: Session;
  readonly token: string;
  readonly userId: number;
  /** null: a known browser, or a program */
  readonly deviceToken: string | null;
}

interface SignInParts {
  readonly publicUrl: string | undefined;
  readonly proofs: FactorProofs;
  readonly passwords: PasswordChecks;
  /** records rejected second factors */
  readonly refusals: Refusals;
}

/** @throws {ApiError} see `Sessions` */
export type SignInBy = (
  database: Database,
  credentials: SignInBody,
  context: CheckContext,
) => Promise<SignIn>;

type PasswordCredentials = Extract<SignInBody, { readonly password: string }>;

/** The password was correct, and a second step must follow. */
interface FirstStep {
  readonly needsFactorOf: number;
}

/**
 * Signing in with a password, with the second step after it, and with a passkey alone.
 * @param begin begins the session
 */
export function openSignIn(
  { publicUrl, proofs, passwords, refusals }: SignInParts,
  begin: (db: Transaction, user: User, request: SignInRequest) => Promise<SignIn>,
): SignInBy {
  const byPassword = async (
    database: Database,
    credentials: PasswordCredentials,
    context: CheckContext,
  ): Promise<SignIn> => {
    const { client, call } = context;
    const done = await passwords.check<SignIn | FirstStep>(database, credentials, context, {
      done: (result) => ('session' in result ? 'signed in' : 'second factor needed'),
      accept: async (db, user) =>
        (await hasFactor(db, user.id))
          ? { needsFactorOf: user.id }
          : begin(db, user, { client, call }),
    });
    if ('session' in done) return done;
    const party = relyingPartyOf(publicUrl, client);
    const secondFactor = await database.read(async (db) => {
      const found = await findUserById(db, done.needsFactorOf);
      return found && proofs.prompt(db, found, party);
    });
    throw new ApiError('second_factor_required', texts.required, { secondFactor });
  };

  const byFactor = async (
    database: Database,
    credentials: FactorCredentials,
    { client, call, log }: CheckContext,
  ): Promise<SignIn> => {
    const user = await database.read((db) => namedIn(db, credentials));
    const { address } = client;
    const account = user ? { account: user.username } : {};
    try {
      const party = relyingPartyOf(publicUrl, client);
      const proof = await proveFactor(database, proofs, credentials, { client, party });
      const signedIn = await database.write(async (db) =>
        begin(db, await acceptProof(db, proof), { client, call }),
      );
      log.info({ ...account, address }, 'signed in');
      return signedIn;
    } catch (error) {
      recordRefusedSignIn(error, refusals, { user, address, account, call, log });
      throw error;
    }
  };

  return (database, credentials, context) =>
    'password' in credentials
      ? byPassword(database, credentials, context)
      : byFactor(database, credentials, context);
}
