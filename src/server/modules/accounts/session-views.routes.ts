import { defineRoute, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { endView, startView } from './session-views.service.ts';
import { userOf } from './user-configuration.service.ts';

/**
 * The calls with which an administrator views the service as another user (docs/interface/administration.md, section
 * 2).
 */
export function sessionViewRoutes(): AnyRoute[] {
  return [
    defineRoute({
      method: 'POST',
      path: 'configuration/users/:username/see-as',
      summary: 'See as another user',
      description:
        'From now on the caller’s session reads what this user may read, and nothing else; calls that write are answered ' +
        '403. The view ends with `DELETE application/see-as` or with the session. The audit has an entry for its ' +
        'beginning and its end.',
      ...FOR_ADMINISTRATORS,
      access: 'manage',
      answer: null,
      idempotency: 'none',
      async handle(db, { params, caller, call }) {
        const user = await userOf(db, params);
        await startView(db, user, caller, call);
        return {};
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: 'application/see-as',
      summary: 'End seeing as another user',
      isAllowedInView: true,
      target: 'none',
      access: 'read',
      answer: null,
      idempotency: 'none',
      async handle(db, { caller, call }) {
        await endView(db, caller, call);
        return {};
      },
    }),
  ];
}
