import * as texts from '#messages/service/factors.ts';
import type { Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { identityOf } from './identities.service.ts';
import * as store from './sessions.store.ts';

/** How long a proof of identity allows to change second factors and to end other sessions, in milliseconds. */
const CONFIRMATION_LIFETIME = 10 * 60_000;

/** Until when a session may change second factors; null: its user must prove their identity first. */
export async function confirmedUntil(db: Transaction, sessionId: string): Promise<string | null> {
  const until = ((await store.readProof(db, sessionId))?.confirmedAt ?? 0) + CONFIRMATION_LIFETIME;
  return until > Date.now() ? isoTime(until) : null;
}

/** @throws {ApiError} 403 `confirmation_required` */
export async function requireConfirmed(db: Transaction, sessionId: string): Promise<void> {
  if ((await confirmedUntil(db, sessionId)) !== null) return;
  throw new ApiError('confirmation_required', texts.confirmationRequired);
}

/**
 * Requires a sign-in or a confirmation of the last ten minutes. Unlike `requireConfirmed` this accepts a sign-in at a
 * provider, because not every user of a provider has a password or a factor of this service.
 * @throws {ApiError} 403 `confirmation_required`
 */
export async function requireRecentSignIn(db: Transaction, sessionId: string): Promise<void> {
  const proof = await store.readProof(db, sessionId);
  const provenAt = Math.max(proof?.confirmedAt ?? 0, proof?.createdAt ?? 0);
  if (provenAt + CONFIRMATION_LIFETIME > Date.now()) return;
  throw new ApiError('confirmation_required', texts.confirmationRequired);
}

/** The name of the provider that has signed in the user of a session; null: the user has signed in directly. */
export async function providerOf(
  db: Transaction,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: number },
): Promise<string | null> {
  if (!(await store.readProof(db, sessionId))?.isByProvider) return null;
  return (await identityOf(db, userId))?.provider ?? null;
}

/** Stores that the user of a session has proven their identity. */
export function confirmSession(db: Transaction, sessionId: string): Promise<void> {
  return store.updateConfirmedAt(db, sessionId, Date.now());
}
