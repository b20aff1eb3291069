import type { Database, Transaction } from '#server/database/database.ts';
import { readSetting, removeSetting, writeSetting } from '#server/database/installation.ts';
import { withProcessLock } from '#server/database/process-lock.ts';

const BEGUN = 'begun';
const DONE = 'done';

/**
 * Does work once in the life of an installation. Other processes wait until it is done, and begin it again where the
 * process that did it has died; so the work must bear to be begun again.
 * @param name of the work, as the installation remembers it
 * @param needed asked where nobody has begun it
 */
export async function runOncePerInstallation(
  database: Database,
  name: string,
  needed: (db: Transaction) => Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  const key = `once_${name}`;
  const begin = async (db: Transaction): Promise<boolean> => {
    const state = await readSetting(db, key);
    if (state === DONE || (state === undefined && !(await needed(db)))) return false;
    await writeSetting(db, key, BEGUN);
    return true;
  };
  await withProcessLock(database, 'once', new AbortController().signal, async () => {
    if (!(await database.write(begin))) return;
    try {
      await work();
    } catch (error) {
      await database.write((db) => removeSetting(db, key)).catch(() => undefined);
      throw error;
    }
    await database.write((db) => writeSetting(db, key, DONE));
  });
}
