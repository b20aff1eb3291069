import * as texts from '#messages/service/bulk-edits.ts';
import type { Message } from '#shared/messages/message.ts';
import { type AnyRoute, definePreparedRoute, defineRoute } from '#server/http/route.ts';
import type { Transaction } from '#server/database/database.ts';
import { type AnsweredBulkEdit, bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { applyBody } from '#shared/contract/bulk-edit-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { writerOf } from '../records/write-request.ts';
import { deleteAliasesOfBulkEdit, storeAliasesOfBulkEdit } from '../value-aliases/value-aliases.ts';
import { requireUnchanged } from './bulk-edits.service.ts';
import * as store from './bulk-edits.store.ts';
import type { JobActor, StoredBulkEdit } from './bulk-edits.store.ts';
import { toBulkEdit, visibleEdit } from './present-bulk-edit.ts';
import type { BulkEditRunner } from './bulk-edits.runner.ts';
import {
  BULK_EDIT,
  findOwnBulkEdit,
  findVisibleBulkEdit,
  type BulkEditRequest,
} from './requested-bulk-edit.ts';

type Runner = Pick<BulkEditRunner, 'wake'>;

/** The calls that start, pause and revert a job, or discard it; each answers at once. */
export const jobRoutes = (kind: CollectionKind, runner: Runner): AnyRoute[] => [
  applyRoute(kind, runner),
  ...changeRoutes(kind, runner),
  discardRoute(kind, runner),
];

/** The call that applies a plan. */
function applyRoute(kind: CollectionKind, runner: Runner): AnyRoute {
  return definePreparedRoute({
    method: 'POST',
    path: `${BULK_EDIT[kind]}/apply`,
    summary: 'Apply a planned batch',
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
        const planned = await database.read((db) => findOwnBulkEdit(db, request));
        await requireUnchanged(database, request.target, planned);
      }
      return async (db) => {
        const found = await findOwnBulkEdit(db, request);
        requireState(found, ['planned'], texts.alreadyApplied);
        const actor = actorOf(request);
        const changes = { state: 'applying', phase: 'apply', onChanged, actor } as const;
        const edits = found.edits.flatMap((edit) => visibleEdit(request.target, found, edit) ?? []);
        await storeAliasesOfBulkEdit(db, request.target, { ...found, edits });
        const body = await answerChanged(db, request, found, changes);
        runner.wake();
        return { body };
      };
    },
  });
}

/** The calls that change the state of a job. */
function changeRoutes(kind: CollectionKind, runner: Runner): AnyRoute[] {
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
        const find = whose === 'own' ? findOwnBulkEdit : findVisibleBulkEdit;
        const found = await find(db, request);
        const changes = change(found, actorOf(request));
        if (changes.phase === 'undo') await deleteAliasesOfBulkEdit(db, found.id);
        const body = await answerChanged(db, request, found, changes);
        runner.wake();
        return { body };
      },
    });
  return [
    act({ verb: 'pause', summary: 'Pause a running batch' }, 'visible', (found) => {
      requireState(found, ['applying', 'undoing'], texts.notUnderWay);
      return { state: 'paused' };
    }),
    act({ verb: 'resume', summary: 'Resume a paused batch' }, 'own', (found) => {
      requireState(found, ['paused'], texts.notPaused);
      return { state: found.phase === 'apply' ? 'applying' : 'undoing' };
    }),
    act({ verb: 'undo', summary: 'Undo a batch' }, 'visible', (found, actor) => {
      requireState(found, ['done', 'stopped', 'paused'], texts.underWayOrUndone);
      if (found.counts.done === 0) throw new ApiError('conflict', texts.nothingToUndo);
      return { state: 'undoing', phase: 'undo', actor, finishedAt: null, message: null };
    }),
  ];
}

/** The call that deletes a batch that has changed nothing. */
function discardRoute(kind: CollectionKind, runner: Runner): AnyRoute {
  return defineRoute({
    method: 'DELETE',
    path: BULK_EDIT[kind],
    summary: 'Discard a plan, or a batch that has ended without changing anything',
    description: 'Batches that have changed something cannot be deleted (409).',
    target: kind,
    access: 'read',
    answer: null,
    async handle(db, request) {
      const found = await findVisibleBulkEdit(db, request);
      // A job that was paused before its first part has nothing to revert.
      const untouched =
        found.state === 'paused' && found.phase === 'apply' && found.counts.done === 0;
      if (!untouched) requireState(found, ['planned', 'done', 'stopped', 'undone'], texts.underWay);
      const { done, takenBack: reverted, left: notReverted } = found.counts;
      if (done + reverted + notReverted > 0) {
        throw new ApiError('conflict', texts.hasReceipt);
      }
      await store.updateBulkEdit(db, found.id, { state: 'deleted' });
      runner.wake();
      return {};
    },
  });
}

function actorOf(request: BulkEditRequest): JobActor {
  const { isAdministrator: _, ...actor } = writerOf(request);
  return actor;
}

async function answerChanged(
  db: Transaction,
  { target }: BulkEditRequest,
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
