import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import { startOnServiceCore } from '../cores.ts';
import { median } from '../figures.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { inRounds, startGenerator, startMeasured } from '../rig.ts';
import { allCounted } from '../service-calls.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { listKinds } from './list-kinds.ts';
import { requestsOf } from './lists.ts';
import { fill } from './postgres.ts';

/** Medians, in milliseconds: three times what the service was first built to keep on an archive of 69,202 revisions. */
const MOST = { page: 150, offset: 150, search: 300 } as const;

/** The lists of `lists` on PostgreSQL, one by one. */
export async function run(): Promise<BenchResult> {
  const size = Math.max(...SIZES);
  const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-bench-postgres-'));
  const given = process.env['INDEXDESK_BENCH_DATABASE_URL'];
  const cluster = given === undefined ? await createCluster() : undefined;
  try {
    if (cluster) {
      await startOnServiceCore(() => cluster.start());
      await fill(cluster.url, size);
    }
    return {
      name: 'lists-postgres',
      figures: {},
      rows: await measure(cluster?.url ?? given ?? '', dataDir, size),
    };
  } finally {
    await cluster?.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(databaseUrl: string, dataDir: string, size: number): Promise<Row[]> {
  const generator = startGenerator();
  const service = await startMeasured({ dataDir, databaseUrl });
  try {
    await allCounted(service);
    const { url, headers } = service;
    const rows: Row[] = [];
    for (const kind of listKinds(size)) {
      console.error(`  ${kind.what} of ${size} on PostgreSQL`);
      const requests = await requestsOf({ service, size }, kind);
      const load = { url, headers, ids: size, requests, connections: 1 };
      // The first answers compile the service's code and plan the statements.
      await generator.run({ ...load, seconds: SECONDS / 4 });
      const rounds = await inRounds(() => generator.run(load));
      const of = (take: (load: (typeof rounds)[number]) => number) => median(rounds.map(take));
      const [p50, p95, p99] = [of((l) => l.p50), of((l) => l.p95), of((l) => l.p99)];
      rows.push({
        what: kind.what,
        size,
        connections: null,
        unit: 'ms',
        value: rounded(p50),
        floors: {},
        more: { p95: rounded(p95), p99: rounded(p99) },
        ...(kind.goal === 'none'
          ? {}
          : {
              line: 'any of these lists on PostgreSQL',
              goal: {
                says: 'median ≤ 150 ms, of a search ≤ 300 ms',
                met: p50 <= MOST[kind.goal],
              },
            }),
      });
    }
    return rows;
  } finally {
    await service.process.stop();
    await generator.stop();
  }
}
