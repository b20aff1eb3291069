import * as texts from '#messages/service/cli.ts';
import type { Transaction } from '#server/database/database.ts';
import {
  addInstallationSecret,
  removeOlderInstallationSecrets,
} from '#server/database/installation-secret.ts';
import { encryptTotpSecretsAgain } from '#server/modules/factors/factors.service.ts';
import { recordSystemHistory } from '#server/modules/history/history.service.ts';
import { commandActor } from './actor.ts';
import { commandOf } from './arguments.ts';
import { databaseAction } from './database-action.ts';

const replace = databaseAction('write', [], async ({ database, console }) => {
  await database.write(async (db) => {
    await addInstallationSecret(db);
    await encryptTotpSecretsAgain(db);
    await recordSecretChange(db, 'replaced');
  });
  console.out(texts.secretReplaced);
});

const removeOlder = databaseAction('write', [], async ({ database, console }) => {
  const removed = await database.write(async (db) => {
    const older = await removeOlderInstallationSecrets(db);
    if (older > 0) await recordSecretChange(db, 'older removed');
    return older;
  });
  console.out(texts.olderSecretsRemoved(removed));
});

/** `secret replace|remove-older`: the secret of the installation. */
export const secret = commandOf(
  { replace, 'remove-older': removeOlder },
  texts.secretActionUnknown,
);

/** Adds to the audit what was done with the secret. */
function recordSecretChange(db: Transaction, done: 'replaced' | 'older removed'): Promise<void> {
  return recordSystemHistory(db, commandActor('secret'), Date.now(), {
    scope: 'system',
    kind: 'change',
    rowId: 0,
    before: null,
    after: { secret: done },
  });
}
