import type { Database } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { Writer } from '../records/records.service.ts';
import type { PlannedRow, ReplacingRow } from './planned-rows.store.ts';
import {
  INITIAL_BATCH_SIZE,
  MAX_BATCH_CHARACTERS,
  nextBatchSize,
  storePlan,
  type UnfinishedPlan,
} from './planning.ts';
import { type PlannedBatch, RowPlanner } from './row-planner.ts';
import type { RowsToPlan, RowToPlan } from './rows-to-plan.ts';

/** Rows that are planned together; few, because their records may have large texts. */
const MAX_BATCH_SIZE = 50;

/**
 * Plans the rows of an import, a paste or an earlier plan, outside a transaction. The rows are read once; a second time
 * only if later rows of a file name revisions of earlier ones, for the cells of these.
 */
export function planRows(
  database: Database,
  collection: Collection,
  writer: Writer,
  source: RowsToPlan,
): Promise<UnfinishedPlan> {
  const { fileName } = source;
  const kind = source.from === 'paste' ? 'paste' : 'import';
  const rows = plannedRows(database, new RowPlanner(collection, writer, source), source);
  return storePlan(database, collection, writer, { kind, edits: [], fileName }, rows);
}

async function* plannedRows(
  database: Database,
  planner: RowPlanner,
  source: RowsToPlan,
): AsyncGenerator<readonly (PlannedRow | ReplacingRow)[]> {
  yield* inBatches(source.read(), (rows) => planner.plan(database, rows));
  if (planner.replacedCount === 0) return;
  yield* inBatches(replacedRows(planner, source), (rows) => planner.planRefused(database, rows));
}

/** The rows that have to be planned again; reads no further than to the last of them. */
async function* replacedRows(planner: RowPlanner, source: RowsToPlan): AsyncGenerator<RowToPlan> {
  let missing = planner.replacedCount;
  for await (const row of source.read()) {
    if (!planner.isReplaced(row)) continue;
    yield row;
    missing -= 1;
    if (missing === 0) return;
  }
}

/** Plans rows in batches, which are smaller where rows, records or changes have large texts. */
async function* inBatches<Planned extends PlannedRow>(
  rows: AsyncIterable<RowToPlan> | Iterable<RowToPlan>,
  plan: (rows: readonly RowToPlan[]) => Promise<PlannedBatch<Planned>>,
): AsyncGenerator<Planned[]> {
  let batch: RowToPlan[] = [];
  let given = 0;
  let size = INITIAL_BATCH_SIZE;
  const planBatch = async () => {
    const taken = batch;
    batch = [];
    given = 0;
    const { planned, characters } = await plan(taken);
    size = Math.min(MAX_BATCH_SIZE, nextBatchSize(taken.length, characters));
    return planned;
  };
  for await (const row of rows) {
    batch.push(row);
    given += row.characters;
    if (batch.length >= size || given >= MAX_BATCH_CHARACTERS) yield await planBatch();
  }
  if (batch.length > 0) yield await planBatch();
}
