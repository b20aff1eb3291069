import { type AnyRoute, defineRead, defineRoute, type RouteRequest } from '#server/http/route.ts';
import { lastViewAnswer, viewsAnswer } from '#shared/desk.ts';
import { lastViewBody, viewBody } from '#shared/desk-requests.ts';
import { revisionIdSchema } from '#shared/requests.ts';
import { idParameter } from '../records/request.ts';
import {
  changeView,
  createView,
  deleteView,
  listViews,
  readLastView,
  writeLastView,
  type Asking,
} from './views.service.ts';

const VIEWS = '{archives}/:archive/views';
const VIEW = `${VIEWS}/:viewId`;
const LAST = '{archives}/:archive/lastview';

/** Saved views of an archive's list (correction desk). */
export function viewRoutes(): AnyRoute[] {
  return [
    defineRead({
      path: VIEWS,
      summary: 'List one’s own views and those for all who see the archive',
      target: 'archive',
      answer: viewsAnswer,
      async handle(db, request) {
        return { body: { views: await listViews(db, askingOf(request)) } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: VIEWS,
      summary: 'Save a view',
      description: 'A view for all who see the archive needs the right to manage it.',
      target: 'archive',
      access: 'read',
      query: 'none',
      body: viewBody,
      answer: viewsAnswer,
      status: 201,
      mode: 'write',
      async handle(db, request) {
        return { body: { views: [await createView(db, askingOf(request), request.body)] } };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: VIEW,
      summary: 'Change or rename a view',
      target: 'archive',
      access: 'read',
      query: 'none',
      body: viewBody,
      answer: viewsAnswer,
      status: 200,
      mode: 'write',
      async handle(db, request) {
        const view = await changeView(db, askingOf(request), viewIdOf(request), request.body);
        return { body: { views: [view] } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: VIEW,
      summary: 'Delete a view',
      target: 'archive',
      access: 'read',
      query: 'none',
      body: null,
      answer: null,
      status: 204,
      mode: 'write',
      async handle(db, request) {
        await deleteView(db, askingOf(request), viewIdOf(request));
        return {};
      },
    }),
    defineRead({
      path: LAST,
      summary: 'The list as one left it last',
      target: 'archive',
      answer: lastViewAnswer,
      async handle(db, { target, caller }) {
        return { body: { search: await readLastView(db, target, caller.userId) } };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: LAST,
      summary: 'Remember how one leaves the list',
      target: 'archive',
      access: 'read',
      query: 'none',
      body: lastViewBody,
      answer: lastViewAnswer,
      status: 200,
      mode: 'write',
      idempotency: 'none',
      async handle(db, { target, caller, body }) {
        await writeLastView(db, target, caller.userId, body.search);
        return { body: { search: body.search } };
      },
    }),
  ];
}

function askingOf({ caller, target, access }: RouteRequest<'archive', unknown>): Asking {
  return { userId: caller.userId, archive: target, access };
}

function viewIdOf({ params }: RouteRequest<'archive', unknown>): number {
  return idParameter(
    revisionIdSchema,
    params['viewId'],
    'There is no view of this id in this archive.',
  );
}
