import * as definitionTexts from '#messages/service/definitions.ts';
import type { Database } from '#server/database/database.ts';
import {
  definePreparedRoute,
  defineRead,
  type AnyRoute,
  FOR_ADMINISTRATORS,
} from '#server/http/route.ts';
import { purgeBody, retireBody } from '#shared/contract/configuration-bodies.ts';
import {
  definitionHistoryAnswer,
  exportAnswer,
  jobsAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { etagOf } from '#shared/contract/etags.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { historyIdSchema } from '#shared/contract/requests.ts';
import { purgeByJob, type WantedPurge } from '../purges/purges.service.ts';
import { idParameter, writerOf } from '../records/write-request.ts';
import {
  aboutDefinition,
  answerChange,
  answerRequestedChange,
  CHANGING,
  definitionOf,
  DRY_RUN,
  flagParameter,
  KINDS,
  requireDefinition,
  type Request,
} from './definition-calls.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { definitionBefore, readDefinitionHistory } from './definition-history.service.ts';
import { exportDefinition } from './definition-export.service.ts';
import type { DefinitionJobRunner } from '../definition-jobs/job-runner.ts';
import { planRetirement, setRetired } from './retirement.service.ts';

const PURGE = flagParameter('purge', '`true`: deletes it permanently, with all its content');

const PURGING = {
  ...CHANGING,
  description:
    'Of fields only those that are retired can be deleted permanently. The name confirms a deletion (`{"confirm": "NAME"}`). If ' +
    'the deletion takes longer than two seconds, the answer is 202 with a job.',
} as const;

/** The calls that retire, restore, purge, export and revert the definition of an archive or a table. */
export function definitionStateRoutes(
  kind: CollectionKind,
  runner: DefinitionJobRunner,
): AnyRoute[] {
  return [
    ...retirementRoutes(kind, runner),
    ...exportAndHistoryRoutes(kind),
    revertRoute(kind, runner),
  ];
}

/** Retires or restores the definition. */
async function changeRetirement(
  database: Database,
  kind: CollectionKind,
  request: Request,
  isRetired: boolean,
) {
  const { id } = await definitionOf(database, kind, request);
  const work = async () => {
    await setRetired(database, { kind, id }, isRetired, writerOf(request), request.ifMatch);
    return null;
  };
  return answerChange(database, { kind, id }, work);
}

/** Deletes a retired field permanently, or the whole (`field` is null). */
async function purge(
  database: Database,
  runner: DefinitionJobRunner,
  kind: CollectionKind,
  request: Request,
  { field, confirm }: Pick<WantedPurge, 'field' | 'confirm'>,
) {
  const { id } = await definitionOf(database, kind, request);
  const wanted = { kind, id, field, confirm, ifMatch: request.ifMatch, actor: writerOf(request) };
  const work = () => purgeByJob(database, runner, wanted);
  return answerChange(database, wanted, work, () => Promise.resolve({}));
}

/** Retiring and restoring, and permanent deletion after retirement. */
function retirementRoutes(kind: CollectionKind, runner: DefinitionJobRunner): AnyRoute[] {
  const { onePath: one, answer } = KINDS[kind];
  return [
    definePreparedRoute({
      ...PURGING,
      method: 'DELETE',
      path: one,
      ...aboutDefinition(kind),
      summary: `Retire the ${kind}: it is hidden from everyone, and nothing is deleted`,
      ...PURGE.ofRoute,
      body: retireBody,
      answer: null,
      otherAnswers: { 202: jobsAnswer },
      async prepare(database, request) {
        const confirm = request.body?.confirm;
        if (PURGE.read(request.query)) {
          return purge(database, runner, kind, request, { field: null, confirm });
        }
        if (confirm !== undefined) {
          throw new ApiError('validation_failed', { purge: [definitionTexts.confirmWithoutPurge] });
        }
        await changeRetirement(database, kind, request, true);
        return () => Promise.resolve({});
      },
    }),
    definePreparedRoute({
      ...PURGING,
      method: 'POST',
      path: `${one}/${kind === 'archive' ? 'fields' : 'columns'}/:name/purge`,
      ...aboutDefinition(kind),
      summary: 'Delete the values of a retired field permanently, also from the history',
      body: purgeBody,
      answer: null,
      otherAnswers: { 202: jobsAnswer },
      prepare(database, request) {
        const { params, body } = request;
        const wanted = { field: params['name'] ?? '', confirm: body.confirm };
        return purge(database, runner, kind, request, wanted);
      },
    }),
    definePreparedRoute({
      ...CHANGING,
      method: 'POST',
      path: `${one}/restore`,
      ...aboutDefinition(kind),
      summary: `Restore the retired ${kind}`,
      answer,
      prepare: (database, request) => changeRetirement(database, kind, request, false),
    }),
  ];
}

function exportAndHistoryRoutes(kind: CollectionKind): AnyRoute[] {
  const { onePath: one } = KINDS[kind];
  return [
    defineRead({
      path: `${one}/export`,
      ...aboutDefinition(kind),
      summary: 'The definition as a definition file, with shared views, groups and their rights',
      ...FOR_ADMINISTRATORS,
      answer: exportAnswer,
      async handle(db, { params }) {
        return { body: await exportDefinition(db, await requireDefinition(db, kind, params)) };
      },
    }),
    defineRead({
      path: `${one}/history`,
      ...aboutDefinition(kind),
      summary: 'The changes of the definition, newest first',
      ...FOR_ADMINISTRATORS,
      answer: definitionHistoryAnswer,
      async handle(db, { params }) {
        const definition = await requireDefinition(db, kind, params);
        return { body: { history: await readDefinitionHistory(db, definition) } };
      },
    }),
  ];
}

function revertRoute(kind: CollectionKind, runner: DefinitionJobRunner): AnyRoute {
  return definePreparedRoute({
    ...CHANGING,
    method: 'POST',
    path: `${KINDS[kind].onePath}/history/:historyId/revert`,
    ...aboutDefinition(kind),
    summary: 'Revert a change of the definition',
    description:
      'Restores the definition as it was before the change, by the same plan as any change. `If-Match` is optional.',
    ...DRY_RUN.ofRoute,
    answer: KINDS[kind].changedAnswer,
    otherAnswers: { 202: jobsAnswer },
    async prepare(database, request) {
      const definition = await definitionOf(database, kind, request);
      const { historyId: given } = request.params;
      const historyId = idParameter(historyIdSchema, given, definitionTexts.noEntry);
      const former = await database.read((db) => definitionBefore(db, definition, historyId));
      const ifMatch = request.ifMatch ?? etagOf(definition.state.version);
      const guarded = { ...request, ifMatch };
      if (former.kind === 'content') {
        const { wanted } = former;
        return answerRequestedChange(database, runner, kind, guarded, { wanted });
      }
      const { wasRetired } = former;
      if (!DRY_RUN.read(request.query))
        return changeRetirement(database, kind, guarded, wasRetired);
      const plan = await database.read((db) => planRetirement(db, definition, wasRetired));
      return () => Promise.resolve({ body: { plan } });
    },
  });
}
