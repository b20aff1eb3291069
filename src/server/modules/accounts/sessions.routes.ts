import * as texts from '#messages/service/accounts.ts';
import { BASE } from '#server/http/paths.ts';
import {
  definePublicRoute,
  defineRoute,
  type AnyRoute,
  type Caller,
  type Client,
  FOR_OWN_ACCOUNT,
} from '#server/http/route.ts';
import { SECURE_SESSION_COOKIE, SESSION_COOKIE, sessionCookieName } from '#server/http/session.ts';
import type { Transaction } from '#server/database/database.ts';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { signInBody } from '#shared/contract/factor-requests.ts';
import { readLastPosition } from '../history/history.service.ts';
import { clearedSessionCookie, signInCookies } from './sign-in-cookies.ts';
import { requireRecentSignIn } from './session-confirmation.service.ts';
import { endOwnSession } from './session-ends.service.ts';
import type { Sessions } from './sessions.service.ts';

/** The calls about the caller's own session (docs/interface/decisions.md, section 2). */
export function sessionRoutes(sessions: Sessions): AnyRoute[] {
  return [signInRoute(sessions), ownSessionRoute(sessions), ...endRoutes()];
}

/** Later reads contain all changes up to this position; the event stream sends the others. */
async function eventPosition(db: Transaction) {
  return { 'last-event-id': String(await readLastPosition(db)) };
}

function signInRoute(sessions: Sessions): AnyRoute {
  return definePublicRoute({
    method: 'POST',
    path: 'application/sessions',
    summary: 'Sign in',
    description:
      `The answer sets the cookie \`${SESSION_COOKIE}\` (over https \`${SECURE_SESSION_COOKIE}\`), which every other ` +
      'call needs. An earlier session of the same browser ends, even if its cookie was deleted: a second cookie ' +
      'identifies the browser. If the user has a second factor, the correct password is answered 401 ' +
      '`second_factor_required` with `factors` and a `challenge`. Call again within five minutes with the challenge and ' +
      'either `totp` (a code of the authenticator app, or a recovery code) or an `assertion` of a passkey for ' +
      '`publicKey`. To sign in by a passkey alone, use a challenge of `application/sessions/challenges`. The answer has ' +
      'the header `Last-Event-ID`, like the answer about the session.',
    body: signInBody,
    answer: sessionsAnswer,
    status: 201,
    async handle(database, request) {
      const { body, client } = request;
      const signedIn = await sessions.signIn(database, body, request);
      return {
        body: { sessions: [signedIn.session] },
        headers: {
          'set-cookie': signInCookies(signedIn, client, `${BASE}application/sessions`),
          ...(await database.read(eventPosition)),
        },
      };
    },
  });
}

function ownSessionRoute(sessions: Sessions): AnyRoute {
  return defineRoute({
    method: 'GET',
    path: 'application/sessions',
    summary: "The caller's session",
    ...FOR_OWN_ACCOUNT,
    isAllowedBeforePasswordChange: true,
    isAllowedInView: true,
    description:
      'If an administrator sees as another user, the answer is about this user and has `seenBy`. The ' +
      'header `Last-Event-ID` is the position of the last event: a client that reads data after this answer, and then ' +
      'requests `application/events` from this position, misses no change.',
    answer: sessionsAnswer,
    async handle(db, { client }) {
      const session = await sessions.find(db, client.cookies.get(sessionCookieName(client)) ?? '');
      // A token with access to the calls about the account has no session.
      if (!session) throw new ApiError('not_found', texts.noSession);
      return {
        body: { sessions: [sessions.present(session)] },
        headers: await eventPosition(db),
      };
    },
  });
}

function endRoutes(): AnyRoute[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: 'application/sessions/:sessionId',
      summary: 'End one of the caller’s sessions',
      description:
        'To end another session than the one of the call, the caller must have signed in or confirmed the session within ' +
        'the last ten minutes, so that the thief of a session cannot lock out its user. Tokens need no such proof.',
      ...FOR_OWN_ACCOUNT,
      isAllowedBeforePasswordChange: true,
      answer: null,
      idempotency: 'none',
      async handle(db, request) {
        const { caller } = request;
        const id = request.params['sessionId'] ?? '';
        if (id !== caller.sessionId && !caller.scope) {
          await requireRecentSignIn(db, caller.sessionId);
        }
        return endSession(db, id, request);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: 'application/sessions',
      summary: "End the caller's session",
      ...FOR_OWN_ACCOUNT,
      isAllowedBeforePasswordChange: true,
      isAllowedInView: true,
      answer: null,
      idempotency: 'none',
      handle: (db, request) => endSession(db, request.caller.sessionId, request),
    }),
  ];
}

async function endSession(
  db: Transaction,
  id: string,
  { caller, client, call }: { caller: Caller; client: Client; call: string },
) {
  const { userId, username } = caller.viewer ?? caller;
  await endOwnSession(db, id, { userId, username, address: caller.address, call });
  return id === caller.sessionId ? { headers: { 'set-cookie': clearedSessionCookie(client) } } : {};
}
