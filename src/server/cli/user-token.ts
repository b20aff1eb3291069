import * as texts from '#messages/service/cli.ts';
import * as tokenTexts from '#messages/service/access-tokens.ts';
import { ConfigError, type GivenOptions } from '#server/config.ts';
import type { Transaction } from '#server/database/database.ts';
import { OperatorError } from '#server/lib/operator-error.ts';
import {
  createNamedToken,
  readTokensOf,
  revokeToken,
} from '#server/modules/accounts/stored-access-tokens.ts';
import { presentTokens, readTokenScope } from '#server/modules/accounts/token-scope.ts';
import type { User } from '#server/modules/accounts/users.service.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { visibleAmong } from '#server/modules/rights/rights.service.ts';
import { ACCESS_LEVELS } from '#shared/rules/rights.ts';
import { readInstant } from '#shared/values/iso-dates.ts';
import { givenNameSchema } from '#shared/contract/workspace-requests.ts';
import { commandActor } from './actor.ts';
import { commandOf, readArguments, type Command } from './arguments.ts';
import { databaseAction } from './database-action.ts';
import { withDatabase } from './with-database.ts';
import { findNamedUser } from './named-user.ts';

const add: Command = async (args, environment, console) => {
  const { config, positionals, own } = readArguments(args, environment, ['USERNAME'], {
    name: 'value',
    expires: 'value',
    right: 'value',
    archive: 'repeated',
    table: 'repeated',
    configuration: 'switch',
  });
  const [username = ''] = positionals;
  const requested = {
    ...readTokenOptions(own),
    configuration: own.has('configuration'),
    ...(own.has('archive') ? { archives: [...own.all('archive')] } : {}),
    ...(own.has('table') ? { tables: [...own.all('table')] } : {}),
  };
  return withDatabase(config, 'write', async (database) => {
    const found = await findNamedUser(database, username);
    if (found.disabled) throw new OperatorError(texts.tokenOfDisabled(found.username));
    const secret = await database.write(async (db) => {
      const owner = { role: found.role, scope: null };
      const visible = await visibleTo(db, found);
      const readScope = () => readTokenScope(visible, owner, requested);
      const actor = commandActor(`user token add ${found.username}`);
      const wanted = { ...requested, readScope, lifeDays: config.tokenLifeDays };
      return (await createNamedToken(db, found.id, wanted, actor)).secret;
    });
    console.out(texts.tokenAdded({ username: found.username, token: secret }));
    return 0;
  });
};

const list = databaseAction('read', ['USERNAME'], async ({ database, console }, username) => {
  const found = await findNamedUser(database, username);
  const tokens = await database.read(async (db) =>
    presentTokens(await visibleTo(db, found), await readTokensOf(db, found.id)),
  );
  for (const { tokenId, prefix, right, expiresAt, name, configuration, ...only } of tokens) {
    const places = only.archives && only.tables ? [...only.archives, ...only.tables] : null;
    const reach = [
      ...(configuration ? ['--configuration'] : []),
      ...(places ? [`(${places.join(', ')})`] : []),
    ];
    const aligned = right.padEnd('manage'.length);
    console.out([tokenId, `${prefix}…`, aligned, expiresAt, name, ...reach].join('  '));
  }
});

const remove = databaseAction(
  'write',
  ['USERNAME', 'TOKENID'],
  async ({ database, console }, username, tokenId) => {
    const found = await findNamedUser(database, username);
    const actor = commandActor(`user token delete ${found.username}`);
    await database.write((db) => revokeToken(db, found.id, tokenId, actor));
    console.out(texts.tokenDeleted(found.username));
  },
);

/** `user token add|list|delete`: the calls about tokens, for any user. */
export const userToken = commandOf({ add, list, delete: remove }, texts.tokenActionUnknown);

/** @throws {ConfigError} naming the flag that is missing or wrong */
function readTokenOptions(own: GivenOptions) {
  const name = givenNameSchema.safeParse(own.get('name') ?? '');
  if (!name.success) {
    throw new ConfigError(
      texts.flagWrong({ flag: 'name', problem: name.error.issues[0]?.message ?? '' }),
    );
  }
  const expiresAt = readInstant(own.get('expires') ?? '');
  if (typeof expiresAt !== 'number') {
    throw new ConfigError(texts.flagWrong({ flag: 'expires', problem: tokenTexts.expiryInvalid }));
  }
  const right = ACCESS_LEVELS.find((known) => known === own.get('right'));
  if (!right) throw new ConfigError(texts.tokenRightInvalid(ACCESS_LEVELS.join(', ')));
  return { name: name.data, expiresAt, right };
}

/** What the owner of a token sees. */
async function visibleTo(db: Transaction, { id: userId, role }: User) {
  return visibleAmong(db, await readDefinitions(db), { userId, role, scope: null });
}
