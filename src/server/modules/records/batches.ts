import type { Transaction } from '#server/database/database.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { PlanOutdated, type Answer, type Route, type RouteRequest } from '#server/http/route.ts';
import { isUpToDate, type WritePlan } from './write-plan.ts';

/** From so many records on a snapshot before the transaction costs less than it spares others. */
const LARGE = 20;

/** A call that writes several records. */
interface Batch<Target extends 'archive' | 'table', Body, Written> {
  /** how many records a body names */
  count(body: Body): number;
  /** Computes and checks what is to be written. */
  plan(db: Transaction, request: RouteRequest<Target, Body>): Promise<WritePlan<Written>>;
  /** Adds what the call writes beside its records, and answers. */
  answer(db: Transaction, request: RouteRequest<Target, Body>, written: Written): Promise<Answer>;
}

/** What a route needs for a batch: where there is one writer, it is planned before the transaction. */
export function writesBatch<Target extends 'archive' | 'table', Body, Written>(
  batch: Batch<Target, Body, Written>,
): Required<Pick<Route<Target, Body>, 'handle' | 'plan' | 'isLarge'>> {
  const carryOut = async (
    db: Transaction,
    request: RouteRequest<Target, Body>,
    plan: WritePlan<Written>,
  ): Promise<Answer> => {
    plan.throwIfRefused();
    return batch.answer(db, request, await plan.write(db));
  };
  return {
    isLarge: (body) => batch.count(body) >= LARGE,
    async handle(db, request) {
      return carryOut(db, request, await batch.plan(db, request));
    },
    async plan(snapshot, planned) {
      if (snapshot.adapter.isShared) return null;
      const plan = await batch.plan(snapshot, planned);
      return async (db, request) => {
        if (!(await isUpToDate(db, request.target, plan))) throw new PlanOutdated();
        return carryOut(db, request, plan);
      };
    },
  };
}

/** Writes a list as `JSON.stringify({ [name]: items, meta })` does, and lets other work of the process run meanwhile. */
export async function writeList<Item>(
  name: string,
  items: readonly Item[],
  present: (item: Item) => unknown,
  meta: object,
): Promise<string> {
  const texts: string[] = [];
  for (const [i, item] of items.entries()) {
    texts.push(JSON.stringify(present(item)));
    if (i % 50 === 49) await yieldToEventLoop();
  }
  return `{${JSON.stringify(name)}:[${texts.join()}],"meta":${JSON.stringify(meta)}}`;
}
