import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import { copyOfData } from '../data/databases.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { SIZES } from '../settings.ts';
import { fill } from './postgres.ts';

const MILLION = 1_000_000;
/** Seconds for a million entries. */
const GOAL = 30;

/** A verification of the greatest database, which has two entries for each of its rows, on SQLite and PostgreSQL. */
export async function run(): Promise<BenchResult> {
  const size = Math.max(...SIZES);
  const { dataDir, remove } = await copyOfData(size);
  const ofPostgres = await mkdtemp(join(tmpdir(), 'indexdesk-bench-postgres-'));
  const given = process.env['INDEXDESK_BENCH_DATABASE_URL'];
  const cluster = given === undefined ? await createCluster() : undefined;
  try {
    const rows = [await measure({ dataDir }, size)];
    if (cluster) {
      await cluster.start();
      await fill(cluster.url, size);
    }
    const databaseUrl = cluster?.url ?? given;
    rows.push(await measure({ dataDir: ofPostgres, databaseUrl }, size));
    return { name: 'verify', figures: {}, rows };
  } finally {
    await cluster?.remove();
    await rm(ofPostgres, { recursive: true, force: true });
    await remove();
  }
}

async function measure(config: DatabaseConfig, size: number): Promise<Row> {
  const database = await openDatabase(config);
  const name = database.adapter.isShared ? 'PostgreSQL' : 'SQLite';
  try {
    console.error(`  verify ${size} on ${name}`);
    const entries = await database.read(({ k }) =>
      k
        .selectFrom('history')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    );
    const quiet = () => undefined;
    const from = performance.now();
    const found = await verifyInstallation(
      database,
      config,
      openFileStore({ ...config, files: undefined }),
      { contents: false, deep: false, since: null },
      { progress: quiet, info: (line) => console.error(`    ${line}`), fail: console.error },
    );
    const took = performance.now() - from;
    if (found > 0) throw new Error(`There are ${found} findings.`);
    const limit = GOAL * 1_000 * (entries.count / MILLION);
    return {
      what: `verify, ${name}`,
      size,
      connections: null,
      unit: 'ms',
      value: rounded(took),
      floors: {},
      more: { entries: entries.count },
      // Below that its start counts.
      ...(entries.count < MILLION
        ? {}
        : { goal: { says: `≤ ${GOAL} s per million entries`, met: took <= limit } }),
    };
  } finally {
    await database.close();
  }
}
