import type { CollectionKind } from '#shared/rules/names.ts';
import * as texts from '#messages/service/workspace.ts';
import { type AnyRoute, defineRead, defineRoute, type RouteRequest } from '#server/http/route.ts';
import { lastViewAnswer, viewsAnswer } from '#shared/contract/workspace-answers.ts';
import { lastViewBody, viewBody } from '#shared/contract/workspace-requests.ts';
import { countedIdSchema } from '#shared/contract/requests.ts';
import { idParameter } from '../records/write-request.ts';
import {
  changeView,
  createView,
  deleteView,
  listViews,
  readLastView,
  writeLastView,
  type ViewContext,
} from './views.service.ts';

/** Saved views of the lists of archives and data tables. */
export function viewRoutes(): AnyRoute[] {
  return [...routesOf('archive', '{archives}/:archive'), ...routesOf('table', '{tables}/:guid')];
}

function routesOf(target: CollectionKind, path: string): AnyRoute[] {
  return [
    ...savedViewRoutes(target, `${path}/views`),
    ...lastViewRoutes(target, `${path}/lastview`),
  ];
}

function savedViewRoutes(target: CollectionKind, views: string): AnyRoute[] {
  const view = `${views}/:viewId`;
  return [
    defineRead({
      path: views,
      summary: `List the caller’s views, and the shared views of the ${target}`,
      target,
      answer: viewsAnswer,
      async handle(db, request) {
        return { body: { views: await listViews(db, viewContextOf(request)) } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: views,
      summary: 'Save a view',
      description: `A view for all who see the ${target} needs the right to manage it.`,
      target,
      access: 'read',
      body: viewBody,
      answer: viewsAnswer,
      status: 201,
      async handle(db, request) {
        return { body: { views: [await createView(db, viewContextOf(request), request.body)] } };
      },
    }),
    defineRoute({
      method: 'PUT',
      path: view,
      summary: 'Change or rename a view',
      target,
      access: 'read',
      body: viewBody,
      answer: viewsAnswer,
      async handle(db, request) {
        const changed = await changeView(
          db,
          viewContextOf(request),
          viewIdOf(request),
          request.body,
        );
        return { body: { views: [changed] } };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: view,
      summary: 'Delete a view',
      target,
      access: 'read',
      answer: null,
      async handle(db, request) {
        await deleteView(db, viewContextOf(request), viewIdOf(request));
        return {};
      },
    }),
  ];
}

function lastViewRoutes(target: CollectionKind, path: string): AnyRoute[] {
  return [
    defineRead({
      path,
      summary: 'The caller’s last state of the list',
      target,
      answer: lastViewAnswer,
      async handle(db, { target, caller }) {
        return { body: { search: await readLastView(db, target, caller.userId) } };
      },
    }),
    defineRoute({
      method: 'PUT',
      path,
      summary: 'Store the caller’s state of the list',
      target,
      access: 'read',
      body: lastViewBody,
      answer: lastViewAnswer,
      idempotency: 'none',
      async handle(db, { target, caller, body }) {
        await writeLastView(db, target, caller.userId, body.search);
        return { body: { search: body.search } };
      },
    }),
  ];
}

function viewContextOf({
  caller,
  target,
  access,
}: RouteRequest<CollectionKind, unknown>): ViewContext {
  return { userId: caller.userId, collection: target, access };
}

function viewIdOf({ params, target }: RouteRequest<CollectionKind, unknown>): number {
  return idParameter(countedIdSchema, params['viewId'], texts.noView({ kind: target.kind }));
}
