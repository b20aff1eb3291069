import * as texts from '#messages/service/workspace.ts';
import {
  findDeletedRevisionsInWorker,
  findRevisionsInWorker,
  getQueueInWorker,
  listQueuesInWorker,
} from './queues.reads.ts';
import { requireValid } from '#server/http/query.ts';
import {
  type AnyRoute,
  definePreparedRoute,
  defineRead,
  defineRoute,
  type RouteRequest,
} from '#server/http/route.ts';
import {
  openQueuesAnswer,
  queueRevisionsAnswer,
  queuesAnswer,
} from '#shared/contract/workspace-answers.ts';
import { changeQueueBody, createQueueBody } from '#shared/contract/workspace-requests.ts';
import { DEFAULT_LIMIT, MAX_IDS, MAX_LIMIT } from '#shared/rules/limits.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { countedIdSchema } from '#shared/contract/requests.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { LIST_PARAMETERS } from '../records/lists.service.ts';
import { idParameter } from '../records/write-request.ts';
import {
  changeQueue,
  createQueue,
  deleteQueue,
  listOpenQueues,
  listQueueRevisions,
} from './queues.service.ts';

const QUEUES = '{archives}/:archive/queues';
const QUEUE = `${QUEUES}/:queueId`;

type Request = RouteRequest<'archive', unknown>;

/** Queues of revisions that a clerk works through, by user (correction desk). */
export function queueRoutes(definitions: Definitions): AnyRoute[] {
  return [...readRoutes(definitions), ...changeRoutes()];
}

function readRoutes(definitions: Definitions): AnyRoute[] {
  return [
    defineRead({
      path: 'application/queues',
      summary: 'List the caller’s unfinished queues in all visible archives, last used first',
      target: 'none',
      answer: openQueuesAnswer,
      async handle(db, { caller }) {
        return { body: { queues: await listOpenQueues(db, definitions, caller) } };
      },
    }),
    defineRead({
      path: QUEUES,
      summary: 'List the caller’s queues, last used first',
      target: 'archive',
      answer: queuesAnswer,
      async handle(db, { target, caller }) {
        return { body: { queues: await listQueuesInWorker(db, target, caller.userId) } };
      },
    }),
    defineRead({
      path: QUEUE,
      summary: 'Read a queue',
      target: 'archive',
      answer: queuesAnswer,
      async handle(db, request) {
        const { target, caller } = request;
        const queue = await getQueueInWorker(db, target, caller.userId, queueIdOf(request));
        return { body: { queues: [queue] } };
      },
    }),
    defineRead({
      path: `${QUEUE}/revisions`,
      summary: 'List the revisions of a queue in its order, with their states',
      target: 'archive',
      parameters: {
        offset: 'revisions to skip',
        limit: 'revisions per page, 1 to 1,000; 50 by default',
        total: LIST_PARAMETERS.total,
      },
      answer: queueRevisionsAnswer,
      async handle(db, request) {
        const reader = new QueryReader(request.query, ['offset', 'limit', 'total']);
        const offset = reader.integer('offset', 0, 0, Number.MAX_SAFE_INTEGER - MAX_LIMIT);
        const limit = reader.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
        const withTotal = reader.boolean('total', true);
        requireValid(reader);
        const { revisions, total } = await listQueueRevisions(
          db,
          ownerOf(request),
          queueIdOf(request),
          { offset, limit },
        );
        return {
          body: {
            revisions,
            meta: { pagination: { ...(withTotal ? { total } : {}), limit, offset } },
          },
        };
      },
    }),
  ];
}

function changeRoutes(): AnyRoute[] {
  return [
    definePreparedRoute({
      method: 'POST',
      path: QUEUES,
      summary: 'Create a queue of the revisions that match a filter now, or of the given ones',
      description:
        'The queue has exactly these revisions in this order, regardless of later changes, additions and deletions. ' +
        `At most ${MAX_IDS.toLocaleString('en')}; at most 50 queues of a user in an archive are stored.`,
      target: 'archive',
      access: 'read',
      body: createQueueBody,
      answer: queuesAnswer,
      status: 201,
      async prepare(database, request) {
        const { target, body } = request;
        const found = await database.read((db) => findRevisionsInWorker(db, target, body));
        return async (db) => ({
          body: { queues: [await createQueue(db, ownerOf(request), body, found)] },
        });
      },
    }),
    definePreparedRoute({
      method: 'PATCH',
      path: QUEUE,
      summary: 'Store the position in a queue and the states of its revisions',
      target: 'archive',
      access: 'read',
      body: changeQueueBody,
      answer: queuesAnswer,
      async prepare(database, request) {
        const { target, caller, body } = request;
        const id = queueIdOf(request);
        const deleted = await database.read((db) =>
          findDeletedRevisionsInWorker(db, target, caller.userId, id),
        );
        return async (db) => ({
          body: { queues: [await changeQueue(db, ownerOf(request), id, body, deleted)] },
        });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: QUEUE,
      summary: 'Delete a queue; its revisions do not change',
      target: 'archive',
      access: 'read',
      answer: null,
      async handle(db, request) {
        await deleteQueue(db, ownerOf(request), queueIdOf(request));
        return {};
      },
    }),
  ];
}

function ownerOf({ caller, target }: Pick<Request, 'caller' | 'target'>) {
  return { userId: caller.userId, archive: target };
}

function queueIdOf({ params }: Pick<Request, 'params'>): number {
  return idParameter(countedIdSchema, params['queueId'], texts.noQueue);
}
