import { join } from 'node:path';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { copyOfData } from '../data/databases.ts';
import { recordValues } from '../data/records.ts';
import { median } from '../figures.ts';
import { changeOne, createOne } from '../floors/save-sql.ts';
import type { RawJob } from '../floors/raw-job.ts';
import type { Load, Template } from '../load/job.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { inRounds, startGenerator, withRig, type Rig } from '../rig.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { archivePath, datasetsPath } from './requests.ts';

const MANY = 10_000;

interface Batch {
  readonly what: string;
  readonly request: Template;
  /** floor (c), of the same number */
  readonly units: RawJob['units'];
  readonly times: number;
  readonly goal: boolean;
}

/** Ids that are scattered over all, each once. */
const idsOf = (count: number, size: number) =>
  Array.from({ length: count }, (_, i) => 1 + Math.floor((i * size) / count));

function batches({ size, collections }: Rig): Batch[] {
  const remark = [{ name: 'REMARK', value: 'Asked again, number {n}' }];
  const change = (count: number): Batch => {
    const ids = idsOf(Math.min(count, size), size);
    const revisions = ids.map((revisionId) => ({ revisionId, indexFields: remark }));
    return {
      what: `PATCH ${ids.length} revisions`,
      request: {
        method: 'PATCH',
        path: `${archivePath}/indexdata`,
        body: JSON.stringify({ revisions }),
      },
      units: ids.map((id) => changeOne(collections.archive, 'REMARK', String(id))),
      times: ids.length,
      goal: count === MANY,
    };
  };
  const count = Math.min(MANY, size);
  const ids = idsOf(count, size);
  const values = Array.from({ length: count }, (_, i) => ({
    ...recordValues(i + 1),
    code: `N-{n}-${i}`,
  }));
  return [
    change(100),
    change(MANY),
    {
      what: `POST ${count} datasets`,
      request: { method: 'POST', path: datasetsPath, body: JSON.stringify({ datasets: values }) },
      units: [createOne(collections.table)],
      times: count,
      goal: false,
    },
    {
      what: `PUT ${count} datasets`,
      request: {
        method: 'PUT',
        path: datasetsPath,
        body: JSON.stringify({
          datasets: ids.map((jrid) => ({ jrid, note: 'Asked again, number {n}' })),
        }),
      },
      units: ids.map((id) => changeOne(collections.table, 'note', String(id))),
      times: count,
      goal: false,
    },
  ];
}

/** Many in one call, all or none, beside floor (c) in one transaction; and what others wait meanwhile. */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await withRig(size, measure)));
  return { name: 'batches', figures: {}, rows };
}

async function measure(rig: Rig): Promise<Row[]> {
  const { size } = rig;
  const floor = await copyOfData(size);
  const others = startGenerator();
  try {
    const rows: Row[] = [];
    for (const { what, request, units, times, goal } of batches(rig)) {
      console.error(`  ${what} of ${size}`);
      const file = join(floor.dataDir, SQLITE_FILE);
      const rounds = await inRounds(async () => ({
        // The shortest there is: one request.
        own: await rig.load({ requests: [request], seconds: 0 }),
        raw: await rig.raw({ file, units, commit: 'once', times }),
      }));
      const value = median(rounds.map(({ own }) => own.p50));
      const ratio = median(rounds.map(({ own, raw }) => own.p50 / raw.all));
      rows.push({
        what,
        size,
        connections: 1,
        unit: 'ms',
        value: rounded(value),
        floors: { c: rounded(median(rounds.map(({ raw }) => raw.all))) },
        more: { '× c': rounded(ratio) },
        ...(goal ? { goal: { says: '≤ 3 × c, < 1 s', met: ratio <= 3 && value < 1000 } } : {}),
      });
      if (goal) rows.push(await measureOthers(rig, others, what, request));
    }
    return rows;
  } finally {
    await others.stop();
    await floor.remove();
  }
}

/** How long single saves take at most while such a batch is saved. */
async function measureOthers(
  rig: Rig,
  others: ReturnType<typeof startGenerator>,
  what: string,
  request: Template,
): Promise<Row> {
  const { url, headers } = rig.service;
  const save: Template = {
    method: 'PUT',
    path: `${datasetsPath}/{id}`,
    body: JSON.stringify({ dataset: { note: 'Asked again, number {n}' } }),
  };
  const rounds = await inRounds(async () => {
    const saving: Promise<Load> = others.run({
      url,
      headers,
      requests: [save],
      ids: rig.size,
      connections: 4,
      rate: 100,
      seconds: SECONDS * 2,
    });
    const own = await rig.load({ requests: [request], seconds: 0 });
    return { own, saves: await saving };
  });
  const most = median(rounds.map(({ saves }) => saves.most));
  const batch = median(rounds.map(({ own }) => own.p50));
  return {
    what: `longest save of one dataset beside ${what}`,
    size: rig.size,
    connections: 4,
    unit: 'ms',
    value: rounded(most),
    floors: {},
    more: { 'the batch (ms)': rounded(batch) },
    goal: { says: 'no longer than the batch', met: most <= batch },
  };
}
