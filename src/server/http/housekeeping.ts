import type { FastifyInstance } from 'fastify';
import { BackgroundLoop } from '#server/background-loop.ts';
import { removeOldAnswers, hasOldAnswers } from './idempotency.ts';
import type { Service } from './service.ts';

/** Milliseconds. */
const INTERVAL = 30_000;
/** In milliseconds: longer than any request lasts, as other processes may be receiving into the same place. */
const ABANDONED_UPLOAD_AGE = 24 * 60 * 60_000;

/**
 * Removes at intervals what is no longer needed, until the app closes.
 * @param chores the modules' own
 * @param sweepUploads removes what is left of requests that began before a time (milliseconds since 1970)
 */
export function keepHouse(
  app: FastifyInstance,
  { database }: Service,
  chores: readonly (() => Promise<void>)[],
  sweepUploads: (before: number) => Promise<void>,
): void {
  let rounds = 0;
  const loop = new BackgroundLoop({
    name: 'housekeeping',
    log: app.log,
    firstPause: INTERVAL,
    async run() {
      const now = Date.now();
      const all = [...chores];
      if (rounds++ % 100 === 0) {
        all.push(() => sweepUploads(now - ABANDONED_UPLOAD_AGE));
        all.push(async () => {
          if (!(await database.read((db) => hasOldAnswers(db, now)))) return;
          await database.write((db) => removeOldAnswers(db, now));
        });
      }
      for (const chore of all) {
        await chore().catch((error: unknown) =>
          app.log.warn({ err: error }, 'housekeeping failed'),
        );
      }
      return INTERVAL;
    },
  });
  app.addHook('onClose', () => loop.close());
}
