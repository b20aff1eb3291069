import {
  type AnyRoute,
  type Caller,
  definePreparedRoute,
  defineRead,
  defineRoute,
  type RouteRequest,
} from '#server/http/route.ts';
import type { Db } from '#server/db/database.ts';
import type { Archive } from '#server/db/records/thing.ts';
import {
  type AnsweredBulkEdit,
  applyBody,
  bulkEditBody,
  bulkEditIdSchema,
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
  OUTCOMES,
  type Outcome,
} from '#shared/bulk-edit-messages.ts';
import { ApiError } from '#shared/errors.ts';
import { MAX_LIMIT } from '#shared/lists.ts';
import { idParameter, ownParameters, writerOf } from '../records/request.ts';
import { finish, planAgain, planEdits, refuseChanged } from './bulk-edits.service.ts';
import * as store from './bulk-edits.store.ts';
import type { JobActor, StoredBulkEdit } from './bulk-edits.store.ts';
import { KEPT } from './planning.ts';
import { toBulkEdit, toBulkEditRevision } from './present.ts';
import type { BulkEditRunner } from './runner.ts';

const BULK_EDITS = '{archives}/:archive/bulkedits';
const BULK_EDIT = `${BULK_EDITS}/:bulkEditId`;

type Asked = RouteRequest<'archive', unknown>;

const planning: AnyRoute[] = [
  definePreparedRoute({
    method: 'POST',
    path: BULK_EDITS,
    summary: 'Plan a bulk edit of index data',
    description:
      'Computes what the edits make of each revision of the selection, at most 100,000, and changes nothing. ' +
      'The filter is the query of index/ids.',
    target: 'archive',
    access: 'write',
    query: 'none',
    body: bulkEditBody,
    answer: bulkEditsAnswer,
    status: 201,
    async prepare(database, request) {
      const { target, body } = request;
      const plan = await planEdits(database, target, writerOf(request), body);
      return async (db) => ({ body: { bulkedits: [await finish(db, target, plan)] } });
    },
  }),
  definePreparedRoute({
    method: 'POST',
    path: `${BULK_EDIT}/again`,
    summary: 'Plan once more what a bulk edit has not done',
    target: 'archive',
    access: 'write',
    query: 'none',
    body: null,
    answer: bulkEditsAnswer,
    status: 201,
    async prepare(database, request) {
      const { target } = request;
      const failed = await database.read((db) => own(db, request, 'look'));
      const plan = await planAgain(database, target, writerOf(request), failed);
      return async (db) => ({ body: { bulkedits: [await finish(db, target, plan)] } });
    },
  }),
];

const reading: AnyRoute[] = [
  defineRead({
    path: BULK_EDITS,
    summary: `The newest ${KEPT} bulk edits: one's own, for administrators everybody's`,
    target: 'archive',
    answer: bulkEditsAnswer,
    async handle(db, { target, caller }) {
      const ownerId = caller.role === 'administrator' ? null : caller.userId;
      const found = await store.readBulkEdits(db, target.id, ownerId, KEPT);
      return { body: { bulkedits: found.map(toBulkEdit) } };
    },
  }),
  defineRead({
    path: BULK_EDIT,
    summary: 'A bulk edit: its state and how far it is',
    target: 'archive',
    answer: bulkEditsAnswer,
    async handle(db, request) {
      return { body: { bulkedits: [toBulkEdit(await visible(db, request, 'look'))] } };
    },
  }),
  defineRead({
    path: `${BULK_EDIT}/revisions`,
    summary: 'What a bulk edit changes, by revision, and what has become of it',
    target: 'archive',
    parameters: {
      outcome: `one of ${OUTCOMES.join(', ')}; all where not given`,
      limit: 'revisions of a page, 1 to 1,000; 50 where not given',
      after: 'the `next` of the page before',
    },
    answer: bulkEditRevisionsAnswer,
    async handle(db, request) {
      const { id } = await visible(db, request, 'look');
      const { outcome, limit, after } = readPageQuery(request.query);
      const found = await store.readRevisions(db, id, outcome, after, limit + 1);
      const page = found.slice(0, limit);
      const next = found.length > limit ? String(page.at(-1)?.position ?? '') : null;
      const total = await store.countRevisions(db, id, outcome);
      return {
        body: {
          revisions: page.map(toBulkEditRevision),
          meta: { pagination: { total, limit, next } },
        },
      };
    },
  }),
];

/** The calls by which a job is started, halted and taken back; each answers at once. */
function acting(runner: Pick<BulkEditRunner, 'wake'>): AnyRoute[] {
  const act = (
    verb: string,
    summary: string,
    whose: 'own' | 'visible',
    change: (bulkEdit: StoredBulkEdit, actor: JobActor) => store.Changes,
  ): AnyRoute =>
    defineRoute({
      method: 'POST',
      path: `${BULK_EDIT}/${verb}`,
      summary,
      target: 'archive',
      access: 'write',
      query: 'none',
      body: null,
      answer: bulkEditsAnswer,
      status: 200,
      mode: 'write',
      async handle(db, request) {
        const found = await (whose === 'own' ? own : visible)(db, request, 'lock');
        const body = await answerChanged(db, request, found, change(found, actorOf(request)));
        runner.wake();
        return { body };
      },
    });
  return [
    definePreparedRoute({
      method: 'POST',
      path: `${BULK_EDIT}/apply`,
      summary: 'Apply what was planned',
      description:
        'Revisions that were changed since the plan are left out and listed (`leaveOut`), or all is refused ' +
        '(`refuse`): then with 412 before anything is changed; one that is changed later stops the job. ' +
        'The job goes on after the answer; GET tells how far it is.',
      target: 'archive',
      access: 'write',
      query: 'none',
      body: applyBody,
      answer: bulkEditsAnswer,
      status: 200,
      async prepare(database, request) {
        const { onChanged } = request.body;
        if (onChanged === 'refuse') {
          const planned = await database.read((db) => own(db, request, 'look'));
          await refuseChanged(database, request.target, planned);
        }
        return async (db) => {
          const found = await own(db, request, 'lock');
          requireState(found, ['planned'], 'It has been applied already.');
          const actor = actorOf(request);
          const changes = { state: 'applying', phase: 'apply', onChanged, actor } as const;
          const body = await answerChanged(db, request, found, changes);
          runner.wake();
          return { body };
        };
      },
    }),
    act('pause', 'Pause a bulk edit that is under way', 'visible', (found) => {
      requireState(found, ['applying', 'undoing'], 'It is not under way.');
      return { state: 'paused' };
    }),
    act('resume', 'Go on with a paused bulk edit', 'own', (found) => {
      requireState(found, ['paused'], 'It is not paused.');
      return { state: found.phase === 'apply' ? 'applying' : 'undoing' };
    }),
    act('undo', 'Take back what a bulk edit has done', 'visible', (found, actor) => {
      requireState(found, ['done', 'stopped', 'paused'], 'It is under way or taken back already.');
      if (found.counts.done === 0) throw new ApiError('conflict', 'There is nothing to take back.');
      return { state: 'undoing', phase: 'undo', actor, finishedAt: null, message: null };
    }),
    defineRoute({
      method: 'DELETE',
      path: BULK_EDIT,
      summary: 'Discard a plan, or the record of a bulk edit that has ended',
      target: 'archive',
      access: 'read',
      query: 'none',
      body: null,
      answer: null,
      status: 204,
      mode: 'write',
      async handle(db, request) {
        const found = await visible(db, request, 'lock');
        requireState(found, ['planned', 'done', 'stopped', 'undone'], 'It is under way.');
        await store.updateBulkEdit(db, found.id, { state: 'deleted' });
        runner.wake();
        return {};
      },
    }),
  ];
}

/** The calls about bulk edits. */
export function bulkEditRoutes(runner: Pick<BulkEditRunner, 'wake'>): AnyRoute[] {
  return [...planning, ...reading, ...acting(runner)];
}

function actorOf(request: Asked): JobActor {
  const { administrator: _, ...actor } = writerOf(request);
  return actor;
}

async function answerChanged(
  db: Db,
  { target }: Asked,
  { id }: StoredBulkEdit,
  changes: store.Changes,
): Promise<{ bulkedits: AnsweredBulkEdit[] }> {
  await store.updateBulkEdit(db, id, changes);
  const changed = await store.readBulkEdit(db, target.id, id);
  return { bulkedits: changed ? [toBulkEdit(changed)] : [] };
}

/** @throws {ApiError} 409 where it is in none of these states */
function requireState(
  { state }: StoredBulkEdit,
  states: readonly StoredBulkEdit['state'][],
  message: string,
): void {
  if (!states.includes(state)) throw new ApiError('conflict', message);
}

function readPageQuery(query: Asked['query']): {
  outcome: Outcome | null;
  limit: number;
  after: number;
} {
  const given = ownParameters(query, ['outcome', 'limit', 'after']);
  const outcome = OUTCOMES.find((known) => known === given.outcome) ?? null;
  if (given.outcome !== undefined && !outcome) {
    throw new ApiError('malformed', { outcome: [`This must be one of: ${OUTCOMES.join(', ')}.`] });
  }
  const limit = /^[1-9][0-9]{0,3}$/.test(given.limit ?? '50') ? Number(given.limit ?? 50) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new ApiError('malformed', {
      limit: [`This must be a whole number from 1 to ${MAX_LIMIT}.`],
    });
  }
  if (given.after !== undefined && !/^[0-9]{1,9}$/.test(given.after)) {
    throw new ApiError('malformed', { after: ['This is no `next` of a page.'] });
  }
  return { outcome, limit, after: given.after === undefined ? -1 : Number(given.after) };
}

/**
 * The bulk edit of the path, of the caller; administrators see everybody's.
 * @throws {ApiError} 404
 */
async function visible(
  db: Db,
  { target, params, caller }: { target: Archive; params: Asked['params']; caller: Caller },
  lock: 'lock' | 'look',
): Promise<StoredBulkEdit> {
  const message = 'There is no bulk edit of this id in this archive.';
  const id = idParameter(bulkEditIdSchema, params['bulkEditId'], message);
  const found = await store.readBulkEdit(db, target.id, id, lock);
  const theirs = found && found.ownerId !== caller.userId;
  if (!found || (theirs && caller.role !== 'administrator')) {
    throw new ApiError('not_found', message);
  }
  return found;
}

/** @throws {ApiError} 404; 403 for another user's */
async function own(db: Db, request: Asked, lock: 'lock' | 'look'): Promise<StoredBulkEdit> {
  const found = await visible(db, request, lock);
  if (found.ownerId !== request.caller.userId) {
    throw new ApiError('forbidden', 'This bulk edit is another user’s.');
  }
  return found;
}
