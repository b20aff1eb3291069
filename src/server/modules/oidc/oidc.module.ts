import { deleteRowsBefore } from '#server/database/expired-rows.ts';
import { BASE } from '#server/http/paths.ts';
import type { Module } from '#server/module.ts';
import { CALLBACK, oidcRoutes } from './oidc.routes.ts';

/** Signing in with an OpenID Connect provider. */
export const oidc: Module = async (app, { config, database, sessions, refusals, housekeeping }) => {
  const settings = config.oidc;
  // Loaded only where a provider is set: its libraries take 20 MB of memory.
  const provider =
    settings &&
    (await import('./provider.ts')).openProvider(
      settings,
      `${settings.publicUrl}${BASE}${CALLBACK}`,
      (error) => app.log.warn({ err: error }, 'the provider has not signed in anybody'),
    );
  housekeeping.add(() => deleteRowsBefore(database, 'used_tokens', Date.now()));
  app.addCalls(oidcRoutes({ sessions, refusals, provider }));
};
