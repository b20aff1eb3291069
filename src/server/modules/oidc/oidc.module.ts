import { BASE } from '#server/http/paths.ts';
import type { Module } from '#server/module.ts';
import { CALLBACK, oidcRoutes } from './oidc.routes.ts';
import { openProvider } from './provider.ts';
import { deleteExpiredTokens, hasExpiredTokens } from './used-tokens.store.ts';

/** Signing in with an OpenID Connect provider. */
export const oidc: Module = (app, { config, database, sessions, refusals, housekeeping }) => {
  const settings = config.oidc;
  const provider =
    settings &&
    openProvider(settings, `${settings.publicUrl}${BASE}${CALLBACK}`, (error) =>
      app.log.warn({ err: error }, 'the provider has not signed in anybody'),
    );
  housekeeping.add(async () => {
    const now = Date.now();
    if (!(await database.read((db) => hasExpiredTokens(db, now)))) return;
    await database.write((db) => deleteExpiredTokens(db, now));
  });
  app.addCalls(oidcRoutes({ sessions, refusals, provider }));
};
