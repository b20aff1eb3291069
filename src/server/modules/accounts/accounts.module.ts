import type { FastifyRequest } from 'fastify';
import { callOf } from '#server/http/paths.ts';
import type { SignedIn } from '#server/http/http-services.ts';
import type { Module } from '#server/module.ts';
import { PendingWork } from '#server/lib/pending-work.ts';
import { accessTokenRoutes } from './access-tokens.routes.ts';
import { openSessionRoutes } from './configuration-sessions.routes.ts';
import { configurationUserRoutes } from './configuration-users.routes.ts';
import { sessionViewRoutes } from './session-views.routes.ts';
import { identityRoutes } from './identities.routes.ts';
import { identityProofRoutes } from './identity-proofs.routes.ts';
import { ownFactorRoutes } from './own-factors.routes.ts';
import { sweepSessions } from './session-ends.service.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { userRoutes } from './users.routes.ts';

/** Users, their sessions, tokens and second factors. */
export const accounts: Module = (
  app,
  {
    config,
    database,
    definitions,
    sessions,
    accessTokens,
    factorProofs,
    currentPasswords,
    refusals,
    housekeeping,
  },
) => {
  const prolonging = new PendingWork();
  const storeTokenUse = (request: FastifyRequest, signedIn: SignedIn) =>
    accessTokens
      .recordUse(database, signedIn, { address: request.ip, call: callOf(request) ?? '' })
      .catch((error: unknown) => request.log.warn({ err: error }, 'use of a token was not stored'));
  // The first use of a token is recorded before the response.
  app.addHook('onSend', async (request, _reply, payload) => {
    const { signedIn } = request;
    if (signedIn?.scope && signedIn.lastSeenAt === 0) await storeTokenUse(request, signedIn);
    return payload;
  });
  app.addHook('onResponse', (request, _reply, done) => {
    const { signedIn, log, routeOptions } = request;
    // An event stream does not extend its session.
    if (signedIn && routeOptions.config.cost !== 'stream') {
      const recorded = signedIn.scope
        ? storeTokenUse(request, signedIn)
        : sessions
            .recordUse(database, signedIn)
            .catch((error: unknown) => log.warn({ err: error }, 'a session was not prolonged'));
      void prolonging.add(recorded);
    }
    done();
  });
  app.addHook('onClose', () => prolonging.settled());
  housekeeping.add(() => sweepSessions(database));
  housekeeping.add(() => accessTokens.sweep(database));
  app.addCalls([
    ...sessionRoutes(sessions),
    ...accessTokenRoutes(accessTokens, definitions, config.tokenLifeDays),
    ...openSessionRoutes(),
    ...sessionViewRoutes(),
    ...userRoutes(currentPasswords),
    ...configurationUserRoutes(definitions, config.oneTimePasswordDays),
    ...identityRoutes(config.oidc),
    ...identityProofRoutes({
      publicUrl: config.publicUrl,
      proofs: factorProofs,
      passwords: currentPasswords,
      refusals,
    }),
    ...ownFactorRoutes({ policy: config.secondFactor, publicUrl: config.publicUrl }),
  ]);
};
