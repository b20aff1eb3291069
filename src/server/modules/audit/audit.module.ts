import type { FastifyRequest } from 'fastify';
import type { Module } from '#server/module.ts';
import { callOf } from '#server/http/paths.ts';
import { auditRoutes } from './audit.routes.ts';

/** The audit of all actions, for administrators. */
export const audit: Module = (app, { refusals }) => {
  const recordRefusal = (request: FastifyRequest): void => {
    const { signedIn, ip } = request;
    if (!signedIn) return;
    // Until a password is changed or a second factor is set up nearly every call is rejected, which has no
    // significance; so is every write while an administrator views the service as another user.
    if (signedIn.passwordChangeRequired || signedIn.secondFactorEnrolmentRequired) return;
    if (signedIn.viewer) return;
    const call = callOf(request);
    if (call === null) return;
    refusals.add({ user: signedIn, address: ip, call, reason: 'forbidden' });
  };
  app.addHook('onResponse', (request, { statusCode }, done) => {
    if (statusCode === 403) recordRefusal(request);
    done();
  });
  app.addCalls(auditRoutes());
};
