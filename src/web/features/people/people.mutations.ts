import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as texts from '#messages/people.ts';
import type { Rights } from '#shared/contract/configuration-people.ts';
import { administrationAnswers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { type CallError, summary } from '#web/api/failure.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { ignoreBody, write, writeData } from '#web/api/request.ts';
import { notify } from '#web/ui/notify.ts';
import { peopleKeys, readGroup, readUser } from './people.queries.ts';
import { type ChosenRight, withRight } from './chosen-rights.ts';

/** The editable properties of a user. */
export interface UserEdits {
  readonly displayName?: string;
  readonly email?: string | null;
  readonly role?: 'administrator' | 'clerk' | 'reader';
  readonly active?: boolean;
  readonly groups?: readonly string[];
  readonly rights?: Rights;
}

interface ChangedUser {
  readonly username: string;
  readonly etag: string | null;
  readonly change: UserEdits;
}

interface NewUser extends UserEdits {
  readonly username: string;
}

/** Writes of one user or group run one after the other. */
const scopeOf = (name: string) => ({ id: `people ${name}` });

/** Everything about people is refetched: rights of groups affect users and vice versa. */
function useInvalidatePeople() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: peopleKeys.all });
}

export function useAddUser() {
  const invalidate = useInvalidatePeople();
  return useMutation({
    mutationFn: async (user: NewUser) => {
      const { oneTimePassword } = await writeData(apiPaths.configuredUsers(), {
        method: 'POST',
        body: { user },
        parse: async (raw) => (await administrationAnswers()).createdUserAnswer.parse(raw),
      });
      return { username: user.username, oneTimePassword: oneTimePassword ?? null };
    },
    onSuccess: invalidate,
  });
}

export function useChangeUser(username: string) {
  const invalidate = useInvalidatePeople();
  return useMutation({
    scope: scopeOf(username),
    mutationFn: ({ etag, change }: Omit<ChangedUser, 'username'>) =>
      changeUser({ username, etag, change }),
    onSuccess: async () => {
      await invalidate();
      notify(texts.userSaved(username));
    },
    // Somebody else may have changed the user.
    onError: invalidate,
  });
}

async function changeUser({ username, etag, change }: ChangedUser): Promise<void> {
  await write(apiPaths.configuredUser(username), {
    method: 'PATCH',
    ifMatch: etag,
    body: { user: change },
    parse: ignoreBody,
  });
}

export function useDeleteUser(username: string) {
  const invalidate = useInvalidatePeople();
  return useMutation({
    scope: scopeOf(username),
    mutationFn: async () => {
      await write(apiPaths.configuredUser(username), { method: 'DELETE', parse: ignoreBody });
    },
    onSuccess: invalidate,
  });
}

/** @param onPassword receives the one-time password, which no cache stores */
export function useResetPassword(username: string, onPassword: (password: string) => void) {
  return useMutation({
    scope: scopeOf(username),
    mutationFn: async () => {
      const { oneTimePassword } = await writeData(administrationPaths.passwordOfUser(username), {
        method: 'POST',
        parse: async (raw) => (await administrationAnswers()).oneTimePasswordAnswer.parse(raw),
      });
      onPassword(oneTimePassword);
    },
  });
}

interface GroupChange {
  readonly label?: string;
  readonly rights?: Rights;
  readonly members?: readonly string[];
}

interface NewGroup extends GroupChange {
  readonly name: string;
}

export function useAddGroup() {
  const invalidate = useInvalidatePeople();
  return useMutation({
    mutationFn: (group: NewGroup) =>
      writeData(administrationPaths.groups(), {
        method: 'POST',
        body: { group },
        parse: async (raw) =>
          onlyItem((await administrationAnswers()).groupsAnswer.parse(raw).groups),
      }),
    onSuccess: invalidate,
  });
}

export function useChangeGroup(name: string) {
  const invalidate = useInvalidatePeople();
  return useMutation({
    scope: scopeOf(name),
    mutationFn: ({ etag, change }: { etag: string | null; change: GroupChange }) =>
      changeGroup(name, etag, change),
    onSuccess: async () => {
      await invalidate();
      notify(texts.groupSaved(name));
    },
    onError: invalidate,
  });
}

async function changeGroup(name: string, etag: string | null, change: GroupChange): Promise<void> {
  await write(administrationPaths.group(name), {
    method: 'PATCH',
    ifMatch: etag,
    body: { group: change },
    parse: ignoreBody,
  });
}

export function useDeleteGroup(name: string) {
  const invalidate = useInvalidatePeople();
  return useMutation({
    scope: scopeOf(name),
    mutationFn: async () => {
      await write(administrationPaths.group(name), { method: 'DELETE', parse: ignoreBody });
    },
    onSuccess: invalidate,
  });
}

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
        return changeUser({ username: name, etag, change: { rights } });
      }
      const { group, etag } = await readGroup(name);
      return changeGroup(name, etag, { rights: withRight(group.rights, collection, right) });
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
      write(administrationPaths.openSession(sessionId), { method: 'DELETE', parse: ignoreBody }),
    onSuccess: () => notify(texts.sessionEnded),
    onError: (error) => notify(texts.sessionNotEnded(summary(error.failure))),
    onSettled: () => client.invalidateQueries({ queryKey: peopleKeys.sessions }),
  });
}

/** Lets the session of this administrator view the service as another user. */
export function useSeeAs(username: string) {
  return useMutation({
    mutationFn: () =>
      write(administrationPaths.seeAs(username), { method: 'POST', parse: ignoreBody }),
    // Loads a new document, so that everything is read as this user.
    onSuccess: () => location.assign('/'),
    onError: (error) => notify(texts.notSeenAs(summary(error.failure))),
  });
}

/** Releases the lock of a revision. */
export function useReleaseLock() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ archive, revisionId }: { archive: string; revisionId: string }) =>
      write(apiPaths.revision(archive, revisionId), {
        method: 'PATCH',
        body: { locked: false },
        parse: ignoreBody,
      }),
    onSuccess: () => notify(texts.lockReleased),
    onError: (error) => notify(texts.lockNotReleased(summary(error.failure))),
    onSettled: () => client.invalidateQueries({ queryKey: peopleKeys.locks }),
  });
}

/** Links a user with an account at the provider; null: removes the link. */
export function useLinkIdentity(username: string) {
  const invalidate = useInvalidatePeople();
  return useMutation({
    scope: scopeOf(username),
    mutationFn: (identity: { readonly issuer: string; readonly subject: string } | null) =>
      write(administrationPaths.userIdentity(username), {
        ...(identity === null
          ? { method: 'DELETE' as const }
          : { method: 'PUT' as const, body: { identity } }),
        parse: ignoreBody,
      }),
    onSuccess: invalidate,
    onError: (error) => notify(texts.identityNotChanged(summary(error.failure))),
  });
}
