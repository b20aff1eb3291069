import {
  definePreparedRoute,
  defineRead,
  defineRoute,
  type AnyRoute,
  FOR_ADMINISTRATORS,
} from '#server/http/route.ts';
import { jobsAnswer } from '#shared/contract/configuration-definitions.ts';
import { writerOf } from '../records/write-request.ts';
import { createDefinition } from './creation.service.ts';
import {
  aboutDefinition,
  answerOne,
  answerRequestedChange,
  CHANGING,
  DRY_RUN,
  KINDS,
  presentDefinitions,
  requireDefinition,
  requestedIn,
} from './definition-calls.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { definitionJobRoutes } from './definition-jobs.routes.ts';
import { definitionStateRoutes } from './definition-state.routes.ts';
import { readDefinitionsOf } from '../definitions/stored-definitions.ts';
import type { DefinitionJobRunner } from '../definition-jobs/job-runner.ts';

/** The calls by which administrators define archives and tables (docs/interface/administration.md, section 1). */
export function definitionRoutes(runner: DefinitionJobRunner): AnyRoute[] {
  return [
    ...routesOf('archive'),
    ...routesOf('table'),
    creationRoute('archive'),
    creationRoute('table'),
    changeRoute('archive', runner),
    changeRoute('table', runner),
    ...definitionStateRoutes('archive', runner),
    ...definitionStateRoutes('table', runner),
    ...definitionJobRoutes(runner),
  ];
}

function routesOf(kind: CollectionKind): AnyRoute[] {
  const { path, onePath, answer, many } = KINDS[kind];
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
      path: onePath,
      ...aboutDefinition(kind),
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

function creationRoute(kind: CollectionKind): AnyRoute {
  const { path, createBody, answer } = KINDS[kind];
  return defineRoute({
    ...CHANGING,
    method: 'POST',
    path,
    summary: `Define a new ${kind}`,
    description: 'Without a `guid`, one is generated.',
    body: createBody,
    answer,
    status: 201,
    async handle(db, request) {
      const wanted = requestedIn(request.body);
      return answerOne(db, kind, await createDefinition(db, kind, wanted, writerOf(request)));
    },
  });
}

function changeRoute(kind: CollectionKind, runner: DefinitionJobRunner): AnyRoute {
  const { onePath, changeBody, changedAnswer } = KINDS[kind];
  return definePreparedRoute({
    ...CHANGING,
    method: 'PUT',
    path: onePath,
    ...aboutDefinition(kind),
    summary: `Change the definition of ${kind === 'archive' ? 'an archive' : 'a table'}`,
    description:
      'Fields are identified by their names. `renamedFrom` renames a field; a field that is left out is retired. If ' +
      'the change takes longer than two seconds, the answer is 202 with a job. If stored values break a new rule, the ' +
      'change is refused with 409 `definition_conflict` and the plan, unless `onMisfit` is `keep`. Requires ' +
      '`If-Match`, which is optional if `dryRun` is `true`.',
    ...DRY_RUN.ofRoute,
    body: changeBody,
    answer: changedAnswer,
    otherAnswers: { 202: jobsAnswer },
    errors: [428],
    prepare(database, request) {
      const { body } = request;
      const change = { wanted: requestedIn(body), onMisfit: body.onMisfit };
      return answerRequestedChange(database, runner, kind, request, change);
    },
  });
}
