import { definePreparedRoute, defineRead, type AnyRoute, type Caller } from '#server/http/route.ts';
import { peopleAnswer, storageKeysAnswer } from '#shared/contract/answers.ts';
import { ApiError, type MessagesByPath } from '#shared/contract/errors.ts';
import { isSameName } from '#shared/rules/names.ts';
import { changePasswordBody } from '#shared/contract/requests.ts';
import {
  attemptInSession,
  countFailure,
  forgive,
  standingOf,
  tooManyRequests,
} from './sign-in-throttle.service.ts';
import { KeyedMutex } from './sessions.service.ts';
import { hashPassword, objectionTo, verifyPassword } from './passwords.service.ts';
import { readStorageKey } from './storage-key.service.ts';
import { findCredentials, readPeople, setPassword } from './users.service.ts';

/** The calls of users about themselves (docs/interface/decisions.md, section 2). */
export function userRoutes(): AnyRoute[] {
  const mutex = new KeyedMutex();
  return [
    defineRead({
      path: 'application/users',
      summary: 'The names of the people one works with',
      description:
        'The administrators and everyone with a right on an archive or table on which the caller has a right, ' +
        'disabled users too, by their usernames; for an administrator all users.',
      target: 'none',
      answer: peopleAnswer,
      handle: async (db, { caller }) => ({ body: { users: await readPeople(db, caller) } }),
    }),
    defineRead({
      path: 'application/users/:username/storagekey',
      summary: "One's own key for what a browser stores",
      description:
        'A key for AES-256-GCM in Base64, always the same for a user. The web admin encrypts with it what is typed ' +
        'and not saved, so that another user of the browser cannot read it.',
      target: 'none',
      answer: storageKeysAnswer,
      async handle(db, { caller, params }) {
        refuseOthers(caller, params, 'You can read only your own key.');
        return { body: { storageKeys: [{ key: await readStorageKey(db, caller.userId) }] } };
      },
    }),
    definePreparedRoute({
      method: 'PUT',
      path: 'application/users/:username/password',
      summary: "Change one's own password",
      description: 'All other sessions of the user end.',
      target: 'none',
      access: 'read',
      query: 'none',
      body: changePasswordBody,
      answer: null,
      status: 204,
      idempotency: 'secret',
      async prepare(database, { caller, call, params, body }) {
        refuseOthers(caller, params, 'You can change only your own password.');
        const attempt = attemptInSession(caller.sessionId);
        // In sequence, so that concurrent guesses are counted like successive ones.
        const { user, right } = await mutex.runExclusive(attempt.own, async () => {
          const { user, standing } = await database.read(async (db) => ({
            user: await findCredentials(db, caller.username),
            standing: await standingOf(db, attempt, Date.now()),
          }));
          if (standing.wait > 0) throw tooManyRequests(standing.wait);
          const right = await verifyPassword(body.current, user?.passwordHash, {
            isKnown: true,
            key: attempt.own,
          });
          if (!right) await countFailure(database, attempt, Date.now());
          return { user, right };
        });
        const objection = await objectionTo(body.password, caller.username);
        const hash =
          right && !objection ? await hashPassword(body.password, caller.username) : null;

        return async (db) => {
          const current = await findCredentials(db, caller.username);
          const errors: MessagesByPath = {};
          if (!right || current?.passwordHash !== user?.passwordHash) {
            errors['current'] = ['This is not your current password.'];
          }
          if (objection) errors['password'] = [objection];
          if (!hash || Object.keys(errors).length > 0) {
            throw new ApiError('validation_failed', errors);
          }
          await setPassword(db, caller.userId, hash, caller.sessionId, { ...caller, call });
          await forgive(db, attempt);
          return {};
        };
      },
    }),
  ];
}

/** @throws {ApiError} 403 if the path names another user than the caller */
function refuseOthers(
  { username }: Caller,
  params: Readonly<Record<string, string>>,
  message: string,
): void {
  if (!isSameName(params['username'] ?? '', username)) {
    throw new ApiError('forbidden', message);
  }
}
