import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '#tests/e2e/support/command.ts';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import { ARCHIVE } from '../data/databases.ts';
import { REVISION_FIELDS, revisionLines } from '../data/revisions.ts';
import type { Load } from '../load/job.ts';
import { rounded, type BenchResult, type Row } from '../result.ts';
import { startGenerator, startMeasured } from '../rig.ts';
import { allCounted } from '../service-calls.ts';
import { SECONDS, SIZES } from '../settings.ts';
import { archivePath, change } from './requests.ts';

/** Each of so many clerks sends two requests a second, a page and a save. */
const CLERKS = 20;
const RATE = CLERKS * 2;
const GOAL = 250;

const PAGES = ['limit=50', 'where%5BSTATE%5D%5Beq%5D=open&limit=50', 'sort=-DATED&limit=50'].map(
  (query) => ({ method: 'GET', path: `${archivePath}/index?${query}` }),
);
const REQUESTS = PAGES.flatMap((page) => [page, change]);

/** Pages and saves of an archive on PostgreSQL while `indexdesk load` adds a text field to it. */
export async function run(): Promise<BenchResult> {
  const size = Math.max(...SIZES);
  const cluster = await createCluster();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-add-field-copy-'));
  try {
    await cluster.start();
    const where = ['--database-url', cluster.url, '--data', join(folder, 'data')];
    const definition = (name: string, further: object) =>
      writeDefinition(join(folder, `${name}.json`), further);
    await loadRevisions(folder, size, where);
    const added = [...REVISION_FIELDS, { name: 'ADDED', type: 'text', maxLength: 200 }];
    const extend = ['load', await definition('added', { indexFields: added }), ...where];
    const rows = await measure(cluster.url, join(folder, 'data'), size, () => runCommand(extend));
    return { name: 'add-field', figures: {}, rows };
  } finally {
    await cluster.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Loads an archive of so many revisions.
 * @param folder for the files that are loaded
 * @param where the options that name the installation
 */
export async function loadRevisions(
  folder: string,
  size: number,
  where: readonly string[],
): Promise<void> {
  console.error(`  loading ${size} revisions`);
  await pipeline(revisionLines(size), createWriteStream(join(folder, 'revisions.csv')));
  const documentsFrom = { csv: 'revisions.csv', revisionId: 'id' };
  const file = await writeDefinition(join(folder, 'all.json'), { documentsFrom });
  await runCommand(['load', file, ...where]);
}

async function writeDefinition(path: string, further: object): Promise<string> {
  const archive = {
    guid: '5a0b1c5e-92b4-4c3a-8d0a-7f30b6a5f0c3',
    table: ARCHIVE,
    name: 'Papers',
    indexFields: REVISION_FIELDS,
    ...further,
  };
  await writeFile(path, JSON.stringify({ archives: [archive] }));
  return path;
}

async function measure(
  databaseUrl: string,
  dataDir: string,
  size: number,
  extend: () => Promise<void>,
): Promise<Row[]> {
  const generator = startGenerator();
  const service = await startMeasured({ dataDir, databaseUrl });
  try {
    await allCounted(service, [], [archivePath]);
    const { url, headers } = service;
    const job = { url, headers, ids: size, requests: REQUESTS, connections: CLERKS, rate: RATE };
    await generator.run({ ...job, seconds: SECONDS * 10 });
    const alone = await generator.run({ ...job, seconds: SECONDS * 10 });
    console.error(`  adding a field to ${size} revisions`);
    const begun = performance.now();
    const work = { took: 0 };
    const extending = (async () => {
      await extend();
      work.took = performance.now() - begun;
    })();
    // A part that has little of the work in it does not make the others look better.
    const parts: Load[] = [];
    while (work.took === 0) parts.push(await generator.run({ ...job, seconds: SECONDS * 4 }));
    await extending;
    const highest = (take: (part: Load) => number) => Math.max(...parts.map(take));
    const p95 = highest((part) => part.p95);
    return [
      {
        what: 'pages and saves of 20 clerks while a text field is added, PostgreSQL, p95',
        size,
        connections: CLERKS,
        unit: 'ms',
        value: rounded(p95),
        floors: { 'p95 alone': rounded(alone.p95) },
        goal: { says: `≤ ${GOAL} ms`, met: p95 <= GOAL },
        more: {
          p50: rounded(highest((part) => part.p50)),
          most: rounded(highest((part) => part.most)),
          refused: parts.reduce((sum, { refused }) => sum + refused, 0),
          'the load (ms)': rounded(work.took),
        },
      },
    ];
  } finally {
    await service.process.stop();
    await generator.stop();
  }
}
