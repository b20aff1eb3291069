import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as texts from '#messages/people.ts';
import type { OneTimePassword } from '#shared/contract/configuration-people.ts';
import type {
  ChangeGroupBody,
  ChangeUserBody,
  CreateGroupBody,
  CreateUserBody,
} from '#shared/contract/configuration-people-requests.ts';
import { administrationAnswers, onlyItem } from '#web/api/load-answer-schemas.ts';
import type { CallError } from '#web/api/failure.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeData, writeOnly } from '#web/api/request.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import { peopleKeys, readGroup, readUser } from './people.queries.ts';
import { type ChosenRight, withRight } from './chosen-rights.ts';

/** Some properties of a user or group, and the version to change. */
interface Change<Edits> {
  readonly etag: string | null;
  readonly change: Edits;
}

/** Writes of one user or group run one after the other. */
const scopeOf = (name: string) => ({ id: `people ${name}` });

/** Everything about people is refetched: rights of groups affect users and vice versa. */
function useInvalidatePeople() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: peopleKeys.all });
}

/** Changes one user or group. */
function useChange<Edits>(
  name: string,
  send: (name: string, change: Change<Edits>) => Promise<void>,
  savedText: string,
) {
  const invalidate = useInvalidatePeople();
  return useMutation({
    scope: scopeOf(name),
    mutationFn: (change: Change<Edits>) => send(name, change),
    onSuccess: async () => {
      await invalidate();
      notify(savedText);
    },
    // Somebody else may have made a change.
    onError: invalidate,
  });
}

/** Deletes one user or group. */
function useDelete(name: string, path: string) {
  return useMutation({
    scope: scopeOf(name),
    mutationFn: () => writeOnly(path, { method: 'DELETE' }),
    onSuccess: useInvalidatePeople(),
  });
}

export function useAddUser() {
  return useMutation({
    mutationFn: async (user: CreateUserBody['user']) => {
      const { oneTimePassword, oneTimePasswordExpiresAt } = await writeData(
        apiPaths.configuredUsers(),
        {
          method: 'POST',
          body: { user },
          parse: async (raw) => (await administrationAnswers()).createdUserAnswer.parse(raw),
        },
      );
      // A repeated request is answered without them.
      const isAnswered = oneTimePassword !== undefined && oneTimePasswordExpiresAt !== undefined;
      const given = isAnswered ? { oneTimePassword, oneTimePasswordExpiresAt } : null;
      return { username: user.username, given };
    },
    onSuccess: useInvalidatePeople(),
  });
}

export const useChangeUser = (username: string) =>
  useChange(username, changeUser, texts.userSaved(username));

const changeUser = (username: string, { etag, change }: Change<ChangeUserBody['user']>) =>
  writeOnly(apiPaths.configuredUser(username), {
    method: 'PATCH',
    ifMatch: etag,
    body: { user: change },
  });

export const useDeleteUser = (username: string) =>
  useDelete(username, apiPaths.configuredUser(username));

/** @param onPassword receives the one-time password, which no cache stores */
export function useResetPassword(username: string, onPassword: (given: OneTimePassword) => void) {
  return useMutation({
    scope: scopeOf(username),
    mutationFn: async () => {
      const given = await writeData(administrationPaths.passwordOfUser(username), {
        method: 'POST',
        parse: async (raw) => (await administrationAnswers()).oneTimePasswordAnswer.parse(raw),
      });
      onPassword(given);
    },
  });
}

export function useAddGroup() {
  return useMutation({
    mutationFn: (group: CreateGroupBody['group']) =>
      writeData(administrationPaths.groups(), {
        method: 'POST',
        body: { group },
        parse: async (raw) =>
          onlyItem((await administrationAnswers()).groupsAnswer.parse(raw).groups),
      }),
    onSuccess: useInvalidatePeople(),
  });
}

export const useChangeGroup = (name: string) =>
  useChange(name, changeGroup, texts.groupSaved(name));

const changeGroup = (name: string, { etag, change }: Change<ChangeGroupBody['group']>) =>
  writeOnly(administrationPaths.group(name), {
    method: 'PATCH',
    ifMatch: etag,
    body: { group: change },
  });

export const useDeleteGroup = (name: string) => useDelete(name, administrationPaths.group(name));

/** A change of a right. */
export interface RightChange {
  readonly of: 'user' | 'group';
  readonly name: string;
  readonly collection: CollectionRef;
  readonly right: ChosenRight;
}

interface SentRight {
  readonly change: RightChange;
  /** why it was not changed; null while it is being sent and read again */
  readonly error: CallError | null;
}

/** Which right of a user or group a change is about. */
export const keyOfRight = ({ of, name, collection: { kind, id } }: Omit<RightChange, 'right'>) =>
  `${of} ${name} ${kind} ${id}`;

/**
 * Changes rights, one after the other. The others of a user or group are read first, because the service replaces all of
 * them.
 */
export function useChangeRights() {
  const invalidate = useInvalidatePeople();
  const [sent, setSent] = useState<ReadonlyMap<string, SentRight>>(new Map());
  /** Another change of the same right may have been sent meanwhile. */
  const settle = (change: RightChange, error: CallError | null) =>
    setSent((before) => {
      const key = keyOfRight(change);
      if (before.get(key)?.change !== change) return before;
      const after = new Map(before);
      if (error) after.set(key, { change, error });
      else after.delete(key);
      return after;
    });
  const { mutate } = useMutation({
    scope: { id: 'people rights' },
    mutationFn: async ({ of, name, collection, right }: RightChange) => {
      if (of === 'user') {
        const { user, etag } = await readUser(name);
        const rights = withRight(user.rights, collection, right);
        return changeUser(name, { etag, change: { rights } });
      }
      const { group, etag } = await readGroup(name);
      const rights = withRight(group.rights, collection, right);
      return changeGroup(name, { etag, change: { rights } });
    },
    onSettled: async (_result, error, change) => {
      await invalidate();
      settle(change, error);
    },
  });
  return {
    /** by `keyOfRight` */
    sent,
    changeRight: (change: RightChange) => {
      setSent((before) => new Map(before).set(keyOfRight(change), { change, error: null }));
      mutate(change);
    },
  };
}

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) =>
      writeOnly(administrationPaths.openSession(sessionId), { method: 'DELETE' }),
    onSuccess: () => notify(texts.sessionEnded),
    onError: (error) => notifyFailure(texts.sessionNotEnded(error.message)),
    onSettled: () => client.invalidateQueries({ queryKey: peopleKeys.sessions }),
  });
}

/** Lets the session of this administrator view the service as another user. */
export function useSeeAs(username: string) {
  return useMutation({
    mutationFn: () => writeOnly(administrationPaths.seeAs(username), { method: 'POST' }),
    // Loads a new document, so that everything is read as this user.
    onSuccess: () => location.assign('/'),
    onError: (error) => notifyFailure(texts.notSeenAs(error.message)),
  });
}

/** Releases the lock of a revision. */
export function useReleaseLock() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ archive, revisionId }: { archive: string; revisionId: string }) =>
      writeOnly(apiPaths.revision(archive, revisionId), {
        method: 'PATCH',
        body: { locked: false },
      }),
    onSuccess: () => notify(texts.lockReleased),
    onError: (error) => notifyFailure(texts.lockNotReleased(error.message)),
    onSettled: () => client.invalidateQueries({ queryKey: peopleKeys.locks }),
  });
}

/** Links a user with an account at the provider; null: removes the link. */
export function useLinkIdentity(username: string) {
  return useMutation({
    scope: scopeOf(username),
    mutationFn: (identity: { readonly issuer: string; readonly subject: string } | null) =>
      writeOnly(
        administrationPaths.userIdentity(username),
        identity === null ? { method: 'DELETE' } : { method: 'PUT', body: { identity } },
      ),
    onSuccess: useInvalidatePeople(),
    onError: (error) => notifyFailure(texts.identityNotChanged(error.message)),
  });
}
