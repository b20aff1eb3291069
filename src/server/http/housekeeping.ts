import type { FastifyInstance } from 'fastify';
import { removeOldAnswers, hasOldAnswers } from './idempotency.ts';
import type { Service } from './service.ts';

const EVERY = 30_000;
/** Longer than any request lasts; other processes may be receiving into the same place. */
const UPLOADS_LEFT_AFTER = 24 * 60 * 60_000;

/**
 * Removes now and then what is no longer needed, and ends with the app.
 * @param chores the modules' own
 * @param sweepUploads removes what is left of requests that began before a time (milliseconds since 1970)
 */
export function keepHouse(
  app: FastifyInstance,
  { database }: Service,
  chores: readonly (() => Promise<void>)[],
  sweepUploads: (before: number) => Promise<void>,
): void {
  let underWay: Promise<void> = Promise.resolve();
  let rounds = 0;
  const round = async () => {
    const now = Date.now();
    const all = [...chores];
    if (rounds++ % 100 === 0) {
      all.push(() => sweepUploads(now - UPLOADS_LEFT_AFTER));
      all.push(async () => {
        if (!(await database.read((db) => hasOldAnswers(db, now)))) return;
        await database.write((db) => removeOldAnswers(db, now));
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
