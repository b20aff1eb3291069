import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { foldColumn, tableName, valueColumn } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import { median } from '../figures.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { inRounds, startGenerator, startMeasured } from '../rig.ts';
import { allCounted } from '../service-calls.ts';
import { SIZES } from '../settings.ts';
import { changeOf, idsOf } from './batches.ts';
import { fill } from './postgres.ts';

const COUNTS = [100, 1_000];
const MOST = 400;

/** Many revisions changed in one call on PostgreSQL, with both cores, beside the update of the same rows alone. */
export async function run(): Promise<BenchResult> {
  const size = Math.min(...SIZES);
  const cluster = await createCluster();
  const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-bench-postgres-'));
  try {
    await cluster.start();
    const { archive } = await fill(cluster.url, size);
    const rows = await measure(cluster.url, dataDir, size, archive);
    return { name: 'batches-postgres', figures: {}, rows };
  } finally {
    await cluster.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(
  databaseUrl: string,
  dataDir: string,
  size: number,
  archive: Archive,
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const generator = startGenerator();
  const service = await startMeasured({ dataDir, databaseUrl });
  try {
    await allCounted(service);
    const { url, headers } = service;
    const rows: Row[] = [];
    for (const ids of COUNTS.map((count) => idsOf(Math.min(count, size), size))) {
      const what = `PATCH ${ids.length} revisions, PostgreSQL`;
      console.error(`  ${what}, of ${size}`);
      const load = { url, headers, ids: size, connections: 1, requests: [changeOf(ids)] };
      const rounds = await inRounds(async () => ({
        // The shortest there is: one request.
        own: await generator.run({ ...load, seconds: 0 }),
        floor: await updateAlone(client, archive, ids),
      }));
      const value = median(rounds.map(({ own }) => own.p50));
      rows.push({
        what,
        size,
        connections: 1,
        unit: 'ms',
        value: rounded(value),
        floors: { update: rounded(median(rounds.map(({ floor }) => floor))) },
        ...(ids.length === 1_000 && { goal: { says: `≤ ${MOST} ms`, met: value <= MOST } }),
      });
    }
    return rows;
  } finally {
    await service.process.stop();
    await generator.stop();
    await client.end();
  }
}

/** Changes the value and the search text of the same revisions by one statement. @returns milliseconds */
async function updateAlone(
  client: Client,
  archive: Archive,
  ids: readonly number[],
): Promise<number> {
  const remark = archive.fields.find(({ name }) => name === 'REMARK');
  if (!remark) throw new Error('The archive has no REMARK.');
  const from = performance.now();
  await client.query(
    `update ${tableName(archive)} set _version = _version + 1, _changed_at = $2,
        ${valueColumn(remark)} = $3, ${foldColumn(remark)} = $3, _search = _search || ' ' || $3
      where _id = any($1)`,
    [ids, Date.now(), `asked again at ${from}`],
  );
  return performance.now() - from;
}
