import {
  definePreparedRoute,
  defineRead,
  defineRoute,
  type AnyRoute,
  FOR_ADMINISTRATORS,
} from '#server/http/route.ts';
import {
  changeArchiveBody,
  changeTableBody,
  createArchiveBody,
  createTableBody,
} from '#shared/contract/configuration-bodies.ts';
import {
  changedArchivesAnswer,
  changedTablesAnswer,
  definedArchivesAnswer,
  definedTablesAnswer,
  jobsAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { writerOf } from '../records/write-request.ts';
import { createDefinition } from './creation.service.ts';
import {
  answerOne,
  answerRequestedChange,
  CHANGING,
  DRY_RUN,
  KINDS,
  presentDefinitions,
  requireDefinition,
  type Kind,
} from './definition-calls.ts';
import { definitionJobRoutes } from './definition-jobs.routes.ts';
import { definitionStateRoutes } from './definition-state.routes.ts';
import { readDefinitionsOf } from './definitions.store.ts';
import type { DefinitionJobRunner } from './jobs.runner.ts';

/** The calls by which administrators define archives and tables (docs/interface/administration.md, section 1). */
export function definitionRoutes(runner: DefinitionJobRunner): AnyRoute[] {
  return [
    ...routesOf('archive'),
    ...routesOf('table'),
    ...creationRoutes(),
    ...changeRoutes(runner),
    ...definitionStateRoutes('archive', runner),
    ...definitionStateRoutes('table', runner),
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
      ...FOR_ADMINISTRATORS,
      answer,
      async handle(db) {
        const all = await readDefinitionsOf(db, kind);
        const inOrder = [
          ...all.filter(({ retiredAt }) => retiredAt === null),
          ...all.filter(({ retiredAt }) => retiredAt !== null),
        ];
        return { body: await presentDefinitions(db, kind, inOrder) };
      },
    }),
    defineRead({
      path: one,
      summary: `The definition of one ${kind}`,
      description: 'The answer has a strong ETag, which changes only with the definition.',
      ...FOR_ADMINISTRATORS,
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
    description: 'Without a `guid`, one is generated.',
    ...CHANGING,
    status: 201,
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

function changeRoutes(runner: DefinitionJobRunner): AnyRoute[] {
  const about = {
    ...CHANGING,
    method: 'PUT',
    description:
      'Fields are identified by their names. `renamedFrom` renames a field; a field that is left out is retired. If ' +
      'the change takes longer than two seconds, the answer is 202 with a job. If stored values break a new rule, the ' +
      'change is refused with 409 `definition_conflict` and the plan, unless `onMisfit` is `keep`. Requires ' +
      '`If-Match`, unless `dryRun` is `true`.',
    parameters: DRY_RUN,
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
        answerRequestedChange(
          database,
          runner,
          'archive',
          request,
          request.body.archive,
          request.body.onMisfit,
        ),
    }),
    definePreparedRoute({
      ...about,
      path: `${KINDS.table.path}/:guid`,
      summary: 'Change the definition of a table',
      body: changeTableBody,
      answer: changedTablesAnswer,
      prepare: (database, request) =>
        answerRequestedChange(
          database,
          runner,
          'table',
          request,
          request.body.table,
          request.body.onMisfit,
        ),
    }),
  ];
}
