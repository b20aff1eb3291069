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
import type { OpenedRecord } from './presence.store.ts';

const OF_REVISION = '{archives}/:archive/documents/:revisionId/viewers';
const OF_DATASET = '{tables}/:guid/datasets/:jrid/viewers';

const OPENING = {
  method: 'PUT',
  description:
    'Valid for 40 seconds, so repeat the call before they expire. `editing`: whether there are unsaved changes. ' +
    'Other viewers are notified by `application/events?viewers=true`.',
  access: 'read',
  parameters: {
    window:
      'Identifies the window, if several windows of one session report: any text of at most 64 characters.',
  },
  body: viewerBody,
  answer: viewersAnswer,
  idempotency: 'none',
} as const;
const CLOSING = {
  method: 'DELETE',
  access: 'read',
  parameters: OPENING.parameters,
  answer: null,
  idempotency: 'none',
} as const;

/** Who else has a revision or a dataset open. It is not part of the history. */
export function presenceRoutes(viewers: Presence): AnyRoute[] {
  const report = async (
    db: Transaction,
    one: OpenedRecord,
    { editing }: { readonly editing: boolean },
  ) => ({
    body: { viewers: await viewers.report(db, one, editing) },
  });
  const leave = async (db: Transaction, one: OpenedRecord) => {
    await viewers.leave(db, one);
    return {};
  };
  return [
    defineRoute({
      ...OPENING,
      path: OF_REVISION,
      summary: 'Report that the caller has a revision open; the answer lists the other viewers',
      target: 'archive',
      async handle(db, request) {
        const one = openedRevision(request);
        await getRevision(db, request.target, one.recordId);
        return report(db, one, request.body);
      },
    }),
    defineRoute({
      ...CLOSING,
      path: OF_REVISION,
      summary: 'Report that the caller has closed a revision',
      target: 'archive',
      handle: (db, request) => leave(db, openedRevision(request)),
    }),
    defineRoute({
      ...OPENING,
      path: OF_DATASET,
      summary: 'Report that the caller has a dataset open; the answer lists the other viewers',
      target: 'table',
      async handle(db, request) {
        const one = openedDataset(request);
        await getDataset(db, request.target, one.recordId);
        return report(db, one, request.body);
      },
    }),
    defineRoute({
      ...CLOSING,
      path: OF_DATASET,
      summary: 'Report that the caller has closed a dataset',
      target: 'table',
      handle: (db, request) => leave(db, openedDataset(request)),
    }),
  ];
}

function openedRevision(request: RouteRequest<'archive', unknown>): OpenedRecord {
  const { caller, target, params, query } = request;
  const recordId = revisionIdOf(params);
  return { caller, windowId: windowOf(query), collection: target, recordId };
}

function openedDataset(request: RouteRequest<'table', unknown>): OpenedRecord {
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
