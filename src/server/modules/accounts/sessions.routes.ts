import * as texts from '#messages/service/accounts.ts';
import { BASE } from '#server/http/paths.ts';
import {
  definePublicRoute,
  defineRoute,
  type AnyRoute,
  type Caller,
  type Client,
} from '#server/http/route.ts';
import { SECURE_SESSION_COOKIE, SESSION_COOKIE, sessionCookieName } from '#server/http/session.ts';
import type { Transaction } from '#server/database/database.ts';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { signInBody } from '#shared/contract/requests.ts';
import { readLastPosition } from '../history/history.service.ts';
import { clearedSessionCookie, deviceCookie, sessionCookie } from './cookies.ts';
import type { Sessions } from './sessions.service.ts';

/** The calls about one's own session (docs/interface/decisions.md, section 2). */
export function sessionRoutes(sessions: Sessions): AnyRoute[] {
  const end = async (
    db: Transaction,
    id: string,
    { caller, client, call }: { caller: Caller; client: Client; call: string },
  ) => {
    await sessions.end(db, id, { ...caller, call });
    return id === caller.sessionId
      ? { headers: { 'set-cookie': clearedSessionCookie(client) } }
      : {};
  };
  // Later reads contain all changes up to this position; the event stream sends the others.
  const placeOfEvents = async (db: Transaction) => ({
    'last-event-id': String(await readLastPosition(db)),
  });
  return [
    definePublicRoute({
      method: 'POST',
      path: 'application/sessions',
      summary: 'Sign in',
      description:
        `The answer sets the cookie \`${SESSION_COOKIE}\` (over https \`${SECURE_SESSION_COOKIE}\`), which every other ` +
        'call needs. A session that the browser had before ends, also where its cookie is gone: the browser is known by a ' +
        'cookie of its own. The answer has the header ' +
        '`Last-Event-ID` as the one about the session does.',
      query: 'none',
      body: signInBody,
      answer: sessionsAnswer,
      status: 201,
      async handle(database, { body, client, call, signal, log }) {
        const { session, token, userId, deviceToken } = await sessions.signIn(
          database,
          body.username,
          body.password,
          client,
          { call, signal, log },
        );
        const cookie = sessionCookie(token, client);
        // The cookie of a known browser is sent to this path only.
        const path = `${BASE}application/sessions`;
        const cookies =
          deviceToken === null ? cookie : [cookie, deviceCookie(userId, deviceToken, client, path)];
        return {
          body: { sessions: [session] },
          headers: { 'set-cookie': cookies, ...(await database.read(placeOfEvents)) },
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: 'application/sessions',
      summary: "The caller's session",
      description:
        'The header `Last-Event-ID` says how far the events have come: who reads after this answer, and then listens ' +
        'to `application/events` from there, misses nothing.',
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: sessionsAnswer,
      status: 200,
      mode: 'read',
      async handle(db, { client }) {
        const session = await sessions.find(
          db,
          client.cookies.get(sessionCookieName(client)) ?? '',
        );
        if (!session) throw new ApiError('unauthenticated', texts.signInFirst);
        return {
          body: { sessions: [sessions.present(session)] },
          headers: await placeOfEvents(db),
        };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: 'application/sessions/:sessionId',
      summary: 'End a session of one’s own',
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: null,
      status: 204,
      mode: 'write',
      idempotency: 'none',
      handle: (db, request) => end(db, request.params['sessionId'] ?? '', request),
    }),
    defineRoute({
      method: 'DELETE',
      path: 'application/sessions',
      summary: "End the caller's session",
      target: 'none',
      access: 'read',
      query: 'none',
      body: null,
      answer: null,
      status: 204,
      mode: 'write',
      idempotency: 'none',
      handle: (db, request) => end(db, request.caller.sessionId, request),
    }),
  ];
}
