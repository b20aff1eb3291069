import * as texts from '#messages/service/cli.ts';
import { ConfigError } from '#server/config.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import {
  changeGroup,
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  presentGroup,
} from '#server/modules/groups/groups.service.ts';
import { commandActor } from './actor.ts';
import { expectPositionals, readArguments, takeRepeated, type Environment } from './arguments.ts';
import type { Console } from './console.ts';
import { withDatabase } from './database.ts';
import { rightsOf, takeRights } from './user-arguments.ts';

/** `group add|set|delete|list`. @returns the exit code */
export async function group(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const [action, ...rest] = args;
  switch (action) {
    case 'add':
    case 'set':
      return write(action, rest, environment, console);
    case 'delete':
      return remove(rest, environment, console);
    case 'list':
      return list(rest, environment, console);
    default:
      throw new ConfigError(texts.groupActionUnknown(action ?? ''));
  }
}

async function write(
  action: 'add' | 'set',
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const taken = takeRights(args);
  const given = takeRepeated(taken.rest, 'member');
  const { config, positionals, own } = readArguments(given.rest, environment, ['label']);
  const [name = ''] = expectPositionals(positionals, 'NAME');
  const actor = commandActor(`group ${action} ${name}`);
  const label = own.get('label');
  const members = given.values.length > 0 ? [...given.values] : undefined;
  return withDatabase(config, 'write', async (database) => {
    await database.write(async (db) => {
      const defined = await readDefinitions(db);
      if (action === 'add') {
        const rights = rightsOf(taken.rights, defined, { archives: {}, tables: {} });
        await createGroup(db, defined, { name, label, members, rights }, actor);
        return;
      }
      const found = await findGroup(db, name);
      const current = await presentGroup(db, defined, found);
      const rights = rightsOf(taken.rights, defined, current.rights);
      await changeGroup(db, defined, found, { label, members, rights }, actor);
    });
    console.out(action === 'add' ? texts.groupAdded(name) : texts.groupChanged(name));
    return 0;
  });
}

async function remove(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const { config, positionals } = readArguments(args, environment);
  const [name = ''] = expectPositionals(positionals, 'NAME');
  return withDatabase(config, 'write', async (database) => {
    const actor = commandActor(`group delete ${name}`);
    await database.write(async (db) => deleteGroup(db, await findGroup(db, name), actor));
    console.out(texts.groupDeleted(name));
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
    const groups = await database.read(async (db) => listGroups(db, await readDefinitions(db)));
    for (const { name, label, members } of groups) {
      console.out([name, label === name ? '' : label, members.join(', ')].join('  ').trimEnd());
    }
    return 0;
  });
}
