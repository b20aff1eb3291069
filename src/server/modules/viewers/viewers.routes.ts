import { type AnyRoute, defineRoute, type RouteRequest } from '#server/http/route.ts';
import { viewersAnswer } from '#shared/desk.ts';
import { viewerBody } from '#shared/desk-requests.ts';
import { revisionIdSchema } from '#shared/requests.ts';
import { getRevision } from '../documents/documents.service.ts';
import { idParameter } from '../records/request.ts';
import { openViewers, type Look } from './viewers.service.ts';

const VIEWERS = '{archives}/:archive/documents/:revisionId/viewers';

/** Who else has a revision open (correction desk). Never an entry of the history. */
export function viewerRoutes(): AnyRoute[] {
  const viewers = openViewers();
  return [
    defineRoute({
      method: 'PUT',
      path: VIEWERS,
      summary: 'Tell that one has a revision open, and learn who else has',
      description:
        'Counts for 40 seconds, so it is to be called again before they are over. `editing`: whether there are ' +
        'unsaved changes.',
      target: 'archive',
      access: 'read',
      query: 'none',
      body: viewerBody,
      answer: viewersAnswer,
      status: 200,
      mode: 'write',
      idempotency: 'none',
      async handle(db, request) {
        const look = lookOf(request);
        await getRevision(db, look.archive, look.revisionId);
        return { body: { viewers: await viewers.look(db, look, request.body.editing) } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: VIEWERS,
      summary: 'Tell that one has closed a revision',
      target: 'archive',
      access: 'read',
      query: 'none',
      body: null,
      answer: null,
      status: 204,
      mode: 'write',
      idempotency: 'none',
      async handle(db, request) {
        await viewers.leave(db, lookOf(request));
        return {};
      },
    }),
  ];
}

function lookOf({ caller, target, params }: RouteRequest<'archive', unknown>): Look {
  const revisionId = idParameter(
    revisionIdSchema,
    params['revisionId'],
    'There is no revision of this id in this archive.',
  );
  return { caller, archive: target, revisionId };
}
