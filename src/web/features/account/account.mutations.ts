import { useMutation, useQueryClient } from '@tanstack/react-query';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { accountPaths } from '#web/api/account-paths.ts';
import { ignoreBody, request, writeData, writeOnly } from '#web/api/request.ts';
import { proveByPasskey } from '#web/api/passkey-proof.ts';
import { createPasskey } from '#web/api/browser-passkeys.ts';
import { storePasskeyUse } from '#web/api/passkey-support.ts';
import { useSession } from '#web/api/session.queries.ts';
import { accountKeys } from './account.queries.ts';

function useInvalidateFactors() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: accountKeys.factors });
}

async function postFactor(username: string, factor: object) {
  return writeData(accountPaths.factors(username), {
    method: 'POST',
    body: { factor },
    parse: async (raw) => (await administrationAnswers()).createdFactorAnswer.parse(raw),
  });
}

/** Sends a step of setting up a second factor, or requests new recovery codes. */
export function usePostFactor() {
  const { username } = useSession();
  return useMutation({
    mutationFn: (factor: object) => postFactor(username, factor),
    onSettled: useInvalidateFactors(),
  });
}

/** Creates a passkey in the browser, and stores it. */
export function useAddPasskey() {
  const { username } = useSession();
  return useMutation({
    mutationFn: async (name: string) => {
      const { enrolment } = await postFactor(username, { kind: 'passkey' });
      const attestation = await createPasskey(enrolment?.publicKey);
      const challenge = enrolment?.challenge;
      return postFactor(username, { kind: 'passkey', name, challenge, attestation });
    },
    onSuccess: storePasskeyUse,
    onSettled: useInvalidateFactors(),
  });
}

export function useRemoveFactor() {
  const { username } = useSession();
  return useMutation({
    mutationFn: (factorId: string) =>
      writeOnly(accountPaths.factor(username, factorId), { method: 'DELETE' }),
    onSettled: useInvalidateFactors(),
  });
}

export function useRenameFactor(factorId: string) {
  const { username } = useSession();
  return useMutation({
    mutationFn: (factor: { readonly name: string }) =>
      writeOnly(accountPaths.factor(username, factorId), { method: 'PATCH', body: { factor } }),
    onSettled: useInvalidateFactors(),
  });
}

/** Sends a proof of the user's identity. A wrong one is answered with 401, which does not end the session. */
function postConfirmation(body: object) {
  return request(accountPaths.confirmations(), {
    method: 'POST',
    gate: false,
    body,
    parse: ignoreBody,
  });
}

/** Proves the user's identity with the password, a code of the authenticator app or a recovery code. */
export function useConfirm() {
  return useMutation({
    mutationFn: (body: { readonly password: string } | { readonly totp: string }) =>
      postConfirmation(body),
    onSuccess: useInvalidateFactors(),
  });
}

export function useConfirmByPasskey() {
  return useMutation({
    mutationFn: async () => postConfirmation(await proveByPasskey()),
    onSuccess: useInvalidateFactors(),
  });
}

/** Ends some of the user's own sessions. */
export function useEndSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (sessionIds: readonly string[]) => {
      for (const id of sessionIds) {
        await writeOnly(accountPaths.session(id), { method: 'DELETE' });
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}
