import * as texts from '#messages/service/cli.ts';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import type { FileStore } from '#server/modules/files/file-store.ts';
import { hashPassword } from '#server/modules/passwords/passwords.service.ts';
import {
  createUser,
  findUser,
  hasActiveAdministrator,
} from '#server/modules/accounts/users.service.ts';
import { commandActor } from './actor.ts';
import type { Console } from './console.ts';
import { runOncePerInstallation } from './run-once-per-installation.ts';
import { generatePassword } from '#server/modules/passwords/generated-passwords.ts';

const ADMIN = 'admin';

/**
 * Creates the user `admin` if the installation has no active administrator. A generated password has to be changed at
 * the first sign-in; one that the operator has set does not.
 * @throws {ApiError} 422 if the configured password is not acceptable
 */
export async function ensureAdministrator(
  database: Database,
  config: Pick<Config, 'adminPassword'>,
  console: Console,
): Promise<void> {
  const [hasAdministrator, admin] = await database.read(async (db) => [
    await hasActiveAdministrator(db),
    await findUser(db, ADMIN),
  ]);
  if (hasAdministrator) return;
  if (admin) {
    console.err(texts.noAdministrator(ADMIN));
    return;
  }
  // A generated password is in the log, where others may read it later.
  const isGenerated = config.adminPassword === undefined;
  const password = config.adminPassword ?? generatePassword();
  const passwordHash = await hashPassword(password, ADMIN);
  const created = await database.write(async (db) => {
    // Another process may have created it in the meantime.
    if (await hasActiveAdministrator(db)) return false;
    const user = {
      username: ADMIN,
      displayName: 'Administrator',
      role: 'administrator',
      passwordHash,
      mustChangePassword: isGenerated,
      rights: [],
    } as const;
    await createUser(db, user, commandActor('serve'));
    return true;
  });
  if (created && isGenerated) {
    console.err(texts.adminCreated({ admin: ADMIN, password }));
  }
}

/** Loads the sample content into a database without archives and tables, once per installation. */
export async function loadSample(
  database: Database,
  files: FileStore,
  { timeZone }: Pick<Config, 'timeZone'>,
  console: Console,
): Promise<void> {
  await runOncePerInstallation(database, 'sample', isEmpty, () =>
    loadSampleNow(database, files, timeZone, console),
  );
}

async function isEmpty(db: Transaction): Promise<boolean> {
  const { archives, tables } = await readDefinitions(db);
  return archives.length + tables.length === 0;
}

/** In a checkout as in an installed package. */
const SAMPLE = join(import.meta.dirname, '../../../examples/invoices/invoices.json');

async function loadSampleNow(
  database: Database,
  files: FileStore,
  timeZone: string,
  console: Console,
): Promise<void> {
  // The loader is needed at the first start only.
  const { loadDefinition } = await import('#server/modules/loading/loading.service.ts');
  const ignore = () => undefined;
  const log = (line: string) => console.err(line);
  const report = { progress: ignore, info: ignore, warn: log, fail: log };
  const options = { skipBadRows: null, timeZone };
  const { complete } = await loadDefinition(database, files, SAMPLE, options, report);
  if (complete) console.err(texts.sampleLoaded);
}
