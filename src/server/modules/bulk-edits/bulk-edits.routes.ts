import * as texts from '#messages/service/bulk-edits.ts';
import type { Message } from '#shared/messages/message.ts';
import { requireValid } from '#server/http/query.ts';
import {
  type AnyRoute,
  type Caller,
  definePreparedRoute,
  defineRead,
  defineRoute,
  type RouteRequest,
} from '#server/http/route.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  type AnsweredBulkEdit,
  bulkEditDatasetsAnswer,
  bulkEditListAnswer,
  bulkEditRevisionsAnswer,
  bulkEditsAnswer,
  OUTCOMES,
} from '#shared/contract/bulk-edit-answers.ts';
import { applyBody, bulkEditBody, bulkEditIdSchema } from '#shared/contract/bulk-edit-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { MAX_LIMIT } from '#shared/rules/limits.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { LIST_PARAMETERS } from '../records/lists.service.ts';
import { fileHeaders } from '#server/http/file-headers.ts';
import { idParameter, writerOf } from '../records/write-request.ts';
import { deleteAliasesOfBulkEdit, storeAliasesOfBulkEdit } from '../value-aliases/value-aliases.ts';
import { planAgain, planEdits, requireUnchanged } from './bulk-edits.service.ts';
import * as store from './bulk-edits.store.ts';
import type { JobActor, StoredBulkEdit } from './bulk-edits.store.ts';
import { readPresentRows } from './planned-fields.ts';
import { toBulkEdit, toBulkEditDataset, toBulkEditRevision } from './present-bulk-edit.ts';
import { definePlanRoute } from './plan-route.ts';
import { refusedRows } from './refused-rows.ts';
import type { BulkEditRunner } from './bulk-edits.runner.ts';

/** The paths of the bulk edits of an archive or data table. */
const BULK_EDITS = {
  archive: '{archives}/:archive/bulkedits',
  table: '{tables}/:guid/bulkedits',
} as const;
const BULK_EDIT = {
  archive: `${BULK_EDITS.archive}/:bulkEditId`,
  table: `${BULK_EDITS.table}/:bulkEditId`,
} as const;

/** Bytes of changes on one page. */
const MAX_ANSWERED_BYTES = 8 * 1024 * 1024;

type Kind = keyof typeof BULK_EDITS;
type Request = RouteRequest<Kind, unknown>;

/** Only archives have these calls: imports, pastes and the clean-up of values plan those of tables. */
const planRoutes: AnyRoute[] = [
  definePlanRoute({
    path: BULK_EDITS.archive,
    summary: 'Plan a bulk edit of index data',
    description:
      'Computes the new values of each selected revision, at most 100,000, and changes nothing. The filter is the ' +
      'query of index/ids.',
    target: 'archive',
    body: bulkEditBody,
    plan: (database, request) =>
      planEdits(database, request.target, writerOf(request), request.body),
  }),
  definePlanRoute({
    path: `${BULK_EDIT.archive}/again`,
    summary: 'Plan the remaining changes of a bulk edit again',
    target: 'archive',
    async plan(database, request) {
      const failed = await database.read((db) => findOwnBulkEdit(db, request, 'no lock'));
      return planAgain(database, request.target, writerOf(request), failed);
    },
  }),
];

const readRoutes = (kind: Kind, database: Database): AnyRoute[] => [
  defineRead({
    path: BULK_EDITS[kind],
    summary: "The caller's bulk edits, newest first; for administrators those of all users",
    target: kind,
    parameters: {
      limit: 'bulk edits per page, 1 to 1,000; 50 by default',
      after: 'the `next` of the previous page',
    },
    answer: bulkEditListAnswer,
    async handle(db, { target, caller, query }) {
      const ownerId = caller.role === 'administrator' ? null : caller.userId;
      const reader = new QueryReader(query, ['limit', 'after']);
      const { limit, after } = readPage(reader);
      requireValid(reader);
      const found = await store.readBulkEdits(db, target, ownerId, after, limit + 1);
      const page = found.slice(0, limit);
      const next = found.length > limit ? String(page.at(-1)?.id ?? '') : null;
      return {
        body: {
          bulkedits: page.map((bulkEdit) => toBulkEdit(target, bulkEdit)),
          meta: { pagination: { limit, next } },
        },
      };
    },
  }),
  defineRead({
    path: BULK_EDIT[kind],
    summary: 'A bulk edit: its state and progress',
    target: kind,
    answer: bulkEditsAnswer,
    async handle(db, request) {
      return {
        body: {
          bulkedits: [
            toBulkEdit(request.target, await findVisibleBulkEdit(db, request, 'no lock')),
          ],
        },
      };
    },
  }),
  defineRead({
    path: `${BULK_EDIT[kind]}/${kind === 'archive' ? 'revisions' : 'datasets'}`,
    summary: 'The changes of a bulk edit by record, with the outcome of each',
    target: kind,
    parameters: {
      outcome: {
        description: `one of ${OUTCOMES.join(', ')}; all by default`,
        schema: { type: 'string', enum: [...OUTCOMES] },
      },
      limit: 'rows per page, 1 to 1,000; 50 by default; fewer if texts are large',
      after: 'the `next` of the previous page',
      total: LIST_PARAMETERS.total,
    },
    answer: kind === 'archive' ? bulkEditRevisionsAnswer : bulkEditDatasetsAnswer,
    async handle(db, request) {
      const bulkEdit = await findVisibleBulkEdit(db, request, 'no lock');
      const { id } = bulkEdit;
      const reader = new QueryReader(request.query, ['outcome', 'limit', 'after', 'total']);
      const withTotal = reader.boolean('total', true);
      const outcome = reader.oneOf('outcome', OUTCOMES) ?? null;
      const { limit, after } = readPage(reader);
      requireValid(reader);
      const from = after ?? -1;
      const found = await readPresentRows(db, request.target, bulkEdit, {
        outcome,
        after: from,
        limit: limit + 1,
        bytes: MAX_ANSWERED_BYTES,
      });
      const page = found.rows.slice(0, limit);
      const more = found.isTruncated || found.rows.length > limit;
      const next = more ? String(page.at(-1)?.position ?? '') : null;
      const total = withTotal ? { total: await store.countRevisions(db, id, outcome) } : {};
      const rows =
        kind === 'archive'
          ? { revisions: page.map((row) => toBulkEditRevision(request.target, row)) }
          : { datasets: page.map((row) => toBulkEditDataset(request.target, row)) };
      return { body: { ...rows, meta: { pagination: { ...total, limit, next } } } };
    },
  }),
  defineRead({
    path: `${BULK_EDIT[kind]}/refused`,
    summary: 'The rows that an import refuses, as CSV',
    description: 'With the columns of the file, the number of the row and the reason.',
    target: kind,
    cost: 'heavy',
    parameters: { separator: 'comma or semicolon; comma by default' },
    answer: 'bytes',
    async handle(db, request) {
      const bulkEdit = await findVisibleBulkEdit(db, request, 'no lock');
      const reader = new QueryReader(request.query, ['separator']);
      const separator = reader.oneOf('separator', ['comma', 'semicolon']);
      requireValid(reader);
      const name = `${request.target.name}-refused.csv`;
      return {
        stream: async () =>
          refusedRows(database, request.target, bulkEdit, separator === 'semicolon' ? ';' : ','),
        headers: fileHeaders(name, 'text/csv'),
      };
    },
  }),
];

/** The calls that start, pause and revert a job; each answers at once. */
function jobRoutes(kind: Kind, runner: Pick<BulkEditRunner, 'wake'>): AnyRoute[] {
  const act = (
    { verb, summary }: { readonly verb: string; readonly summary: string },
    whose: 'own' | 'visible',
    change: (bulkEdit: StoredBulkEdit, actor: JobActor) => store.BulkEditChanges,
  ): AnyRoute =>
    defineRoute({
      method: 'POST',
      path: `${BULK_EDIT[kind]}/${verb}`,
      summary,
      target: kind,
      access: 'write',
      answer: bulkEditsAnswer,
      async handle(db, request) {
        const found = await (whose === 'own' ? findOwnBulkEdit : findVisibleBulkEdit)(
          db,
          request,
          'lock',
        );
        const changes = change(found, actorOf(request));
        if (changes.phase === 'undo') await deleteAliasesOfBulkEdit(db, found.id);
        const body = await answerChanged(db, request, found, changes);
        runner.wake();
        return { body };
      },
    });
  return [
    definePreparedRoute({
      method: 'POST',
      path: `${BULK_EDIT[kind]}/apply`,
      summary: 'Apply a planned bulk edit',
      description:
        `If ${kind === 'archive' ? 'revisions' : 'datasets'} were changed since the plan, they are left out and listed (\`leaveOut\`), or the ` +
        'call is answered 412 and changes nothing (`refuse`); a change during the job then stops it. ' +
        'The job continues after the answer; GET shows its progress.',
      target: kind,
      access: 'write',
      body: applyBody,
      answer: bulkEditsAnswer,
      async prepare(database, request) {
        const { onChanged } = request.body;
        if (onChanged === 'refuse') {
          const planned = await database.read((db) => findOwnBulkEdit(db, request, 'no lock'));
          await requireUnchanged(database, request.target, planned);
        }
        return async (db) => {
          const found = await findOwnBulkEdit(db, request, 'lock');
          requireState(found, ['planned'], texts.alreadyApplied);
          const actor = actorOf(request);
          const changes = { state: 'applying', phase: 'apply', onChanged, actor } as const;
          await storeAliasesOfBulkEdit(db, request.target, found);
          const body = await answerChanged(db, request, found, changes);
          runner.wake();
          return { body };
        };
      },
    }),
    act({ verb: 'pause', summary: 'Pause a running bulk edit' }, 'visible', (found) => {
      requireState(found, ['applying', 'undoing'], texts.notUnderWay);
      return { state: 'paused' };
    }),
    act({ verb: 'resume', summary: 'Resume a paused bulk edit' }, 'own', (found) => {
      requireState(found, ['paused'], texts.notPaused);
      return { state: found.phase === 'apply' ? 'applying' : 'undoing' };
    }),
    act({ verb: 'undo', summary: 'Undo a bulk edit' }, 'visible', (found, actor) => {
      requireState(found, ['done', 'stopped', 'paused'], texts.underWayOrUndone);
      if (found.counts.done === 0) throw new ApiError('conflict', texts.nothingToUndo);
      return { state: 'undoing', phase: 'undo', actor, finishedAt: null, message: null };
    }),
    defineRoute({
      method: 'DELETE',
      path: BULK_EDIT[kind],
      summary: 'Discard a plan, or a bulk edit that has ended without changing anything',
      description: 'Bulk edits that have changed something cannot be deleted (409).',
      target: kind,
      access: 'read',
      answer: null,
      async handle(db, request) {
        const found = await findVisibleBulkEdit(db, request, 'lock');
        // A job that was paused before its first part has nothing to revert.
        const untouched =
          found.state === 'paused' && found.phase === 'apply' && found.counts.done === 0;
        if (!untouched)
          requireState(found, ['planned', 'done', 'stopped', 'undone'], texts.underWay);
        const { done, takenBack: reverted, left: notReverted } = found.counts;
        if (done + reverted + notReverted > 0) {
          throw new ApiError('conflict', texts.hasReceipt);
        }
        await store.updateBulkEdit(db, found.id, { state: 'deleted' });
        runner.wake();
        return {};
      },
    }),
  ];
}

/** The calls about bulk edits. */
export function bulkEditRoutes(
  database: Database,
  runner: Pick<BulkEditRunner, 'wake'>,
): AnyRoute[] {
  return [
    ...planRoutes,
    ...readRoutes('archive', database),
    ...jobRoutes('archive', runner),
    ...readRoutes('table', database),
    ...jobRoutes('table', runner),
  ];
}

function actorOf(request: Request): JobActor {
  const { isAdministrator: _, ...actor } = writerOf(request);
  return actor;
}

async function answerChanged(
  db: Transaction,
  { target }: Request,
  { id }: StoredBulkEdit,
  changes: store.BulkEditChanges,
): Promise<{ bulkedits: AnsweredBulkEdit[] }> {
  await store.updateBulkEdit(db, id, changes);
  const changed = await store.readBulkEdit(db, target, id);
  return { bulkedits: changed ? [toBulkEdit(target, changed)] : [] };
}

/** @throws {ApiError} 409 if it is in none of these states */
function requireState(
  { state }: StoredBulkEdit,
  states: readonly StoredBulkEdit['state'][],
  message: Message,
): void {
  if (!states.includes(state)) throw new ApiError('conflict', message);
}

function readPage<Name extends string>(
  reader: QueryReader<Name | 'limit' | 'after'>,
): {
  readonly limit: number;
  readonly after: number | null;
} {
  const limit = reader.whole('limit', 50, 1, MAX_LIMIT);
  const after = reader.text('after');
  if (after !== undefined && !/^[0-9]{1,9}$/.test(after)) {
    reader.refuse('after', texts.pageUnknown);
  }
  return { limit, after: after === undefined ? null : Number(after) };
}

/**
 * The caller's bulk edit of the path; administrators see those of all users.
 * @throws {ApiError} 404
 */
async function findVisibleBulkEdit(
  db: Transaction,
  { target, params, caller }: { target: Collection; params: Request['params']; caller: Caller },
  lock: 'lock' | 'no lock',
): Promise<StoredBulkEdit> {
  const message = texts.noBulkEdit({ kind: target.kind });
  const id = idParameter(bulkEditIdSchema, params['bulkEditId'], message);
  const found = await store.readBulkEdit(db, target, id, lock);
  const theirs = found && found.ownerId !== caller.userId;
  if (!found || (theirs && caller.role !== 'administrator')) {
    throw new ApiError('not_found', message);
  }
  return found;
}

/** @throws {ApiError} 404; 403 for another user's */
async function findOwnBulkEdit(
  db: Transaction,
  request: Request,
  lock: 'lock' | 'no lock',
): Promise<StoredBulkEdit> {
  const found = await findVisibleBulkEdit(db, request, lock);
  if (found.ownerId !== request.caller.userId) {
    throw new ApiError('forbidden', texts.ofOtherUser);
  }
  return found;
}
