import * as texts from '#messages/service/accounts.ts';
import {
  definePreparedRoute,
  defineRead,
  type AnyRoute,
  forOwnAccount,
} from '#server/http/route.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import { peopleAnswer, storageKeysAnswer } from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { changePasswordBody, checkPasswordBody } from '#shared/contract/requests.ts';
import type { CurrentPasswords } from './current-password.service.ts';
import { hashPassword, passwordProblem } from '../passwords/passwords.service.ts';
import { readVisiblePeople, readStorageKeys, setPassword } from './users.service.ts';

/** The calls of users about themselves (docs/interface/decisions.md, section 2). */
export function userRoutes(passwords: CurrentPasswords): AnyRoute[] {
  return [
    defineRead({
      path: 'application/users',
      summary: 'The names of users with access to the same archives and tables',
      description:
        'The administrators, and all users with a right on an archive or table on which the caller has a right, ' +
        'including disabled users, sorted by username. Administrators get all users. For a token that is limited to ' +
        'archives and tables, rights on others do not count.',
      target: 'none',
      answer: peopleAnswer,
      handle: async (db, { caller }) => ({ body: { users: await readVisiblePeople(db, caller) } }),
    }),
    defineRead({
      path: 'application/users/:username/storagekey',
      summary: "The caller's keys for data that a browser stores",
      description:
        'Keys for AES-256-GCM in Base64. They stay the same until the secret of the installation is replaced. The web ' +
        'admin encrypts unsaved input with the first key, so that another user of the browser cannot read it; the other ' +
        'keys decrypt older data.',
      ...forOwnAccount(texts.ownKeyOnly),
      answer: storageKeysAnswer,
      async handle(db, { caller }) {
        if (caller.viewer) throw new ApiError('forbidden', texts.ownKeyOnly);
        const keys = await readStorageKeys(db, caller.userId);
        return { body: { storageKeys: keys.map((key) => ({ key })) } };
      },
    }),
    ...passwordRoutes(passwords),
  ];
}

function passwordRoutes(passwords: CurrentPasswords): AnyRoute[] {
  return [
    definePreparedRoute({
      method: 'PUT',
      path: 'application/users/:username/password',
      summary: "Change the caller's password",
      ...forOwnAccount(texts.ownPasswordOnly),
      isAllowedBeforePasswordChange: true,
      description: 'All other sessions of the user end.',
      body: changePasswordBody,
      answer: null,
      errors: [429],
      idempotency: 'secret',
      async prepare(database, { caller, call, body }) {
        const current = await passwords.check(database, caller, call, body.current);
        const problem =
          current.mustChange && body.password === body.current
            ? texts.passwordUnchanged
            : await passwordProblem(body.password, caller.username);
        const hash =
          current.isRight && !problem ? await hashPassword(body.password, caller.username) : null;

        return async (db) => {
          const errors: MessagesByPath = {};
          if (!(await current.accept(db))) errors['current'] = [texts.currentPasswordWrong];
          if (problem) errors['password'] = [problem];
          if (!hash || Object.keys(errors).length > 0) {
            throw new ApiError('validation_failed', errors);
          }
          const changed = { passwordHash: hash, exceptSession: caller.sessionId };
          await setPassword(db, caller.userId, changed, { ...caller, call });
          return {};
        };
      },
    }),
    definePreparedRoute({
      method: 'POST',
      path: 'application/users/:username/password/checks',
      summary: 'Check whether a new password would be accepted',
      ...forOwnAccount(texts.ownPasswordOnly),
      description:
        'Answers 204, or 422 with the error that the change of the password would cause. Nothing is changed or stored.',
      body: checkPasswordBody,
      answer: null,
      idempotency: 'none',
      async prepare(_database, { caller, body }) {
        const problem = await passwordProblem(body.password, caller.username);
        if (problem) throw new ApiError('validation_failed', { password: [problem] });
        return () => Promise.resolve({});
      },
    }),
  ];
}
