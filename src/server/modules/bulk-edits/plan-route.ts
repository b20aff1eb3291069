import type { CollectionKind } from '#shared/rules/names.ts';
import type { Database } from '#server/database/database.ts';
import {
  type AnyRoute,
  definePreparedRoute,
  type PreparedRoute,
  type RouteRequest,
} from '#server/http/route.ts';
import { bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { finishPlan, type UnfinishedPlan } from './planning.ts';
import { toBulkEdit } from './present-bulk-edit.ts';

interface PlanRoute<Target extends CollectionKind, Body> extends Pick<
  PreparedRoute<Target, Body>,
  'path' | 'summary' | 'description' | 'target' | 'body' | 'form'
> {
  /** Stores the plan of a batch, outside a transaction. Its request's transaction makes it visible. */
  readonly plan: (
    database: Database,
    request: RouteRequest<Target, Body>,
  ) => Promise<UnfinishedPlan>;
}

/** Declares a call that plans a batch and answers it. */
export function definePlanRoute<Target extends CollectionKind, Body = null>({
  plan,
  ...route
}: PlanRoute<Target, Body>): AnyRoute {
  return definePreparedRoute<Target, Body>({
    ...route,
    method: 'POST',
    access: 'write',
    answer: bulkEditsAnswer,
    status: 201,
    cost: 'heavy',
    async prepare(database, request) {
      const planned = await plan(database, request);
      return async (db) => {
        const bulkEdit = await finishPlan(db, request.target, planned);
        return { body: { bulkedits: [toBulkEdit(request.target, bulkEdit)] } };
      };
    },
  });
}
