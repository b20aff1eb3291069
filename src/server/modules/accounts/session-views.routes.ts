import { defineRoute, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import type { Sessions } from './sessions.service.ts';
import { requireUser } from './user-configuration.service.ts';

/**
 * The calls with which an administrator views the service as another user (docs/interface/administration.md, section
 * 2).
 */
export function sessionViewRoutes(sessions: Sessions): AnyRoute[] {
  return [
    defineRoute({
      method: 'POST',
      path: 'configuration/users/:username/see-as',
      summary: 'See as another user',
      description:
        'From now on the session of the caller reads what this user reads, and nothing else; calls that write are 403. It ends ' +
        'with `DELETE application/see-as` or the session. Begin and end are entries of the audit.',
      ...FOR_ADMINISTRATORS,
      access: 'manage',
      answer: null,
      idempotency: 'none',
      async handle(db, { params, caller, call }) {
        const user = await requireUser(db, params['username'] ?? '');
        await sessions.startView(db, user, caller, call);
        return {};
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: 'application/see-as',
      summary: 'End seeing as another user',
      isInView: true,
      target: 'none',
      access: 'read',
      answer: null,
      idempotency: 'none',
      async handle(db, { caller, call }) {
        await sessions.endView(db, caller, call);
        return {};
      },
    }),
  ];
}
