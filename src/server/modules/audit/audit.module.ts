import type { Module } from '#server/module.ts';
import { BASE } from '#server/http/paths.ts';
import { auditRoutes } from './audit.routes.ts';

/** The audit of all actions, for administrators. */
export const audit: Module = (app, { database, refusals }) => {
  app.addHook('onResponse', async ({ signedIn, ip, method, routeOptions }, { statusCode }) => {
    const pattern = routeOptions.config.call?.pattern;
    if (statusCode !== 403 || !signedIn) return;
    // Until a password is changed or a second factor is set up nearly every call is rejected, which has no
    // significance; so is every write while an administrator views the service as another user.
    if (signedIn.passwordChangeRequired || signedIn.secondFactorEnrolmentRequired) return;
    if (signedIn.viewer) return;
    if (pattern === undefined) return;
    const call = `${method} ${pattern.slice(BASE.length)}`;
    refusals.add({ user: signedIn, address: ip, call, reason: 'forbidden' });
  });
  app.addCalls(auditRoutes(database));
};
