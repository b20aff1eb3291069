import * as texts from '#messages/service/records.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { Transaction } from '#server/database/database.ts';
import { PlanOutdated, type Answer, type Route, type RouteRequest } from '#server/http/route.ts';
import { executePlan, isPlanCurrent, type WritePlan } from './write-plan.ts';

/** The size of a batch from which on planning on a snapshot is worthwhile. */
const MIN_PLANNED_BATCH_SIZE = 20;

/** A call that writes several records. */
interface BatchWrite<Target extends CollectionKind, Body, Written> {
  /** the number of records in the body */
  count(body: Body): number;
  /** Computes and checks the writes. */
  plan(db: Transaction, request: RouteRequest<Target, Body>): Promise<WritePlan<Written>>;
  /** Writes what the call stores besides its records, and creates the response. */
  answer(db: Transaction, request: RouteRequest<Target, Body>, written: Written): Promise<Answer>;
}

const TOO_MANY = { archive: texts.tooManyRevisions, table: texts.tooManyRecords } as const;

/**
 * The route of a batch of at most `max` records. If the database has one writer, the batch is planned before the
 * transaction.
 */
export function batchWrite<Target extends CollectionKind, Body, Written>(
  max: number,
  batch: BatchWrite<Target, Body, Written>,
): Required<Pick<Route<Target, Body>, 'handle' | 'plan' | 'isLarge'>> {
  const planWithin = (db: Transaction, request: RouteRequest<Target, Body>) => {
    if (batch.count(request.body) > max) {
      throw new ApiError('validation_failed', TOO_MANY[request.target.kind]({ max }));
    }
    return batch.plan(db, request);
  };
  const write = async (
    db: Transaction,
    request: RouteRequest<Target, Body>,
    plan: WritePlan<Written>,
  ): Promise<Answer> => {
    return batch.answer(db, request, await executePlan(db, plan));
  };
  return {
    isLarge: (body) => batch.count(body) >= MIN_PLANNED_BATCH_SIZE,
    async handle(db, request) {
      return write(db, request, await planWithin(db, request));
    },
    async plan(snapshot, planned) {
      if (snapshot.adapter.isShared) return null;
      const plan = await planWithin(snapshot, planned);
      return async (db, request) => {
        if (!(await isPlanCurrent(db, request.target, plan))) throw new PlanOutdated();
        return write(db, request, plan);
      };
    },
  };
}
