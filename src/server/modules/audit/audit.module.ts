import type { Module } from '#server/module.ts';
import { callOf } from '#server/http/paths.ts';
import { auditRoutes } from './audit.routes.ts';

/** The audit of all actions, for administrators. */
export const audit: Module = (app, { database, refusals }) => {
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { signedIn, ip } = request;
    if (statusCode !== 403 || !signedIn) return;
    // Until a password is changed or a second factor is set up nearly every call is rejected, which has no
    // significance; so is every write while an administrator views the service as another user.
    if (signedIn.passwordChangeRequired || signedIn.secondFactorEnrolmentRequired) return;
    if (signedIn.viewer) return;
    const call = callOf(request);
    if (call === null) return;
    refusals.add({ user: signedIn, address: ip, call, reason: 'forbidden' });
  });
  app.addCalls(auditRoutes(database));
};
