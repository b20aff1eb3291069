import * as accountTexts from '#messages/service/accounts.ts';
import * as texts from '#messages/service/cli.ts';
import { ConfigError } from '#server/config.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import {
  changeConfiguredUser,
  createConfiguredUser,
  presentUser,
} from '#server/modules/accounts/user-configuration.service.ts';
import { hashPassword } from '#server/modules/passwords/passwords.service.ts';
import {
  changeUser,
  deleteUser,
  findUser,
  listUsers,
  resetFactors,
  setPassword,
  type User,
} from '#server/modules/accounts/users.service.ts';
import type { Transaction } from '#server/database/database.ts';
import { changeUserBody, emailSchema } from '#shared/contract/configuration-people-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { ROLES } from '#shared/rules/rights.ts';
import { commandActor } from './actor.ts';
import { commandOf, readArguments, type Command, type Environment } from './arguments.ts';
import type { Console } from './console.ts';
import { databaseAction } from './database-action.ts';
import { withDatabase } from './with-database.ts';
import { obtainPassword, type NewPassword } from './obtain-password.ts';
import { findNamedUser } from './named-user.ts';
import { readGivenRights, requireAccepted, RIGHT_OPTIONS, rightsOf } from './user-arguments.ts';
import { userToken } from './user-token.ts';

const add: Command = async (args, environment, console) => {
  const { properties, rights, config, positionals } = readUserArguments(args, environment);
  const [username = ''] = positionals;
  return withDatabase(config, 'write', async (database) => {
    const taken = await database.read((db) => findUser(db, username));
    if (taken) throw new ApiError('conflict', accountTexts.usernameTaken(taken));
    const chosen = obtainPassword(environment);
    const passwordHash = await hashPassword(chosen.password, username);
    const actor = commandActor(`user add ${username}`);
    const { role } = await database.write(async (db) => {
      const defined = await readDefinitions(db);
      const given = rightsOf(rights, defined, { archives: {}, tables: {} });
      const password = { passwordHash, problem: null, mustChangePassword: chosen.generated };
      const user = { username, ...properties, rights: given };
      return createConfiguredUser(db, defined, user, password, actor);
    });
    console.out(texts.userAdded({ role, username }));
    printGenerated(chosen, username, console);
    return 0;
  });
};

const set: Command = async (args, environment, console) => {
  const { properties, rights, config, positionals } = readUserArguments(args, environment);
  const [username = ''] = positionals;
  return withDatabase(config, 'write', async (database) => {
    const found = await findNamedUser(database, username);
    const actor = { ...commandActor(`user set ${found.username}`), sessionId: null };
    await database.write(async (db) => {
      const defined = await readDefinitions(db);
      const current = await presentUser(db, defined, found);
      const change = { ...properties, rights: rightsOf(rights, defined, current.rights) };
      await changeConfiguredUser(db, defined, found, { ...change, ifMatch: null }, actor);
    });
    console.out(texts.userChanged(found.username));
    return 0;
  });
};

/** The flags of `add` and `set`. @throws {ConfigError} for a role or right that is none */
function readUserArguments(args: readonly string[], environment: Environment) {
  const { config, positionals, own } = readArguments(args, environment, ['USERNAME'], {
    ...RIGHT_OPTIONS,
    role: 'value',
    'display-name': 'value',
    email: 'value',
    group: 'repeated',
  });
  const rights = readGivenRights(own);
  const requestedRole = own.get('role');
  const role = ROLES.find((known) => known === requestedRole);
  if (requestedRole !== undefined && !role)
    throw new ConfigError(texts.roleInvalid(ROLES.join(', ')));
  const email = own.get('email');
  if (email !== undefined && !emailSchema.safeParse(email).success) {
    throw new ConfigError(texts.emailInvalid);
  }
  const displayName = own.get('display-name');
  requireAccepted(changeUserBody.shape.user.shape.displayName, displayName, '--display-name');
  const properties = {
    role,
    displayName,
    email,
    groups: own.has('group') ? own.all('group').filter((name) => name !== '') : undefined,
  };
  return { properties, rights, config, positionals };
}

const changePassword = databaseAction(
  'write',
  ['USERNAME'],
  async ({ database, console, environment }, username) => {
    const found = await findNamedUser(database, username);
    const chosen = obtainPassword(environment);
    const hash = await hashPassword(chosen.password, found.username);
    const actor = commandActor(`user password ${found.username}`);
    const reset = {
      passwordHash: hash,
      exceptSession: null,
      mustChangePassword: chosen.generated,
    };
    await database.write((db) => setPassword(db, found.id, reset, actor));
    console.out(texts.passwordChanged(found.username));
    printGenerated(chosen, found.username, console);
  },
);

const list = databaseAction('read', [], async ({ database, console }) => {
  const users = await database.read(listUsers);
  const width = Math.max(0, ...users.map(({ username }) => username.length));
  for (const { username, role, displayName, disabled } of users) {
    const name = displayName === username ? '' : displayName;
    const state = disabled ? '(disabled)' : '';
    console.out(
      [username.padEnd(width), role.padEnd('administrator'.length), name, state]
        .join('  ')
        .trimEnd(),
    );
  }
});

/** An action on one user. @param work runs in one transaction; what it returns is printed after the commit */
function onUser(work: (db: Transaction, found: User) => Promise<string>): Command {
  return databaseAction('write', ['USERNAME'], async ({ database, console }, username) => {
    const found = await findNamedUser(database, username);
    console.out(await database.write((db) => work(db, found)));
  });
}

function printGenerated(chosen: NewPassword, username: string, console: Console): void {
  if (chosen.generated)
    console.out(texts.generatedPassword({ username, password: chosen.password }));
}

/** `user add|set|delete|password|reset-factors|disable|enable|list|token`. */
export const user = commandOf(
  {
    add,
    set,
    password: changePassword,
    list,
    token: userToken,
    delete: onUser(async (db, found) => {
      await deleteUser(db, found, commandActor(`user delete ${found.username}`));
      return texts.userDeleted(found.username);
    }),
    disable: onUser(async (db, found) => {
      const actor = commandActor(`user disable ${found.username}`);
      await changeUser(db, found, { active: false }, actor);
      return texts.userDisabled(found.username);
    }),
    enable: onUser(async (db, found) => {
      const actor = commandActor(`user enable ${found.username}`);
      await changeUser(db, found, { active: true }, actor);
      return texts.userEnabled(found.username);
    }),
    'reset-factors': onUser(async (db, found) => {
      await resetFactors(db, found.id, commandActor(`user reset-factors ${found.username}`));
      return texts.factorsReset(found.username);
    }),
  },
  texts.userActionUnknown,
);
