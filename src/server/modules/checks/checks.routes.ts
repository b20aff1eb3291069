import type { CollectionKind } from '#shared/rules/names.ts';
import * as requestsTexts from '#messages/requests.ts';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import {
  definePreparedRoute,
  defineRead,
  defineRoute,
  ID_SCHEMA,
  type AnyRoute,
  type Caller,
  type RouteRequest,
} from '#server/http/route.ts';
import * as answers from '#shared/contract/answers.ts';
import {
  checksAnswer,
  duplicateGroupsAnswer,
  triedRuleAnswer,
} from '#shared/contract/check-answers.ts';
import { revisionIdSchema } from '#shared/contract/requests.ts';
import { textSchema } from '#shared/rules/text-schemas.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { recordIdOf, writerOf } from '../records/write-request.ts';
import { visibleCollections } from '../rights/rights.service.ts';
import { tryRuleInWorker } from './checks.reads.ts';
import { listChecks } from './checks.service.ts';
import { setException } from './exceptions.service.ts';
import { duplicateGroups } from './duplicate-groups.ts';
import { answerRecord } from './answer-record.ts';

const tryBody = z.strictObject({ rule: textSchema, when: textSchema.optional() });

const exceptionBody = z.strictObject({
  reason: textSchema.min(1, { abort: true }).max(2_000).regex(/\S/u, requestsTexts.reasonBlank),
  /** of duplicates: the records that are not duplicates of this one */
  with: z.array(revisionIdSchema).min(1).max(100).optional(),
});

/** The calls about checks (docs/interface/checks.md, section 3). */
export function checkRoutes(definitions: Definitions): AnyRoute[] {
  return [
    ...listRoutes(definitions, 'archive', '{archives}/:archive'),
    ...listRoutes(definitions, 'table', '{tables}/:guid'),
    ...exceptionRoutes('archive', '{archives}/:archive/documents/:revisionId'),
    ...exceptionRoutes('table', '{tables}/:guid/datasets/:jrid'),
  ];
}

function listRoutes(definitions: Definitions, target: CollectionKind, path: string): AnyRoute[] {
  const tablesOf = async (db: Transaction, caller: Caller) => {
    const { tables } = await visibleCollections(db, definitions, caller);
    return tables.map(({ collection }) => collection);
  };
  return [
    defineRead({
      path: `${path}/checks`,
      summary: `The checks of the ${target} with their counts`,
      target,
      answer: checksAnswer,
      async handle(db, request) {
        const tables = await tablesOf(db, request.caller);
        return { body: { checks: await listChecks(db, request.target, tables) } };
      },
    }),
    defineRead({
      path: `${path}/checks/:check/groups`,
      summary: 'The duplicates that a check finds, in groups of equal records',
      description:
        'Sorted by the first record of each group. As of the last count of the check, which follows a write within 2 s.',
      target,
      parameters: {
        limit: 'groups per page, 1 to 1,000; 100 by default; there may be fewer',
        after: 'the `next` of the previous page, or the `group` of any group',
        record: {
          description: 'only groups with this record',
          schema: ID_SCHEMA,
        },
      },
      answer: duplicateGroupsAnswer,
      async handle(db, { target: collection, params, query }) {
        return { body: await duplicateGroups(db, collection, params['check'] ?? '', query) };
      },
    }),
    definePreparedRoute({
      method: 'POST',
      path: `${path}/checks/try`,
      summary: 'The findings of a rule that is not saved',
      target,
      access: 'write',
      body: tryBody,
      answer: triedRuleAnswer,
      idempotency: 'none',
      cost: 'heavy',
      async prepare(database, { caller, target: collection, body }) {
        // It writes nothing, and may take long.
        const tried = await database.read(async (db) => {
          const tables = await tablesOf(db, caller);
          return tryRuleInWorker(db, collection, tables, body);
        });
        return () => Promise.resolve({ body: tried });
      },
    }),
  ];
}

function exceptionRoutes(target: CollectionKind, path: string): AnyRoute[] {
  const about = {
    path: `${path}/exceptions/:check`,
    target,
    access: 'write',
    answer: target === 'archive' ? answers.revisionsAnswer : answers.datasetsAnswer,
  } as const;
  const set = async (
    db: Transaction,
    request: RouteRequest<CollectionKind, unknown>,
    exception: Parameters<typeof setException>[4],
  ) => {
    const { target: collection, params, ifMatch } = request;
    const named = { id: recordIdOf(request), check: params['check'] ?? '', ifMatch };
    const record = await setException(db, collection, writerOf(request), named, exception);
    return answerRecord(db, collection, record);
  };
  return [
    defineRoute({
      ...about,
      method: 'PUT',
      summary: 'Make an exception: the record is correct although a check finds it',
      body: exceptionBody,
      handle: (db, request) =>
        set(db, request, { reason: request.body.reason, with: request.body.with ?? null }),
    }),
    defineRoute({
      ...about,
      method: 'DELETE',
      summary: 'End an exception',
      handle: (db, request) => set(db, request, null),
    }),
  ];
}
