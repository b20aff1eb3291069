import * as texts from '#messages/service/cli.ts';
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
import {
  expectPositionals,
  readArguments,
  runAction,
  type Actions,
  type Environment,
  type Command,
} from './arguments.ts';
import type { Console } from './console.ts';
import { databaseAction } from './database-action.ts';
import { withDatabase } from './with-database.ts';
import { readGivenRights, RIGHT_OPTIONS, rightsOf } from './user-arguments.ts';

/** `group add|set|delete|list`. @returns the exit code */
export const group: Command = async (args, environment, console) => {
  const actions: Actions = {
    add: (...given) => write('add', ...given),
    set: (...given) => write('set', ...given),
    delete: remove,
    list,
  };
  return runAction(actions, args, environment, console, texts.groupActionUnknown);
};

async function write(
  action: 'add' | 'set',
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const { config, positionals, own } = readArguments(args, environment, {
    ...RIGHT_OPTIONS,
    label: 'value',
    member: 'repeated',
  });
  const givenRights = readGivenRights(own);
  const [name = ''] = expectPositionals(positionals, 'NAME');
  const actor = commandActor(`group ${action} ${name}`);
  const label = own.get('label');
  const members = own.has('member') ? [...own.all('member')] : undefined;
  return withDatabase(config, 'write', async (database) => {
    await database.write(async (db) => {
      const defined = await readDefinitions(db);
      if (action === 'add') {
        const rights = rightsOf(givenRights, defined, { archives: {}, tables: {} });
        await createGroup(db, defined, { name, label, members, rights }, actor);
        return;
      }
      const found = await findGroup(db, name);
      const current = await presentGroup(db, defined, found);
      const rights = rightsOf(givenRights, defined, current.rights);
      await changeGroup(db, defined, found, { label, members, rights }, actor);
    });
    console.out(action === 'add' ? texts.groupAdded(name) : texts.groupChanged(name));
    return 0;
  });
}

const remove = databaseAction('write', ['NAME'], async ({ database, console }, name) => {
  const actor = commandActor(`group delete ${name}`);
  await database.write(async (db) => deleteGroup(db, await findGroup(db, name), actor));
  console.out(texts.groupDeleted(name));
});

const list = databaseAction('read', [], async ({ database, console }) => {
  const groups = await database.read(async (db) => listGroups(db, await readDefinitions(db)));
  for (const { name, label, members } of groups) {
    console.out([name, label === name ? '' : label, members.join(', ')].join('  ').trimEnd());
  }
});
