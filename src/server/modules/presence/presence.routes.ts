import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import { type AnyRoute, defineRoute, type RouteRequest } from '#server/http/route.ts';
import { viewersAnswer } from '#shared/contract/workspace-answers.ts';
import { viewerBody } from '#shared/contract/workspace-requests.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { getDataset } from '../datasets/datasets.service.ts';
import { getRevision } from '../documents/documents.service.ts';
import { jridOf, revisionIdOf } from '../records/write-request.ts';
import type { Presence } from './presence.service.ts';
import type { Look } from './presence.store.ts';

const OF_REVISION = '{archives}/:archive/documents/:revisionId/viewers';
const OF_DATASET = '{tables}/:guid/datasets/:jrid/viewers';

const TELLS = {
  method: 'PUT',
  description:
    'Counts for 40 seconds, so it is to be called again before they are over. `editing`: whether there are ' +
    'unsaved changes. Others who have it open hear of it by `application/events?viewers=true`.',
  access: 'read',
  parameters: {
    window:
      'Which of several windows of the session it is, where each tells of itself: any text of at most 64 characters.',
  },
  body: viewerBody,
  answer: viewersAnswer,
  idempotency: 'none',
} as const;
const LEAVES = {
  method: 'DELETE',
  access: 'read',
  parameters: TELLS.parameters,
  answer: null,
  idempotency: 'none',
} as const;

/** Who else has a revision or a dataset open. It is not part of the history. */
export function presenceRoutes(viewers: Presence): AnyRoute[] {
  const look = async (db: Transaction, one: Look, { editing }: { readonly editing: boolean }) => ({
    body: { viewers: await viewers.look(db, one, editing) },
  });
  const leave = async (db: Transaction, one: Look) => {
    await viewers.leave(db, one);
    return {};
  };
  return [
    defineRoute({
      ...TELLS,
      path: OF_REVISION,
      summary: 'Tell that one has a revision open, and learn who else has',
      target: 'archive',
      async handle(db, request) {
        const one = lookAtRevision(request);
        await getRevision(db, request.target, one.recordId);
        return look(db, one, request.body);
      },
    }),
    defineRoute({
      ...LEAVES,
      path: OF_REVISION,
      summary: 'Tell that one has closed a revision',
      target: 'archive',
      handle: (db, request) => leave(db, lookAtRevision(request)),
    }),
    defineRoute({
      ...TELLS,
      path: OF_DATASET,
      summary: 'Tell that one has a dataset open, and learn who else has',
      target: 'table',
      async handle(db, request) {
        const one = lookAtDataset(request);
        await getDataset(db, request.target, one.recordId);
        return look(db, one, request.body);
      },
    }),
    defineRoute({
      ...LEAVES,
      path: OF_DATASET,
      summary: 'Tell that one has closed a dataset',
      target: 'table',
      handle: (db, request) => leave(db, lookAtDataset(request)),
    }),
  ];
}

function lookAtRevision(request: RouteRequest<'archive', unknown>): Look {
  const { caller, target, params, query } = request;
  const recordId = revisionIdOf(params);
  return { caller, windowId: windowOf(query), collection: target, recordId };
}

function lookAtDataset(request: RouteRequest<'table', unknown>): Look {
  const { caller, target, params, query } = request;
  const recordId = jridOf(params);
  return { caller, windowId: windowOf(query), collection: target, recordId };
}

const MAX_WINDOW_LENGTH = 64;

function windowOf(query: RouteRequest<'none', unknown>['query']): string {
  const reader = new QueryReader(query, ['window']);
  const window = reader.text('window') ?? '';
  if (window.length > MAX_WINDOW_LENGTH) {
    reader.refuse('window', texts.windowTooLong({ max: MAX_WINDOW_LENGTH }));
  }
  reader.requireValid();
  return window;
}
