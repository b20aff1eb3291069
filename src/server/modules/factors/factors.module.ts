import type { Module } from '#server/module.ts';
import { factorRoutes } from './factors.routes.ts';

/** Second factors: authenticator apps, passkeys and recovery codes. */
export const factors: Module = (app, { config, factorProofs, currentPasswords }) => {
  app.addCalls(
    factorRoutes({
      policy: config.secondFactor,
      publicUrl: config.publicUrl,
      proofs: factorProofs,
      passwords: currentPasswords,
    }),
  );
};
