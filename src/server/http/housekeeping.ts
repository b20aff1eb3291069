import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { forgetOldAnswers, hasOldAnswers } from './idempotency.ts';
import type { Service } from './service.ts';

const EVERY = 30_000;
/** Longer than any request lasts; other processes may be receiving into the same directory. */
const UPLOADS_LEFT_AFTER = 24 * 60 * 60_000;

/**
 * Removes now and then what is no longer needed, and ends with the app.
 * @param chores the modules' own
 */
export function keepHouse(
  app: FastifyInstance,
  { database, incomingDir }: Service,
  chores: readonly (() => Promise<void>)[],
): void {
  let underWay: Promise<void> = Promise.resolve();
  let rounds = 0;
  const round = async () => {
    const now = Date.now();
    const all = [...chores];
    if (rounds++ % 100 === 0) {
      all.push(() => removeLeftUploads(incomingDir, now - UPLOADS_LEFT_AFTER));
      all.push(async () => {
        if (!(await database.read((db) => hasOldAnswers(db, now)))) return;
        await database.write((db) => forgetOldAnswers(db, now));
      });
    }
    for (const chore of all) {
      await chore().catch((error: unknown) => app.log.warn({ err: error }, 'housekeeping failed'));
    }
  };
  const timer = setInterval(() => {
    underWay = underWay.then(round);
  }, EVERY).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await underWay;
  });
}

/** Uploads of requests that a crash interrupted. */
async function removeLeftUploads(directory: string, before: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}
