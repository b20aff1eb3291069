import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import { startOnServiceCore } from '../cores.ts';
import type { BenchResult, Row } from '../result.ts';
import { startGenerator, startMeasured } from '../rig.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { measureChecks } from './checks.ts';
import { fill } from './postgres.ts';

/** The counts of `checks` on PostgreSQL. */
export async function run(): Promise<BenchResult> {
  const size = Math.max(...SIZES);
  const given = process.env['INDEXDESK_BENCH_DATABASE_URL'];
  const cluster = given === undefined ? await createCluster() : undefined;
  try {
    if (cluster) {
      await startOnServiceCore(() => cluster.start());
      await fill(cluster.url, size);
    }
    const rows = await measure(new URL(cluster?.url ?? given ?? ''), size);
    return { name: 'checks-postgres', figures: {}, rows };
  } finally {
    await cluster?.remove();
  }
}

/** The name of the copy without checks. */
const PLAIN = 'indexdesk_bench_plain';

async function measure(url: URL, size: number): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-bench-checks-'));
  await copyDatabase(url);
  const plainUrl = new URL(url);
  plainUrl.pathname = PLAIN;
  const generator = startGenerator();
  const started = [url, plainUrl].map(({ href }, i) =>
    startMeasured({ dataDir: join(dataDir, String(i)), databaseUrl: href }),
  );
  const services = await Promise.all(started);
  try {
    const [measured, plain] = services.map((service) => ({
      service,
      size,
      load: (job: Parameters<typeof generator.run>[0] | object) =>
        generator.run({
          url: service.url,
          headers: service.headers,
          ids: size,
          connections: 1,
          requests: [],
          seconds: SECONDS,
          ...job,
        }),
    }));
    if (!measured || !plain) throw new Error('Two services were started.');
    return await measureChecks(measured, plain, ', PostgreSQL');
  } finally {
    for (const { process: service } of services) await service.stop();
    await generator.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Nobody else may use the database meanwhile. */
async function copyDatabase(url: URL): Promise<void> {
  const other = new URL(url);
  other.pathname = 'template1';
  const client = new Client({ connectionString: other.href });
  await client.connect();
  try {
    await client.query(`drop database if exists ${PLAIN}`);
    await client.query(`create database ${PLAIN} template "${url.pathname.slice(1)}"`);
  } finally {
    await client.end();
  }
}
