import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { foldColumn, tableName, valueColumn } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { runCommand } from '#tests/e2e/support/command.ts';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import type { Template } from '../load/job.ts';
import { median } from '../figures.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { collectionsOf, inRounds, startGenerator, startMeasured } from '../rig.ts';
import { allCounted } from '../service-calls.ts';
import { API } from './requests.ts';

/** As docs/guides/configuration.md recommends for a machine of 4 GB. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '4GB' };
const TATE = join(import.meta.dirname, '../../examples/tate/tate.json');
const FIELD = 'MEDIUM';
const COUNTS = [100, 1_000];
/** milliseconds */
const MOST = 400;

/** Many revisions of the Tate archive changed in one call on PostgreSQL, beside the update of the same rows alone. */
export async function run(): Promise<BenchResult> {
  const cluster = await createCluster(SETTINGS);
  const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-bench-postgres-'));
  try {
    await cluster.start();
    console.error('  loading the Tate archive');
    await runCommand(['load', TATE, '--database-url', cluster.url, '--data', dataDir]);
    const rows = await measure(cluster.url, dataDir);
    return { name: 'batches-postgres', figures: {}, rows };
  } finally {
    await cluster.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(databaseUrl: string, dataDir: string): Promise<Row[]> {
  const { archive } = await collectionsOf({ dataDir, databaseUrl });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const generator = startGenerator();
  const service = await startMeasured({ dataDir, databaseUrl });
  try {
    const path = `${API}/application/archiveapp/archives/${archive.name}`;
    await allCounted(service, [], [path]);
    const { url, headers } = service;
    const rows: Row[] = [];
    const all = await readIds(client, archive);
    for (const count of COUNTS) {
      const ids = all.filter((_, i) => i % Math.floor(all.length / count) === 0).slice(0, count);
      const what = `PATCH ${count} revisions, PostgreSQL`;
      console.error(`  ${what}`);
      const requests = [changeOf(path, ids)];
      const load = { url, headers, ids: all.length, connections: 1, requests };
      const rounds = await inRounds(async () => ({
        // The shortest there is: one request.
        own: await generator.run({ ...load, seconds: 0 }),
        floor: await updateAlone(client, archive, ids),
      }));
      const value = median(rounds.map(({ own }) => own.p50));
      rows.push({
        what,
        size: all.length,
        connections: 1,
        unit: 'ms',
        value: rounded(value),
        floors: { update: rounded(median(rounds.map(({ floor }) => floor))) },
        ...(count === 1_000 && { goal: { says: `≤ ${MOST} ms`, met: value <= MOST } }),
      });
    }
    return rows;
  } finally {
    await service.process.stop();
    await generator.stop();
    await client.end();
  }
}

async function readIds(client: Client, archive: Archive): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select _id::text as id from ${tableName(archive)} order by _id`,
  );
  return rows.map(({ id }) => id);
}

function changeOf(archivePath: string, revisionIds: readonly string[]): Template {
  const indexFields = [{ name: FIELD, value: 'Oil paint on canvas, number {n}' }];
  const revisions = revisionIds.map((revisionId) => ({ revisionId, indexFields }));
  return {
    method: 'PATCH',
    path: `${archivePath}/indexdata`,
    body: JSON.stringify({ revisions }),
  };
}

/** Changes the value and the search text of the same revisions by one statement. @returns milliseconds */
async function updateAlone(
  client: Client,
  archive: Archive,
  ids: readonly string[],
): Promise<number> {
  const field = archive.fields.find(({ name }) => name === FIELD);
  if (!field) throw new Error(`The archive has no ${FIELD}.`);
  const from = performance.now();
  const text = `watercolour, at ${from}`;
  await client.query(
    `update ${tableName(archive)} set _version = _version + 1, _changed_at = $2,
        ${valueColumn(field)} = $3, ${foldColumn(field)} = $3,
        _search = left(_search, 500) || ' ' || $3 where _id = any($1)`,
    [ids, Date.now(), text],
  );
  return performance.now() - from;
}
