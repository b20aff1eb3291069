import type { Scalar } from '#shared/values/values.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { Chunk, LeftRow, PasteJob } from './journal.ts';
import { isTouched, MARK, objectionTo, type Plan } from './plan.ts';

/** Rows that go at once. */
const CHUNK_ROWS = 1000;

/** A new job for a plan. */
export function newJob(plan: Plan, username: string, guid: string): PasteJob {
  return {
    id: newIdempotencyKey(),
    username,
    guid,
    at: Date.now(),
    rows: plan.targets.length,
    rowsDone: 0,
    chunks: Math.ceil(plan.targets.length / CHUNK_ROWS),
    chunksDone: 0,
    is: 'going',
  };
}

/** Cuts a plan into what goes to the server at once. */
export function* chunksOf(plan: Plan, job: string): Generator<Chunk, void, void> {
  const { targets } = plan;
  for (let from = 0, number = 0; from < targets.length; from += CHUNK_ROWS, number++) {
    const to = Math.min(from + CHUNK_ROWS, targets.length);
    const changes: Chunk['changes'][number][] = [];
    const creations: Record<string, Scalar>[] = [];
    const left: LeftRow[] = [];
    for (let row = from; row < to; row++) {
      if (!isTouched(plan, row)) continue;
      const target = targets[row];
      const { values, typed, objections } = contentOf(plan, row);
      if (target?.is === 'record') {
        const { dataset, etag } = target.stored;
        const { jrid } = dataset;
        const names = [...Object.keys(values), ...Object.keys(typed)];
        const before = Object.fromEntries(names.map((name) => [name, dataset[name] ?? null]));
        if (Object.keys(values).length > 0) changes.push({ jrid, values, before, ifMatch: etag });
        if (Object.keys(typed).length > 0)
          left.push({ jrid, typed, objections, values: {}, before });
      } else if (target?.is === 'fresh') {
        // A row without what it must have, or with a cell that nobody can read, is for the clerk to finish.
        const isWhole = !plan.lacking.has(row) && Object.keys(typed).length === 0;
        if (isWhole) creations.push(values);
        else left.push({ jrid: null, typed, objections, values, before: {} });
      }
    }
    yield {
      job,
      number,
      rows: to - from,
      changes,
      creations,
      left,
      changeKey: newIdempotencyKey(),
      createKey: newIdempotencyKey(),
      sent: false,
      changed: null,
      created: null,
    };
  }
}

function contentOf(plan: Plan, row: number) {
  const { columns, cells, marks, values } = plan;
  const read: Record<string, Scalar> = {};
  const typed: Record<string, string> = {};
  const objections: Record<string, string> = {};
  for (const [at, { name }] of columns.entries()) {
    const place = row * columns.length + at;
    if (marks[place] === MARK.changed) read[name] = values[place] ?? null;
    else if (marks[place] === MARK.invalid || marks[place] === MARK.ambiguous) {
      typed[name] = cells[row]?.[at]?.text ?? '';
      objections[name] = objectionTo(plan, place);
    }
  }
  return { values: read, typed, objections };
}
