import * as accountTexts from '#messages/service/accounts.ts';
import * as texts from '#messages/service/cli.ts';
import { ConfigError, type Config } from '#server/config.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import {
  changeConfiguredUser,
  createConfiguredUser,
  presentUser,
} from '#server/modules/accounts/user-configuration.service.ts';
import { hashPassword } from '#server/modules/accounts/passwords.service.ts';
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
import { emailSchema } from '#shared/contract/configuration-people-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { ROLES } from '#shared/rules/rights.ts';
import { commandActor } from './actor.ts';
import { expectPositionals, readArguments, takeRepeated, type Environment } from './arguments.ts';
import type { Console } from './console.ts';
import { withDatabase } from './database.ts';
import { obtainPassword, type NewPassword } from './passwords.ts';
import { requireUser } from './named-user.ts';
import { rightsOf, takeRights } from './user-arguments.ts';
import { userToken } from './user-token.ts';

/** `user add|set|delete|password|reset-factors|disable|enable|list|token`. @returns the exit code */
export async function user(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const [action, ...rest] = args;
  switch (action) {
    case 'add':
      return add(rest, environment, console);
    case 'set':
      return set(rest, environment, console);
    case 'delete':
      return onUser(rest, environment, async (db, found) => {
        await deleteUser(db, found, commandActor(`user delete ${found.username}`));
        return () => console.out(texts.userDeleted(found.username));
      });
    case 'password':
      return changePassword(rest, environment, console);
    case 'disable':
      return onUser(rest, environment, async (db, found) => {
        const actor = commandActor(`user disable ${found.username}`);
        await changeUser(db, found, { active: false }, actor);
        return () => console.out(texts.userDisabled(found.username));
      });
    case 'enable':
      return onUser(rest, environment, async (db, found) => {
        const actor = commandActor(`user enable ${found.username}`);
        await changeUser(db, found, { active: true }, actor);
        return () => console.out(texts.userEnabled(found.username));
      });
    case 'reset-factors':
      return onUser(rest, environment, async (db, found) => {
        await resetFactors(db, found.id, commandActor(`user reset-factors ${found.username}`));
        return () => console.out(texts.factorsReset(found.username));
      });
    case 'list':
      return list(rest, environment, console);
    case 'token':
      return userToken(rest, environment, console);
    default:
      throw new ConfigError(texts.userActionUnknown(action ?? ''));
  }
}

async function add(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const { properties, rights, config, positionals } = readUserArguments(args, environment);
  const [username = ''] = expectPositionals(positionals, 'USERNAME');
  return withDatabase(config, 'write', async (database) => {
    const taken = await database.read((db) => findUser(db, username));
    if (taken) throw new ApiError('conflict', accountTexts.usernameTaken(taken));
    const chosen = obtainPassword(environment);
    const passwordHash = await hashPassword(chosen.password, username);
    const actor = commandActor(`user add ${username}`);
    const { role } = await database.write(async (db) => {
      const defined = await readDefinitions(db);
      const given = rightsOf(rights, defined, { archives: {}, tables: {} });
      const password = { passwordHash, mustChangePassword: chosen.generated };
      const user = { username, ...properties, rights: given };
      return createConfiguredUser(db, defined, user, password, actor);
    });
    console.out(texts.userAdded({ role, username }));
    printGenerated(chosen, username, console);
    return 0;
  });
}

async function set(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const { properties, rights, config, positionals } = readUserArguments(args, environment);
  const [username = ''] = expectPositionals(positionals, 'USERNAME');
  return withDatabase(config, 'write', async (database) => {
    const found = await requireUser(database, username);
    const actor = { ...commandActor(`user set ${found.username}`), sessionId: null };
    await database.write(async (db) => {
      const defined = await readDefinitions(db);
      const current = await presentUser(db, defined, found);
      const change = { ...properties, rights: rightsOf(rights, defined, current.rights) };
      await changeConfiguredUser(db, defined, found, change, null, actor);
    });
    console.out(texts.userChanged(found.username));
    return 0;
  });
}

/** The flags of `add` and `set`. @throws {ConfigError} for a role or right that is none */
function readUserArguments(args: readonly string[], environment: Environment) {
  const { rights, rest } = takeRights(args);
  const groups = takeRepeated(rest, 'group');
  const { config, positionals, own } = readArguments(groups.rest, environment, [
    'role',
    'display-name',
    'email',
  ]);
  const asked = own.get('role');
  const role = ROLES.find((known) => known === asked);
  if (asked !== undefined && !role) throw new ConfigError(texts.roleInvalid(ROLES.join(', ')));
  const email = own.get('email');
  if (email !== undefined && !emailSchema.safeParse(email).success) {
    throw new ConfigError(texts.emailInvalid);
  }
  const properties = {
    role,
    displayName: own.get('display-name'),
    email,
    groups: groups.values.length > 0 ? groups.values.filter((name) => name !== '') : undefined,
  };
  return { properties, rights, config, positionals };
}

async function changePassword(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const { config, positionals } = readArguments(args, environment);
  const [username = ''] = expectPositionals(positionals, 'USERNAME');
  return withDatabase(config, 'write', async (database) => {
    const found = await requireUser(database, username);
    const chosen = obtainPassword(environment);
    const hash = await hashPassword(chosen.password, found.username);
    const actor = commandActor(`user password ${found.username}`);
    await database.write((db) => setPassword(db, found.id, hash, null, actor, chosen.generated));
    console.out(texts.passwordChanged(found.username));
    printGenerated(chosen, found.username, console);
    return 0;
  });
}

async function list(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const { config, positionals } = readArguments(args, environment);
  expectPositionals(positionals);
  return withDatabase(config, 'read', async (database) => {
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
    return 0;
  });
}

/** @param work runs in one transaction; the function that it returns runs after the commit */
async function onUser(
  args: readonly string[],
  environment: Environment,
  work: (db: Transaction, found: User) => Promise<() => void>,
): Promise<number> {
  const { config, positionals }: { config: Config; positionals: readonly string[] } = readArguments(
    args,
    environment,
  );
  const [username = ''] = expectPositionals(positionals, 'USERNAME');
  return withDatabase(config, 'write', async (database) => {
    const found = await requireUser(database, username);
    const afterCommit = await database.write((db) => work(db, found));
    afterCommit();
    return 0;
  });
}

function printGenerated(chosen: NewPassword, username: string, console: Console): void {
  if (chosen.generated)
    console.out(texts.generatedPassword({ username, password: chosen.password }));
}
