import { deleteRowsBefore } from '#server/database/expired-rows.ts';
import { BASE } from '#server/http/paths.ts';
import type { Module } from '#server/module.ts';
import { CALLBACK, oidcRoutes } from './oidc.routes.ts';
import { openProvider } from './provider.ts';

/** Signing in with an OpenID Connect provider. */
export const oidc: Module = (app, { config, database, sessions, refusals, housekeeping }) => {
  const settings = config.oidc;
  const provider =
    settings &&
    openProvider(settings, `${settings.publicUrl}${BASE}${CALLBACK}`, (error) =>
      app.log.warn({ err: error }, 'the provider has not signed in anybody'),
    );
  housekeeping.add(() => deleteRowsBefore(database, 'used_tokens', Date.now()));
  app.addCalls(oidcRoutes({ sessions, refusals, provider }));
};
