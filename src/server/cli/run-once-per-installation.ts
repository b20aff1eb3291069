import type { Database, Transaction } from '#server/database/database.ts';
import { readSetting, removeSetting, writeSetting } from '#server/database/installation.ts';
import { withProcessLock } from '#server/database/process-lock.ts';

const STARTED = 'begun';
const DONE = 'done';

/**
 * Runs work once in the life of an installation. Other processes wait until it has ended, and run it again if the process
 * that ran it has died; so the work must be repeatable.
 * @param name of the work, stored in the installation
 * @param needed evaluated if the work has never been started
 */
export async function runOncePerInstallation(
  database: Database,
  name: string,
  needed: (db: Transaction) => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  const key = `once_${name}`;
  const start = async (db: Transaction): Promise<boolean> => {
    const state = await readSetting(db, key);
    if (state === DONE || (state === undefined && !(await needed(db)))) return false;
    await writeSetting(db, key, STARTED);
    return true;
  };
  await withProcessLock(database, 'once', new AbortController().signal, async () => {
    if (!(await database.write(start))) return;
    try {
      await work();
    } catch (error) {
      await database.write((db) => removeSetting(db, key)).catch(() => undefined);
      throw error;
    }
    await database.write((db) => writeSetting(db, key, DONE));
  });
}
