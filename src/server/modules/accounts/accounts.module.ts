import type { Module } from '#server/module.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { userRoutes } from './users.routes.ts';

/** Users and their sessions. */
export const accounts: Module = (app, { database, sessions, housekeeping }) => {
  const prolonging = new Set<Promise<void>>();
  app.addHook('onResponse', async ({ signedIn, log, routeOptions }) => {
    // An event stream does not extend its session.
    if (!signedIn || routeOptions.config.cost === 'stream') return;
    const seen = sessions
      .seen(database, signedIn)
      .catch((error: unknown) => log.warn({ err: error }, 'a session was not prolonged'));
    prolonging.add(seen);
    void seen.finally(() => prolonging.delete(seen));
  });
  app.addHook('onClose', async () => {
    await Promise.all(prolonging);
  });
  housekeeping.add(() => sessions.sweep(database));
  app.addCalls([...sessionRoutes(sessions), ...userRoutes()]);
};
