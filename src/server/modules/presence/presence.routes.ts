import * as texts from '#messages/service/records.ts';
import { requireValid } from '#server/http/query.ts';
import { type AnyRoute, defineRoute, type RouteRequest } from '#server/http/route.ts';
import { viewersAnswer } from '#shared/contract/workspace-answers.ts';
import { viewerBody } from '#shared/contract/workspace-requests.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { getRecord } from '../records/records.service.ts';
import { recordIdOf } from '../records/write-request.ts';
import type { Presence } from './presence.service.ts';
import type { OpenedRecord } from './presence.store.ts';

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
  checkQuery: windowOf,
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

const KINDS = {
  archive: { path: '{archives}/:archive/documents/:revisionId/viewers', record: 'revision' },
  table: { path: '{tables}/:guid/datasets/:jrid/viewers', record: 'dataset' },
} as const;
type Kind = keyof typeof KINDS;

/** Who else has a revision or a dataset open. It is not part of the history. */
export function presenceRoutes(presence: Presence): AnyRoute[] {
  return [...routesOf(presence, 'archive'), ...routesOf(presence, 'table')];
}

function routesOf(presence: Presence, kind: Kind): AnyRoute[] {
  const { path, record } = KINDS[kind];
  return [
    defineRoute({
      ...OPENING,
      path,
      summary: `Report that the caller has a ${record} open; the answer lists the other viewers`,
      target: kind,
      async handle(db, request) {
        const opened = openedRecord(request);
        await getRecord(db, opened.collection, opened.recordId);
        return { body: { viewers: await presence.report(db, opened, request.body.editing) } };
      },
    }),
    defineRoute({
      ...CLOSING,
      path,
      summary: `Report that the caller has closed a ${record}`,
      target: kind,
      async handle(db, request) {
        await presence.leave(db, openedRecord(request));
        return {};
      },
    }),
  ];
}

function openedRecord(request: RouteRequest<Kind, unknown>): OpenedRecord {
  const { caller, target: collection, query } = request;
  return { caller, windowId: windowOf(query), collection, recordId: recordIdOf(request) };
}

const MAX_WINDOW_LENGTH = 64;

function windowOf(query: QueryParameters): string {
  const reader = new QueryReader(query, ['window']);
  const window = reader.text('window') ?? '';
  if (window.length > MAX_WINDOW_LENGTH) {
    reader.refuse('window', texts.windowTooLong({ max: MAX_WINDOW_LENGTH }));
  }
  requireValid(reader);
  return window;
}
