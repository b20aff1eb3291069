import { definePreparedRoute, type AnyRoute } from '#server/http/route.ts';
import { ApiError, type ErrorMessages } from '#shared/errors.ts';
import { nameKey } from '#shared/names.ts';
import { changePasswordBody } from '#shared/requests.ts';
import {
  attemptInSession,
  countFailure,
  forgive,
  standingOf,
  tooManyRequests,
} from '../sessions/throttle.service.ts';
import { Turns } from '../sessions/sessions.service.ts';
import { hashPassword, objectionTo, verifyPassword } from './passwords.service.ts';
import { findCredentials, setPassword } from './users.service.ts';

/** The calls about users that each may make for themselves (interface decisions, section 2). */
export function userRoutes(): AnyRoute[] {
  const turns = new Turns();
  return [
    definePreparedRoute({
      method: 'PUT',
      path: 'application/users/:username/password',
      summary: "Change one's own password",
      description: 'All other sessions of the user end.',
      target: 'none',
      access: 'read',
      query: 'none',
      body: changePasswordBody,
      answer: null,
      status: 204,
      idempotency: 'secret',
      async prepare(database, { caller, call, params, body }) {
        if (nameKey(params['username'] ?? '') !== nameKey(caller.username)) {
          throw new ApiError('forbidden', 'You can change only your own password.');
        }
        const attempt = attemptInSession(caller.sessionId);
        // In turn, so that guesses sent together are counted like guesses sent one after the other.
        const { user, right } = await turns.inTurn(attempt.own, async () => {
          const { user, standing } = await database.read(async (db) => ({
            user: await findCredentials(db, caller.username),
            standing: await standingOf(db, attempt, Date.now()),
          }));
          if (standing.wait > 0) throw tooManyRequests(standing.wait);
          const right = await verifyPassword(body.current, user?.passwordHash);
          if (!right) await countFailure(database, attempt, Date.now());
          return { user, right };
        });
        const objection = objectionTo(body.password, caller.username);
        const hash =
          right && !objection ? await hashPassword(body.password, caller.username) : null;

        return async (db) => {
          const current = await findCredentials(db, caller.username);
          const errors: ErrorMessages = {};
          if (!right || current?.passwordHash !== user?.passwordHash) {
            errors['current'] = ['This is not your current password.'];
          }
          if (objection) errors['password'] = [objection];
          if (!hash || Object.keys(errors).length > 0) {
            throw new ApiError('validation_failed', errors);
          }
          await setPassword(db, caller.userId, hash, caller.sessionId, { ...caller, call });
          await forgive(db, attempt);
          return {};
        };
      },
    }),
  ];
}
