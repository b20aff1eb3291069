import * as z from 'zod';
import { median } from '../figures.ts';
import { listSql } from '../floors/list-sql.ts';
import type { Load } from '../load/job.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { inRounds, withRig, type Rig } from '../rig.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { listKinds, PATHS, type Goal, type ListKind } from './list-kinds.ts';

/** Pages asked for each second, by as many connections as clerks might have. */
const RATE = 50;
const CONNECTIONS = 8;
/** Where a page takes longer, in milliseconds, the service cannot answer so many a second: it is asked one by one. */
const TOO_LONG = 18;
/** Depths at which pages by `after` begin. */
const DEPTHS = [0.1, 0.3, 0.5, 0.7, 0.9];

/** Pages of 50 at a fixed rate, beside floor (c). */
export async function run(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await withRig(size, measure)));
  return { name: 'lists', figures: {}, rows };
}

async function measure(rig: Rig): Promise<Row[]> {
  const { size, collections } = rig;
  const sql = {
    archive: listSql(collections.archive, size),
    table: listSql(collections.table, size),
  };
  const kinds = listKinds(size);
  await warmUp(rig, kinds);
  const rows: Row[] = [];
  for (const kind of kinds) {
    console.error(`  ${kind.what} of ${size}`);
    const requests = await requestsOf(rig, kind);
    const units = kind.sql(sql[kind.of]).map((sql) => [{ sql, parameters: [] }]);
    const paced = await isQuick(rig, requests);
    const rate = paced ? { rate: RATE, connections: CONNECTIONS, seconds: SECONDS * 2 } : {};
    const rounds = await inRounds(async () => ({
      own: await rig.load({ requests, ...rate }),
      raw: await rig.raw({ units, commit: 'none' }),
    }));
    const own = (take: (load: Load) => number) => median(rounds.map(({ own }) => take(own)));
    const p50 = own((load) => load.p50);
    const p95 = own((load) => load.p95);
    const p99 = own((load) => load.p99);
    rows.push({
      what: kind.what,
      size,
      connections: null,
      unit: 'ms',
      value: rounded(p50),
      floors: { c: rounded(median(rounds.map(({ raw }) => raw.p50))) },
      more: {
        p95: rounded(p95),
        p99: rounded(p99),
        'a second': paced ? RATE : rounded(own((load) => load.perSecond)),
        'KB each': rounded(own((load) => load.bytes / 1024)),
      },
      constant: kind.deep === true || kind.goal === 'search',
      ...goalOf(kind.goal, paced, { p50, p95, p99 }),
    });
  }
  return rows;
}

/** Whether the service can answer so many a second. What is asked for the first time may take its time. */
async function isQuick(
  rig: Rig,
  requests: Awaited<ReturnType<typeof requestsOf>>,
): Promise<boolean> {
  const probe = () => rig.load({ requests, seconds: SECONDS / 4 });
  return (await probe()).p50 < TOO_LONG || (await probe()).p50 < TOO_LONG;
}

/** Lets the service's code be compiled, and its connections opened, before anything counts. */
async function warmUp(rig: Rig, kinds: readonly ListKind[]): Promise<void> {
  const requests = kinds
    .filter(({ goal, deep }) => goal === 'page' && deep !== true)
    .flatMap(({ of, queries }) => queries.map((query) => pageOf(of, query)));
  await rig.load({ requests, seconds: SECONDS * 4 });
}

const GOALS = {
  page: {
    line: 'page of 50 at 50 a second: first, by `after`, sorted, filtered',
    says: 'p50 ≤ 20 ms, p95 ≤ 100 ms',
    p50: 20,
    p95: 100,
    p99: Infinity,
  },
  offset: {
    line: 'the same by `offset`, or filtered where no index serves the sort',
    says: 'p50 ≤ 100 ms, p99 ≤ 300 ms',
    p50: 100,
    p95: Infinity,
    p99: 300,
  },
  search: {
    line: 'search by words and parts of words',
    says: 'p95 ≤ 100 ms',
    p50: Infinity,
    p95: 100,
    p99: Infinity,
  },
} as const;

function goalOf(
  goal: Goal,
  paced: boolean,
  { p50, p95, p99 }: { p50: number; p95: number; p99: number },
): Pick<Row, 'goal' | 'line'> {
  if (goal === 'none') return {};
  const limit = GOALS[goal];
  const met =
    (paced || goal === 'search') && p50 <= limit.p50 && p95 <= limit.p95 && p99 <= limit.p99;
  return { line: limit.line, goal: { says: limit.says, met } };
}

const pageSchema = z.object({
  meta: z.object({ pagination: z.object({ next: z.string().nullable() }) }),
});

/** The requests of a kind; of pages by `after` the places where they begin are asked for first. */
export async function requestsOf({ service, size }: Pick<Rig, 'service' | 'size'>, kind: ListKind) {
  const get = (query: string) => pageOf(kind.of, query);
  if (!kind.deep) return kind.queries.map(get);
  const requests: ReturnType<typeof get>[] = [];
  for (const query of kind.queries) {
    for (const depth of DEPTHS) {
      const before = joined(query, `offset=${Math.floor(size * depth)}`);
      const answer = await fetch(service.url + get(before).path, { headers: service.headers });
      const { next } = pageSchema.parse(await answer.json()).meta.pagination;
      if (next === null) throw new Error(`There is nothing after ${before}.`);
      requests.push(get(joined(query, `after=${encodeURIComponent(next)}`)));
    }
  }
  return requests;
}

const pageOf = (of: keyof typeof PATHS, query: string) => ({
  method: 'GET',
  path: `${PATHS[of]}?${encoded(query)}limit=50`,
});

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join('&');

/** A query as a browser sends it, ready for what follows. */
function encoded(query: string): string {
  return query === '' ? '' : `${query.replaceAll('[', '%5B').replaceAll(']', '%5D')}&`;
}
