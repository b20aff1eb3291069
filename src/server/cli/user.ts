import * as texts from '#messages/service/cli.ts';
import { ConfigError, type Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { resolveRights } from '#server/modules/loading/loading.service.ts';
import { hashPassword } from '#server/modules/accounts/passwords.service.ts';
import {
  createUser,
  disableUser,
  enableUser,
  findUser,
  listUsers,
  setPassword,
  type User,
} from '#server/modules/accounts/users.service.ts';
import type { Transaction } from '#server/database/database.ts';
import { ACCESS_LEVELS, ROLES, type Access } from '#shared/rules/rights.ts';
import { commandActor } from './actor.ts';
import { expectPositionals, readArguments, takeRepeated, type Environment } from './arguments.ts';
import type { Console } from './console.ts';
import { withDatabase } from './database.ts';
import { obtainPassword, type NewPassword } from './passwords.ts';

/** `user add|password|disable|enable|list`. @returns the exit code */
export async function user(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const [action, ...rest] = args;
  switch (action) {
    case 'add':
      return add(rest, environment, console);
    case 'password':
      return changePassword(rest, environment, console);
    case 'disable':
      return onUser(rest, environment, async (db, found) => {
        await refuseLastAdministrator(db, found);
        await disableUser(db, found.id, commandActor(`user disable ${found.username}`));
        return () => console.out(texts.disabledAllSessionsEnded(found.username));
      });
    case 'enable':
      return onUser(rest, environment, async (db, found) => {
        await enableUser(db, found.id, commandActor(`user enable ${found.username}`));
        return () => console.out(texts.signAgain(found.username));
      });
    case 'list':
      return list(rest, environment, console);
    default:
      throw new ConfigError(
        `user ${action ?? ''}: it must be one of add, password, disable, enable, list.`,
      );
  }
}

async function add(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const archives = takeRepeated(args, 'archive');
  const tables = takeRepeated(archives.rest, 'table');
  const { config, positionals, own } = readArguments(tables.rest, environment, [
    'role',
    'display-name',
  ]);
  const [username = ''] = expectPositionals(positionals, 'USERNAME');
  const asked = own.get('role') ?? 'clerk';
  const role = ROLES.find((known) => known === asked);
  if (!role) throw new ConfigError(texts.roleOne(ROLES.join(', ')));
  const rights = {
    archives: toRights('archive', archives.values),
    tables: toRights('table', tables.values),
  };
  return withDatabase(config, 'write', async (database) => {
    const taken = await database.read((db) => findUser(db, username));
    if (taken) throw new Error(`There is already a user named ${taken.username}.`);
    const chosen = await obtainPassword(environment, username);
    const passwordHash = await hashPassword(chosen.password, username);
    const displayName = own.get('display-name') ?? username;
    const actor = commandActor(`user add ${username}`);
    await database.write(async (db) => {
      const resolved = await resolveRights(db, rights);
      await createUser(db, { username, displayName, role, passwordHash, rights: resolved }, actor);
    });
    console.out(texts.added({ role, username }));
    printGenerated(chosen, username, console);
    return 0;
  });
}

function toRights(flag: string, given: readonly string[]): Record<string, Access> {
  const rights = given.map((text): [string, Access] => {
    const [name = '', right = ''] = text.split('=');
    const access = ACCESS_LEVELS.find((known) => known === right);
    if (name === '' || !access) {
      throw new ConfigError(texts.nameRight({ flag, value: ACCESS_LEVELS.join(', ') }));
    }
    return [name, access];
  });
  return Object.fromEntries(rights);
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
    const chosen = await obtainPassword(environment, found.username);
    const hash = await hashPassword(chosen.password, found.username);
    const actor = commandActor(`user password ${found.username}`);
    await database.write((db) => setPassword(db, found.id, hash, null, actor));
    console.out(texts.passwordChangedAllSessionsEnded(found.username));
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

async function requireUser(database: Database, username: string): Promise<User> {
  const found = await database.read((db) => findUser(db, username));
  if (!found) throw new Error(`There is no user ${username}.`);
  return found;
}

async function refuseLastAdministrator(db: Transaction, found: User): Promise<void> {
  const others = (await listUsers(db)).filter(
    (one) => one.role === 'administrator' && !one.disabled && one.id !== found.id,
  );
  if (found.role === 'administrator' && !found.disabled && others.length === 0) {
    throw new Error(`${found.username} is the only administrator; add another one first.`);
  }
}

function printGenerated(chosen: NewPassword, username: string, console: Console): void {
  if (chosen.generated) console.out(texts.password({ username, password: chosen.password }));
}
