import {
  defineRead,
  defineRoute,
  type AnyRoute,
  FOR_ADMINISTRATORS,
  FOR_OWN_ACCOUNT,
} from '#server/http/route.ts';
import { openSessionsAnswer } from '#shared/contract/configuration-people.ts';
import { endAnySession } from './session-ends.service.ts';
import { listSessions } from './sessions.service.ts';

/** The active sessions: all of them for administrators, their own for users. */
export function openSessionRoutes(): AnyRoute[] {
  return [
    defineRead({
      path: 'application/sessions/all',
      summary: "The caller's sessions on all devices, last used first",
      ...FOR_OWN_ACCOUNT,
      answer: openSessionsAnswer,
      handle: async (db, { caller }) => ({
        body: { sessions: await listSessions(db, caller.userId) },
      }),
    }),
    defineRead({
      path: 'configuration/sessions',
      summary: 'The sessions of all users, last used first',
      ...FOR_ADMINISTRATORS,
      answer: openSessionsAnswer,
      handle: async (db) => ({ body: { sessions: await listSessions(db, null) } }),
    }),
    defineRoute({
      method: 'DELETE',
      path: 'configuration/sessions/:sessionId',
      summary: 'End a session of any user',
      ...FOR_ADMINISTRATORS,
      access: 'manage',
      answer: null,
      idempotency: 'none',
      async handle(db, { params, caller, call }) {
        await endAnySession(db, params['sessionId'] ?? '', { ...caller, call });
        return {};
      },
    }),
  ];
}
