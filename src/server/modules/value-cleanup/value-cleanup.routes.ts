import * as texts from '#messages/service/value-cleanup.ts';
import * as recordTexts from '#messages/service/records.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import { type AnyRoute, defineRead, defineRoute, type RouteRequest } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { replacementsBody } from '#shared/contract/value-cleanup-requests.ts';
import { countedIdSchema } from '#shared/contract/requests.ts';
import {
  CLUSTER_DISTANCES,
  valueAliasesAnswer,
  valueClustersAnswer,
} from '#shared/contract/value-cleanup.ts';
import { COUNT_PARAMETERS } from '../records/lists.service.ts';
import { definePlanRoute } from '../bulk-edits/plan-route.ts';
import { deleteAlias, listAliases } from '../value-aliases/value-aliases.ts';
import { idParameter, writerOf } from '../records/write-request.ts';
import { planReplacements, requireCleanedField } from './value-cleanup.service.ts';
import { findClustersInWorker } from './value-cleanup.reads.ts';

const FIELD = {
  archive: '{archives}/:archive/indices/:indexfield',
  table: '{tables}/:guid/columns/:column',
} as const;
type Kind = keyof typeof FIELD;

/** The name of the field in the path of a call. */
function fieldIn({ params }: Pick<RouteRequest<Kind, unknown>, 'params'>): string {
  return params['indexfield'] ?? params['column'] ?? '';
}

/** The calls about values of one field that are nearly equal (docs/interface/value-cleanup.md). */
export function valueCleanupRoutes(): AnyRoute[] {
  return [...routesOf('archive'), ...routesOf('table')];
}

function routesOf(kind: Kind): AnyRoute[] {
  return [
    defineRead({
      path: `${FIELD[kind]}/clusters`,
      summary:
        'Clusters of nearly equal values of a text field or keyword field, with their counts',
      description:
        'A cluster has values that differ only in case, accents, punctuation, the order of words, umlauts (ä, ae) or the ' +
        'notation of legal forms of companies, and values that differ by a few letters (fewer in short values), but not in ' +
        'digits or legal forms. The 50,000 most used values of the matching records are compared. Keyword fields are named ' +
        '`keyword.NAME`.',
      target: kind,
      cost: 'heavy',
      parameters: {
        distance: {
          description: 'the number of letters by which long values may differ: 0, 1 (default) or 2',
          schema: { type: 'string', enum: [...CLUSTER_DISTANCES] },
        },
        ...COUNT_PARAMETERS,
      },
      answer: valueClustersAnswer,
      async handle(db, request) {
        const name = fieldIn(request);
        const { target, query } = request;
        return { body: await findClustersInWorker(db, target, name, query) };
      },
    }),
    definePlanRoute({
      path: `${FIELD[kind]}/replacements`,
      summary: 'Plan the correction of values of a text field or keyword field',
      description:
        'The answer is a batch: its `apply` applies it, and its `undo` reverts it. Only exactly the given values are ' +
        'replaced. The filter is the query of the list.',
      target: kind,
      body: replacementsBody,
      plan(database, request) {
        const { target, body } = request;
        return planReplacements(database, target, writerOf(request), fieldIn(request), body);
      },
    }),
    defineRead({
      path: `${FIELD[kind]}/aliases`,
      summary: 'Values of a field that imports and pastes replace',
      target: kind,
      answer: valueAliasesAnswer,
      async handle(db, request) {
        const { number } = requireCleanedField(request.target, fieldIn(request));
        const aliases = await listAliases(db, request.target, number);
        return {
          body: {
            aliases: aliases.map(({ id, createdAt, ...alias }) => ({
              aliasId: String(id),
              ...alias,
              createdAt: isoTime(createdAt),
            })),
          },
        };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${FIELD[kind]}/aliases/:aliasId`,
      summary: 'Remove a value that imports and pastes replace, if there is one',
      target: kind,
      access: 'write',
      answer: null,
      async handle(db, request) {
        const { number } = requireCleanedField(request.target, fieldIn(request));
        if (!isWritable(request.target, { number })) {
          throw new ApiError('forbidden', { field: [recordTexts.fieldReadOnly] });
        }
        const id = idParameter(countedIdSchema, request.params['aliasId'], texts.noAlias);
        await deleteAlias(db, request.target, number, id, request.caller.username);
        return {};
      },
    }),
  ];
}
