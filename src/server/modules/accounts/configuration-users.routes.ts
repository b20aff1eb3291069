import type { Transaction } from '#server/database/database.ts';
import {
  definePreparedRoute,
  defineRead,
  defineRoute,
  type AnyRoute,
  FOR_ADMINISTRATORS,
} from '#server/http/route.ts';
import * as answers from '#shared/contract/configuration-people.ts';
import { changeUserBody, createUserBody } from '#shared/contract/configuration-people-requests.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readDefined } from '../rights/named-rights.ts';
import { explainAccess } from './user-access.service.ts';
import { generatePassword } from '../passwords/generated-passwords.ts';
import { hashPassword, NO_PASSWORD, passwordProblem } from '../passwords/passwords.service.ts';
import { oneTimePasswordEnd } from './password-checks.service.ts';
import {
  changeConfiguredUser,
  createConfiguredUser,
  presentUser,
  requireMatch,
  requireUser,
  userEtag,
  userOf,
  userPage,
} from './user-configuration.service.ts';
import { deleteUser, resetFactors, setPassword, type User } from './users.service.ts';

const USERS = 'configuration/users';
const USER = `${USERS}/:username`;

/**
 * The calls of administrators about users (docs/interface/administration.md, section 2).
 * @param oneTimePasswordDays how long one-time passwords are valid
 */
export function configurationUserRoutes(
  definitions: Definitions,
  oneTimePasswordDays: number,
): AnyRoute[] {
  return [
    ...readRoutes(definitions),
    ...changeRoutes(definitions, oneTimePasswordDays),
    ...credentialRoutes(oneTimePasswordDays),
  ];
}

/** @param days how long it is valid */
function presentPassword(
  oneTimePassword: string,
  user: User,
  days: number,
): answers.OneTimePassword {
  return {
    oneTimePassword,
    oneTimePasswordExpiresAt: isoTime(oneTimePasswordEnd(user, days)),
  };
}

async function answerUser(db: Transaction, definitions: Definitions, user: User) {
  const presented = await presentUser(db, await readDefined(db, definitions), user);
  return { body: { users: [presented] }, headers: { etag: userEtag(presented) } };
}

function readRoutes(definitions: Definitions): AnyRoute[] {
  return [
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: USERS,
      summary: 'The users, sorted by username',
      parameters: {
        q: 'words to find in usernames, display names and e-mail addresses',
        after: 'the `next` of the previous page',
        limit: 'users per page, 1 to 1,000; 50 by default',
      },
      answer: answers.configuredUsersAnswer,
      async handle(db, { query }) {
        return { body: await userPage(db, await readDefined(db, definitions), query) };
      },
    }),
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: USER,
      summary: 'One user',
      answer: answers.configuredUserAnswer,
      handle: async (db, { params }) => answerUser(db, definitions, await userOf(db, params)),
    }),
    defineRead({
      ...FOR_ADMINISTRATORS,
      path: `${USER}/access`,
      summary: 'The rights of a user and their sources',
      answer: answers.accessAnswer,
      async handle(db, { params }) {
        const user = await userOf(db, params);
        return {
          body: { access: await explainAccess(db, await readDefined(db, definitions), user) },
        };
      },
    }),
  ];
}

function changeRoutes(definitions: Definitions, oneTimePasswordDays: number): AnyRoute[] {
  return [
    definePreparedRoute({
      ...FOR_ADMINISTRATORS,
      method: 'POST',
      path: USERS,
      summary: 'Add a user',
      description:
        'Without a password, the answer contains a `oneTimePassword`, which is shown once and must be changed at the ' +
        'first sign-in, until `oneTimePasswordExpiresAt`.',
      access: 'manage',
      body: createUserBody,
      answer: answers.createdUserAnswer,
      status: 201,
      idempotency: 'secret',
      async prepare(_database, { body: { user }, caller, call }) {
        const generated = user.password === undefined ? generatePassword() : null;
        const password = generated ?? user.password ?? '';
        const problem = await passwordProblem(password, user.username);
        const passwordHash = problem ? NO_PASSWORD : await hashPassword(password, user.username);
        return async (db) => {
          const created = await createConfiguredUser(
            db,
            await readDefined(db, definitions),
            user,
            { passwordHash, problem, mustChangePassword: generated !== null },
            { ...caller, call },
          );
          const answer = await answerUser(db, definitions, created);
          if (generated === null) return answer;
          const shownOnce = presentPassword(generated, created, oneTimePasswordDays);
          const body = { ...answer.body, ...shownOnce };
          return { ...answer, body, repeatedBody: answer.body };
        };
      },
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'PATCH',
      path: USER,
      summary: 'Change a user',
      description:
        'Replaces the given properties; `rights` and `groups` are replaced as a whole. A changed role and `active: ' +
        'false` end the sessions of the user. The last active administrator cannot be changed to another role or ' +
        'disabled (409).',
      access: 'manage',
      body: changeUserBody,
      answer: answers.configuredUserAnswer,
      async handle(db, { params, body, ifMatch, caller, call }) {
        const user = await userOf(db, params);
        const defined = await readDefined(db, definitions);
        await changeConfiguredUser(
          db,
          defined,
          user,
          { ...body.user, ifMatch },
          { ...caller, call },
        );
        return answerUser(db, definitions, await requireUser(db, user.username));
      },
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'DELETE',
      path: USER,
      summary: 'Delete a user',
      description: 'The name stays in the history and cannot be used for another user.',
      access: 'manage',
      answer: null,
      async handle(db, { params, ifMatch, caller, call }) {
        const user = await userOf(db, params);
        await requireMatch(db, await readDefined(db, definitions), user, ifMatch);
        await deleteUser(db, user, { ...caller, call });
        return {};
      },
    }),
  ];
}

/** Passwords that administrators give, and the removal of second factors. */
function credentialRoutes(oneTimePasswordDays: number): AnyRoute[] {
  return [
    definePreparedRoute({
      ...FOR_ADMINISTRATORS,
      method: 'POST',
      path: `${USER}/password`,
      summary: 'Give a user a one-time password',
      description:
        'All sessions of the user end. The user must choose another password after the next sign-in.',
      access: 'manage',
      answer: answers.oneTimePasswordAnswer,
      idempotency: 'none',
      async prepare(_database, { params, caller, call }) {
        const oneTimePassword = generatePassword();
        const passwordHash = await hashPassword(oneTimePassword, params['username'] ?? '');
        return async (db) => {
          const { id } = await userOf(db, params);
          const reset = { passwordHash, exceptSession: null, mustChangePassword: true };
          await setPassword(db, id, reset, { ...caller, call });
          const user = await userOf(db, params);
          return { body: presentPassword(oneTimePassword, user, oneTimePasswordDays) };
        };
      },
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      method: 'DELETE',
      path: `${USER}/factors`,
      summary: 'Remove the second factors of a user',
      description:
        'For users who have lost them. Recovery codes are removed too. The sessions of the user end.',
      access: 'manage',
      answer: null,
      idempotency: 'none',
      async handle(db, { params, caller, call }) {
        const { id } = await userOf(db, params);
        await resetFactors(db, id, { ...caller, call }, caller.sessionId);
        return {};
      },
    }),
  ];
}
