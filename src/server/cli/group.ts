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
import { changeGroupBody } from '#shared/contract/configuration-people-requests.ts';
import { nameSchema } from '#shared/rules/name-schemas.ts';
import { commandActor } from './actor.ts';
import { commandOf, readArguments, type Command } from './arguments.ts';
import { databaseAction } from './database-action.ts';
import { withDatabase } from './with-database.ts';
import { readGivenRights, requireAccepted, RIGHT_OPTIONS, rightsOf } from './user-arguments.ts';

const write =
  (action: 'add' | 'set'): Command =>
  async (args, environment, console) => {
    const { config, positionals, own } = readArguments(args, environment, ['NAME'], {
      ...RIGHT_OPTIONS,
      label: 'value',
      member: 'repeated',
    });
    const [name = ''] = positionals;
    const givenRights = readGivenRights(own);
    const actor = commandActor(`group ${action} ${name}`);
    const label = own.get('label');
    if (action === 'add') requireAccepted(nameSchema, name, 'NAME');
    requireAccepted(changeGroupBody.shape.group.shape.label, label, '--label');
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
  };

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

/** `group add|set|delete|list`. */
export const group = commandOf(
  { add: write('add'), set: write('set'), delete: remove, list },
  texts.groupActionUnknown,
);
