import * as definitionTexts from '#messages/service/definitions.ts';
import * as texts from '#messages/service/http.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import {
  definePreparedRoute,
  defineRead,
  defineRoute,
  type Answer,
  type AnyRoute,
  type RouteRequest,
} from '#server/http/route.ts';
import {
  changeArchiveBody,
  changeTableBody,
  createArchiveBody,
  createTableBody,
  purgeBody,
  retireBody,
  type WantedDefinition,
} from '#shared/contract/configuration-bodies.ts';
import {
  changedArchivesAnswer,
  changedTablesAnswer,
  definedArchivesAnswer,
  definedTablesAnswer,
  definitionHistoryAnswer,
  exportAnswer,
  jobsAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { etagOf } from '#shared/contract/etags.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { revisionIdSchema } from '#shared/contract/requests.ts';
import { QueryReader } from '#shared/rules/query-reader.ts';
import { purgeByJob } from '../purges/purges.service.ts';
import { idParameter, writerOf } from '../records/request.ts';
import { answerJob, changeByJob, DefinitionChanged, previewChange } from './change.service.ts';
import { createDefinition } from './creation.service.ts';
import {
  findDefinition,
  readDefinitionsOf,
  readStored,
  type StoredDefinition,
} from './definitions.store.ts';
import { definitionJobRoutes } from './definition-jobs.routes.ts';
import { definitionBefore, readDefinitionHistory } from './definition-history.service.ts';
import { exportDefinition } from './export.service.ts';
import type { DefinitionJobRunner } from './jobs.runner.ts';
import type { DefinitionJob } from './jobs.store.ts';
import { presentArchive, presentTable } from './present-definition.ts';
import { setRetired } from './retirement.service.ts';

type Kind = 'archive' | 'table';

/** What the calls about archives and those about tables do not have in common. */
const KINDS = {
  archive: {
    path: 'configuration/archives',
    parameter: 'archive',
    answer: definedArchivesAnswer,
    many: 'archives',
    missing: texts.noArchive,
  },
  table: {
    path: 'configuration/tables',
    parameter: 'guid',
    answer: definedTablesAnswer,
    many: 'tables',
    missing: texts.noTable,
  },
} as const;

/** The calls by which administrators define archives and tables (docs/interface/administration.md, section 1). */
export function definitionRoutes(runner: DefinitionJobRunner): AnyRoute[] {
  return [
    ...routesOf('archive'),
    ...routesOf('table'),
    ...creationRoutes(),
    ...changeRoutes(runner),
    ...stateRoutes('archive', runner),
    ...stateRoutes('table', runner),
    ...definitionJobRoutes(runner),
  ];
}

function routesOf(kind: Kind): AnyRoute[] {
  const { path, parameter, answer, many } = KINDS[kind];
  const one = `${path}/:${parameter}`;
  return [
    defineRead({
      path,
      summary: `The definitions of all ${many}`,
      description: 'Retired ones are listed last.',
      target: 'none',
      isForAdministrators: true,
      answer,
      async handle(db) {
        const all = await readDefinitionsOf(db, kind);
        const inOrder = [
          ...all.filter(({ retiredAt }) => retiredAt === null),
          ...all.filter(({ retiredAt }) => retiredAt !== null),
        ];
        return { body: await present(db, kind, inOrder) };
      },
    }),
    defineRead({
      path: one,
      summary: `The definition of one ${kind}`,
      description: 'With a strong ETag, which changes with the definition alone.',
      target: 'none',
      isForAdministrators: true,
      answer,
      async handle(db, { params }) {
        return answerOne(db, kind, await requireDefinition(db, kind, params));
      },
    }),
  ];
}

function creationRoutes(): AnyRoute[] {
  const about = {
    method: 'POST',
    description: 'Without a `guid` one is made.',
    target: 'none',
    access: 'manage',
    isForAdministrators: true,
    query: 'none',
    status: 201,
    mode: 'write',
  } as const;
  return [
    defineRoute({
      ...about,
      path: KINDS.archive.path,
      summary: 'Define a new archive',
      body: createArchiveBody,
      answer: definedArchivesAnswer,
      async handle(db, request) {
        const { archive } = request.body;
        const created = await createDefinition(db, 'archive', archive, writerOf(request));
        return answerOne(db, 'archive', created);
      },
    }),
    defineRoute({
      ...about,
      path: KINDS.table.path,
      summary: 'Define a new table',
      body: createTableBody,
      answer: definedTablesAnswer,
      async handle(db, request) {
        const { table } = request.body;
        const created = await createDefinition(db, 'table', table, writerOf(request));
        return answerOne(db, 'table', created);
      },
    }),
  ];
}

const CHANGING = {
  target: 'none',
  access: 'manage',
  isForAdministrators: true,
} as const;

const DRY_RUN = {
  dryRun: {
    description: 'nothing changes; the answer is the plan',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
};

function changeRoutes(runner: DefinitionJobRunner): AnyRoute[] {
  const about = {
    ...CHANGING,
    method: 'PUT',
    description:
      'Fields are recognised by their names; `renamedFrom` renames one, and one that is left out is retired. What takes longer ' +
      'than two seconds is answered 202 with a job. A rule that stored values break is refused with 409 `definition_conflict` ' +
      'and the plan, unless `onMisfit` is `keep`. Needs `If-Match`, unless `dryRun` is `true`.',
    query: 'own',
    parameters: DRY_RUN,
    status: 200,
    otherAnswers: { 202: jobsAnswer },
    errors: [428],
  } as const;
  return [
    definePreparedRoute({
      ...about,
      path: `${KINDS.archive.path}/:archive`,
      summary: 'Change the definition of an archive',
      body: changeArchiveBody,
      answer: changedArchivesAnswer,
      prepare: (database, request) =>
        change(database, runner, 'archive', request, request.body.archive, request.body.onMisfit),
    }),
    definePreparedRoute({
      ...about,
      path: `${KINDS.table.path}/:guid`,
      summary: 'Change the definition of a table',
      body: changeTableBody,
      answer: changedTablesAnswer,
      prepare: (database, request) =>
        change(database, runner, 'table', request, request.body.table, request.body.onMisfit),
    }),
  ];
}

const PURGE = {
  purge: {
    description: 'deletes what is retired already for good, with all that it holds',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
};

const PURGING = {
  ...CHANGING,
  description:
    'A deletion for good is confirmed by the name of what is deleted (`{"confirm": "NAME"}`), which has to be retired. What takes ' +
    'longer than two seconds is answered 202 with a job.',
} as const;

/** The calls about the past of a definition, and about whether it is in use. */
function stateRoutes(kind: Kind, runner: DefinitionJobRunner): AnyRoute[] {
  const { path, parameter, answer } = KINDS[kind];
  const one = `${path}/:${parameter}`;
  const find = (database: Database, { params }: Pick<Request, 'params'>) =>
    database.read((db) => requireDefinition(db, kind, params));
  const setState = async (
    database: Database,
    request: RouteRequest<'none', unknown>,
    isRetired: boolean,
  ) => {
    const { id } = await find(database, request);
    const work = async () => {
      await setRetired(database, kind, id, isRetired, writerOf(request), request.ifMatch);
      return null;
    };
    return answerChange(database, kind, id, work);
  };
  return [
    definePreparedRoute({
      ...PURGING,
      method: 'DELETE',
      path: one,
      summary: `Retire the ${kind}: it is hidden from everyone, and nothing is deleted`,
      query: 'own',
      parameters: PURGE,
      body: retireBody,
      answer: null,
      status: 204,
      otherAnswers: { 202: jobsAnswer },
      async prepare(database, request) {
        const query = new QueryReader(request.query, ['purge']);
        const isPurge = query.boolean('purge', false);
        query.requireValid();
        const confirm = request.body?.confirm;
        if (isPurge) {
          const { id } = await find(database, request);
          const { ifMatch } = request;
          const wanted = { kind, id, field: null, confirm, ifMatch, actor: writerOf(request) };
          return answerPurge(database, wanted, () => purgeByJob(database, runner, wanted));
        }
        if (confirm !== undefined) {
          throw new ApiError('validation_failed', { purge: [definitionTexts.confirmWithoutPurge] });
        }
        await setState(database, request, true);
        return () => Promise.resolve({});
      },
    }),
    definePreparedRoute({
      ...PURGING,
      method: 'POST',
      path: `${one}/${kind === 'archive' ? 'fields' : 'columns'}/:name/purge`,
      summary: 'Delete the values of a retired field for good, also from the history',
      query: 'none',
      body: purgeBody,
      answer: null,
      status: 204,
      otherAnswers: { 202: jobsAnswer },
      async prepare(database, request) {
        const { id } = await find(database, request);
        const field = request.params['name'] ?? '';
        const { ifMatch, body } = request;
        const wanted = {
          kind,
          id,
          field,
          confirm: body.confirm,
          ifMatch,
          actor: writerOf(request),
        };
        return answerPurge(database, wanted, () => purgeByJob(database, runner, wanted));
      },
    }),
    definePreparedRoute({
      ...CHANGING,
      method: 'POST',
      path: `${one}/restore`,
      summary: `Restore the retired ${kind}`,
      query: 'none',
      body: null,
      answer,
      status: 200,
      prepare: (database, request) => setState(database, request, false),
    }),
    defineRead({
      path: `${one}/export`,
      summary: 'The definition as a definition file, with shared views, groups and their rights',
      target: 'none',
      isForAdministrators: true,
      answer: exportAnswer,
      async handle(db, { params }) {
        return { body: await exportDefinition(db, await requireDefinition(db, kind, params)) };
      },
    }),
    defineRead({
      path: `${one}/history`,
      summary: 'The changes of the definition, newest first',
      target: 'none',
      isForAdministrators: true,
      answer: definitionHistoryAnswer,
      async handle(db, { params }) {
        const definition = await requireDefinition(db, kind, params);
        return { body: { history: await readDefinitionHistory(db, definition) } };
      },
    }),
    definePreparedRoute({
      ...CHANGING,
      method: 'POST',
      path: `${one}/history/:historyId/revert`,
      summary: 'Make the definition what it was before a change',
      description: 'By the same plan as any change; `If-Match` is obeyed where sent.',
      query: 'own',
      parameters: DRY_RUN,
      body: null,
      answer: kind === 'archive' ? changedArchivesAnswer : changedTablesAnswer,
      status: 200,
      otherAnswers: { 202: jobsAnswer },
      async prepare(database, request) {
        const definition = await find(database, request);
        const historyId = idParameter(
          revisionIdSchema,
          request.params['historyId'],
          definitionTexts.noEntry,
        );
        const wanted = await database.read((db) => definitionBefore(db, definition, historyId));
        const ifMatch = request.ifMatch ?? etagOf(definition.state.version);
        return change(database, runner, kind, { ...request, ifMatch }, wanted, undefined);
      },
    }),
  ];
}

type Request = RouteRequest<'none', unknown>;

async function change(
  database: Database,
  runner: DefinitionJobRunner,
  kind: Kind,
  request: Request,
  wanted: WantedDefinition,
  onMisfit: 'keep' | undefined,
): Promise<(db: Transaction) => Promise<Answer>> {
  const query = new QueryReader(request.query, ['dryRun']);
  const isDryRun = query.boolean('dryRun', false);
  query.requireValid();
  const { ifMatch, params } = request;
  const { id } = await database.read((db) => requireDefinition(db, kind, params));
  const keepsMisfits = onMisfit === 'keep';
  const wish = { kind, id, wanted, keepsMisfits, actor: writerOf(request), ifMatch };
  if (isDryRun) {
    const plan = await previewChange(database, wish);
    return () => Promise.resolve({ body: { plan } });
  }
  if (ifMatch === null) throw new ApiError('precondition_required', definitionTexts.ifMatchMissing);
  return answerChange(database, kind, id, () => changeByJob(database, runner, wish));
}

/** Answers nothing where a purge is done, else its job. */
async function answerPurge(
  database: Database,
  { kind, id }: { readonly kind: Kind; readonly id: number },
  work: () => Promise<DefinitionJob | null>,
): Promise<(db: Transaction) => Promise<Answer>> {
  const job = await orChanged(database, kind, id, work);
  const answer = job ? { status: 202, body: { jobs: [answerJob(job)] } } : {};
  return () => Promise.resolve(answer);
}

/** Answers the changed definition, or the job that changes it. */
async function answerChange(
  database: Database,
  kind: Kind,
  id: number,
  work: () => Promise<DefinitionJob | null>,
): Promise<(db: Transaction) => Promise<Answer>> {
  const job = await orChanged(database, kind, id, work);
  if (job) {
    const jobs = [answerJob(job)];
    return () => Promise.resolve({ status: 202, body: { jobs } });
  }
  return async (db) => answerOne(db, kind, await readStored(db, kind, id));
}

/** @throws {ApiError} 412 with the definition where it is not of the version that the caller knows */
async function orChanged<Result>(
  database: Database,
  kind: Kind,
  id: number,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DefinitionChanged)) throw error;
    const current = await database.read(async (db) => {
      const presentOne = kind === 'archive' ? presentArchive : presentTable;
      return presentOne(db, await readStored(db, kind, id));
    });
    throw new ApiError('changed_meanwhile', definitionTexts.changedMeanwhile, { current });
  }
}

async function answerOne(db: Transaction, kind: Kind, one: StoredDefinition): Promise<Answer> {
  return { body: await present(db, kind, [one]), headers: { etag: etagOf(one.state.version) } };
}

async function present(db: Transaction, kind: Kind, definitions: readonly StoredDefinition[]) {
  const presentOne = kind === 'archive' ? presentArchive : presentTable;
  const presented = [];
  for (const definition of definitions) presented.push(await presentOne(db, definition));
  return { [KINDS[kind].many]: presented };
}

/** @throws {ApiError} 404 */
async function requireDefinition(
  db: Transaction,
  kind: Kind,
  params: Readonly<Record<string, string>>,
): Promise<StoredDefinition> {
  const { parameter, missing } = KINDS[kind];
  const found = await findDefinition(db, kind, params[parameter] ?? '');
  if (!found) throw new ApiError('not_found', missing);
  return found;
}
